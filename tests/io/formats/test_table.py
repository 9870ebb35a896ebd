import warnings

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from tests.strategies import hierarchies
from tests.zoo import ZOO, caterpillar

from dendrometry import from_labels, from_levels, from_newick, from_parents, from_paths, to_paths
from dendrometry.errors import InvalidInputError, InvalidTreeError, LostMeaningWarning

ANIMALS = {
    "item": ["cat", "bat", "owl", "jay"],
    "class": ["mammals", "mammals", "birds", "birds"],
    "order": ["carnivores", None, "owls", None],
}


def bare(tree):
    """The same tree without heights, which paths cannot hold."""
    return from_parents(tree.parent, tree.item_node, None, tree.items)


@pytest.mark.parametrize("sep", ["/", " > ", None])
@given(tree=hierarchies(heights=False))
def test_every_tree_without_heights_comes_back(sep, tree):
    paths = to_paths(tree, sep=sep)
    assert from_paths(paths, sep=sep or "/") == tree
    assert list(paths) == list(tree.items)


@pytest.mark.parametrize("name", ZOO)
def test_every_edge_tree_comes_back_without_heights(name):
    tree = ZOO[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LostMeaningWarning)
        assert from_paths(to_paths(tree)) == bare(tree)


def test_heights_are_left_out_with_a_warning():
    with pytest.warns(LostMeaningWarning, match="paths hold no heights"):
        to_paths(ZOO["balanced"])


def test_a_path_that_begins_another_ends_at_an_inner_node():
    tree = from_paths(["a", "a/b", "", "a/b"], item_names=["x", "y", "z", "w"])
    assert to_paths(tree) == {"x": "a", "y": "a/b", "z": "", "w": "a/b"}
    assert tree.n_nodes == 3


def test_paths_may_be_sequences_whose_names_hold_anything():
    paths = {"x": ("a/b", "c"), "y": ["a/b"]}
    tree = from_paths(paths)
    assert to_paths(tree, sep=None) == {"x": ("a/b", "c"), "y": ("a/b",)}
    with pytest.raises(InvalidTreeError, match="must not contain the separator '/'; got 'a/b/c'"):
        to_paths(tree)


def test_names_of_nodes_survive():
    tree = from_paths({"cat": "mammals", "owl": "birds/owls"})
    assert set(tree.node_names) == {"", "mammals", "birds", "owls"}


def test_a_separator_that_would_not_split_again_is_refused():
    tree = from_paths({"x": ("a>", "b"), "y": ("a", ">b"), "z": ("a",)})
    with pytest.raises(InvalidTreeError, match="must not contain the separator '>>'; got 'a>>>b'"):
        to_paths(tree, sep=">>")


def test_the_name_of_the_root_is_left_out_with_a_warning():
    with pytest.warns(LostMeaningWarning, match="its name 'top' is left out"):
        to_paths(from_newick("(a,b)top;"))


def test_whole_floats_are_levels_as_pandas_makes_them_of_gaps():
    frame = pandas.DataFrame({"item": ["x", "y"], "a": [1, 2], "b": [3, None]})
    assert to_paths(from_levels(frame)) == {"x": "1/3", "y": "2"}


def test_nodes_that_paths_cannot_tell_apart_are_refused():
    with pytest.raises(InvalidTreeError, match="must have distinct names to be written as paths; two are called 'x'"):
        to_paths(from_newick("((a,b)x,(c,d)x);"))


def test_paths_too_long_in_all_are_refused_before_they_are_made():
    with pytest.raises(InvalidTreeError, match=r"this tree has 200,0\d\d,\d\d\d \(see to_parents\)"):
        to_paths(caterpillar(20_001))


@pytest.mark.parametrize(
    ("paths", "items", "message"),
    [
        (["a//b"], None, "non-empty strings; got '' for item '0'"),
        (["//a"], ["x"], "non-empty strings; got '' for item 'x'"),
        (["a/"], ["x"], "non-empty strings; got '' for item 'x'"),
        ([["a", 1]], None, "non-empty strings; got '1' for item '0'"),
        ("a/b", None, "one for each item; got a/b"),
        (["a", "b"], ["x"], "one item name for each of 2 items; got 1"),
        ([], None, "at least one item; got none"),
        (["a", "b"], ["x", "x"], "are repeated: 'x'"),
        (5, None, "must be a sequence, one for each item; got 5"),
        ({"a", "b"}, None, "must be a sequence, one for each item"),
        ([None], None, "a path must be a string or a sequence of strings; got None for item '0'"),
        ([float("nan")], None, "a path must be a string or a sequence of strings; got nan for item '0'"),
    ],
)
def test_refuses_what_are_no_paths(paths, items, message):
    with pytest.raises(InvalidInputError, match=message):
        from_paths(paths, items)


def test_refuses_an_empty_separator():
    for sep in ("", 5):
        with pytest.raises(InvalidInputError, match="sep must be a string of at least one character"):
            from_paths(["a"], sep=sep)
    for sep in ("", 5):
        with pytest.raises(InvalidInputError, match="sep must be a string of at least one character"):
            to_paths(from_paths(["a"]), sep=sep)


def test_made_up_names_do_not_clash_with_given_ones():
    tree = from_parents([-1, 0, 0], item_names=["x", "y"], node_names=["", "", "#0"])
    assert to_paths(tree) == {"x": "##0", "y": "#0"}


@pytest.mark.parametrize("frame", [dict, pandas.DataFrame, polars.DataFrame])
def test_levels_of_any_table_give_the_same_tree(frame):
    tree = from_levels(frame(ANIMALS))
    assert tree == from_paths({"cat": "mammals/carnivores", "bat": "mammals", "owl": "birds/owls", "jay": "birds"})


def test_missing_levels_of_every_kind_end_the_path():
    for missing in (None, "", np.nan, pandas.NA):
        table = {"item": [0, 1], "a": ["x", "x"], "b": ["y", missing]}
        assert to_paths(from_levels(table)) == {"0": "x/y", "1": "x"}


def test_items_may_be_named_by_another_column_or_numbered():
    assert from_levels({"who": ["p", "q"], "level": [1, 2]}, item="who") == from_labels([1, 2], item_names=["p", "q"])
    assert from_levels({"level": [1, 2]}) == from_labels([1, 2])
    assert from_levels({"level": np.array([1, 2], dtype=np.int8)}).node_names == ("1", "2", "")


@pytest.mark.parametrize(
    ("table", "item", "message"),
    [
        (
            {"who": ["p", "q"], "a": ["x", "x"], "b": ["", "y"], "c": ["z", "w"]},
            "who",
            "item 'p': level 'b' must be given if 'c' below it is given",
        ),
        ({"a": ["x", "y"], "b": ["z"]}, None, r"columns must have the same length; got \[1, 2\]"),
        ({"a": ["x", 0.5]}, None, "row 1: level 'a' must be text or a whole number; got 0.5"),
        ({"a": [True]}, None, "row 0: level 'a' must be text or a whole number; got True"),
        ({"item": ["x"]}, None, "at least one level besides the items; got none"),
        ({"a": ["x"]}, "who", "must have the column 'who'; got a"),
        ({"item": [1, "x"], "a": ["z", "y"]}, None, "column 'item' must name the items: item names must be strings"),
        ({"item": ["x", "x"], "a": ["y", "y"]}, None, "are repeated: 'x'"),
        ({"a": "xyz"}, None, "column 'a' must be a sequence; got xyz"),
        ([["x"]], None, "dict of columns or a data frame; got list"),
        ({"a": []}, None, "at least one item; got none"),
        ({"a": [1, "1"]}, None, "level 'a' must be all text or all whole numbers; got both"),
        ({1: ["x"], "1": ["y"]}, None, "column names must be distinct; these are repeated: '1'"),
        (pandas.DataFrame([["a", "b"]], columns=["x", "x"]), None, "these are repeated: 'x'"),
        ({"a": 5}, None, "column 'a' must be a sequence; got 5"),
    ],
)
def test_refuses_what_are_no_levels(table, item, message):
    with pytest.raises(InvalidInputError, match=message):
        from_levels(table, item)


@pytest.mark.parametrize("sep", ["/", " > "])
def test_a_separator_before_the_first_step_is_ignored(sep):
    paths = {"owl": "birds/owls", "jay": "birds", "cat": ""}
    plain = {item: path.replace("/", sep) for item, path in paths.items()}
    led = {item: sep + path for item, path in plain.items()}
    assert from_paths(led, sep=sep) == from_paths(plain, sep=sep)
    table = {"item": list(led), "category_path": list(led.values())}
    assert from_levels(table, sep=sep) == from_paths(plain, sep=sep)
    table["category_path"][2] = f"{sep}fish{sep}cod"
    assert from_levels(table) == from_paths({**plain, "cat": f"fish{sep}cod"}, sep=sep)
