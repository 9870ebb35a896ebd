"""The separator of paths is decided by all of them, or they are refused with both readings."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import from_levels, from_paths, to_paths
from dendrometry.errors import AssumptionWarning, InvalidInputError
from dendrometry.io._shared.separators import split_paths

steps = st.lists(st.text("abc", min_size=1, max_size=2), min_size=1, max_size=4)


def split(*values, sep=None):
    return [tuple(path) for path in split_paths(values, sep).steps]


def test_a_slash_in_one_name_does_not_change_the_separator():
    paths = {"a": "Food > Fruit", "b": "Food > Bread", "c": "Food > Salt/Pepper"}
    with pytest.warns(AssumptionWarning, match="paths are taken as separated by ' > '"):
        tree = from_paths(paths)
    assert to_paths(tree, sep=None) == {"a": ("Food", "Fruit"), "b": ("Food", "Bread"), "c": ("Food", "Salt/Pepper")}


@pytest.mark.parametrize(
    "paths", [("H > Light > Lamps",) * 2, ("Food > Fruit", "Tools > Saws"), ("Food > Fruit", "Tools")]
)
def test_an_arrow_with_blanks_separates_also_where_no_paths_begin_alike(paths):
    with pytest.warns(AssumptionWarning, match="paths are taken as separated by ' > '"):
        tree = from_paths(paths)
    assert list(to_paths(tree, sep=" > ").values()) == list(paths)
    column = {"item": ["a", "b"], "category": list(paths)}
    with pytest.warns(AssumptionWarning, match="column 'category' is taken as paths separated by ' > '"):
        assert from_levels(column) == from_paths(dict(zip("ab", paths, strict=True)), sep=" > ")


def test_blanks_around_a_separator_do_not_count():
    assert split("Food > Fruit", "Food>Bread", "Food >Salt", "Tools>Saws") == [
        ("Food", "Fruit"),
        ("Food", "Bread"),
        ("Food", "Salt"),
        ("Tools", "Saws"),
    ]
    assert split(" a / b ", "a / c") == [("a", "b"), ("a", "c")]
    assert split("a >b", "a> c", sep=">") == [("a", "b"), ("a", "c")]


def test_a_mark_without_blanks_is_part_of_a_name_where_others_have_blanks():
    assert split("A/V / Cables", "A/V / Screens", "Salt/Pepper") == [
        ("A/V", "Cables"),
        ("A/V", "Screens"),
        ("Salt/Pepper",),
    ]
    assert split("Food > Cheese > Fat >50%", "Food > Cheese") == [("Food", "Cheese", "Fat >50%"), ("Food", "Cheese")]
    assert split("Food > Fruit>Apple", "Food > Fruit") == [("Food", "Fruit", "Apple"), ("Food", "Fruit")]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (["Food > Fruit", "Food/Bread"], r"by ' > ' .* \[Food, Fruit\] and \[Food/Bread\]; by '/' .* \[Food, Bread\]"),
        (["a/b", "a/c", "a>d"], r"by '/' these are \[a, b\] and \[a>d\]; by '>' these are \[a/b\] and \[a, d\]"),
        (["fat > 50%/x", "fat/y", "milk/z"], r"1 hold '>', .* and 2 only '/'"),
    ],
)
def test_paths_of_two_separators_are_refused_with_both_readings(values, says):
    with pytest.raises(InvalidInputError, match=says) as error:
        split(*values)
    assert [part.argument for part in error.value.args[1:]] == ["sep", "sep"]


def test_a_single_step_with_another_mark_is_said():
    found = split_paths(["a/b", "a/c", "x>d"])
    assert found.steps[2] == ["x>d"]
    assert found.notes == [("1 path without '/', as 'x>d', taken as one step",)]


@pytest.mark.parametrize(
    "value", ["a > b, a > c", "a > b,a", "a > b|a > c", "a > b; a > c", "a > b\na > c", "d > e, a > b"]
)
def test_several_paths_in_one_value_are_refused_or_told(value):
    with pytest.raises(InvalidInputError, match="each item must have one path; got several"):
        split("a > b", "a > e", value)
    assert "got several" in split_paths(["a > b", value], " > ").notes[0][0]
    assert split("a > b, x", "a > x; b") == [("a", "b, x"), ("a", "x; b")]


def test_dots_are_told_and_never_taken_unasked():
    found = split_paths(["a.b", "a.c", "d"])
    assert (found.steps, found.sep) == ([["a.b"], ["a.c"], ["d"]], None)
    assert [(note[0][:35], note[1].value) for note in found.notes] == [("no path holds a separator that is k", ".")]
    assert not split_paths(["a.b", "c.d"]).notes


@pytest.mark.parametrize(
    "sep", [" > ", ">", "/", " / ", "|", " | ", "; ", ";", "::", " -> ", " >> ", ">>", " → ", " » ", "›", "\\"]
)
@given(paths=st.lists(steps, min_size=1, max_size=8))
def test_paths_that_share_a_separator_come_back(sep, paths):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert split_paths([sep.join(path) for path in paths]).steps == paths


@given(paths=st.lists(steps, min_size=2, max_size=8), n=st.integers(0, 7))
def test_one_row_without_blanks_changes_nothing(paths, n):
    paths = [["top", *path] for path in paths]
    values = [" > ".join(path) for path in paths]
    values[n % len(values)] = ">".join(paths[n % len(values)])
    assert split_paths(values).steps == paths
