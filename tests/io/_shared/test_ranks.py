"""Levels of tables: missing ranks, names that lie in several above, noise, and how the table was read."""

import io
import warnings
from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import compare, from_labels, from_levels, from_paths, read, to_paths, write
from dendrometry.comparison import compare_partitions
from dendrometry.contingency import Contingency
from dendrometry.errors import AssumptionWarning, InvalidInputError, InvalidTreeError, Remedy
from dendrometry.io import as_hierarchy, from_anndata, from_layers, from_lineages
from dendrometry.io._shared.missing import MISSING_WORDS
from dendrometry.io.files import reading

GAP = "item,order,family,genus\na,X,{},G1\nb,X,F1,G2\nc,Y,F2,\n"


def in_file(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("word", ["", *sorted(MISSING_WORDS)])
def test_every_word_for_missing_is_taken_alike_from_files_and_frames(word, tmp_path):
    text = GAP.format(word)
    frame = pd.read_csv(io.StringIO(text))
    for choice, path in (("skip_rank", ("X", "G1")), ("own_node", ("X", "(no family)", "G1"))):
        expected = {"a": path, "b": ("X", "F1", "G2"), "c": ("Y", "F2") + ("(no genus)",) * (choice == "own_node")}
        tree = from_levels(frame, missing=choice)
        assert to_paths(tree, sep=None) == expected
        found = reading_of(in_file(tmp_path, text), missing=choice)
        assert to_paths(found, sep=None) == expected
    for read_it in (lambda: from_levels(frame), lambda: read(in_file(tmp_path, text))):
        with pytest.raises(
            InvalidInputError, match="item 'a': level 'family' must be given if 'genus' below it"
        ) as error:
            read_it()
        options = [part.value for part in error.value.args if isinstance(part, Remedy)]
        assert options == ["skip_rank", "own_node"]


def reading_of(path, **options):
    """The tree in a file, whatever is said about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)
        return read(path, **options)


def test_words_for_missing_are_shown_when_they_are_met(tmp_path):
    path = in_file(tmp_path, "item,family,genus\na,F,NA\nb,F,n/a\nc,F,NA\nd,F,G\n")
    with pytest.warns(
        AssumptionWarning, match=r"taken as missing: 'NA' in 2 cells, 'n/a' in 1 cell .missing='own_node'"
    ):
        tree = read(path)
    assert to_paths(tree) == {"a": "F", "b": "F", "c": "F", "d": "F/G"}
    assert reading(path).account.missing == (("NA", 2), ("n/a", 1))


def test_ranks_of_lineages_and_paths_may_be_missing_too(tmp_path):
    lineages = {"a": "d__B;p__;c__X", "b": "d__B;p__Y"}
    with pytest.raises(InvalidInputError, match="item 'a': level 'p__' must be given if 'c__X' below it is given"):
        from_lineages(lineages)
    assert to_paths(from_lineages(lineages, missing="skip_rank"))["a"] == "d__B/c__X"
    assert to_paths(from_lineages(lineages, missing="own_node"))["a"] == "d__B/p__/c__X"
    path = in_file(tmp_path, "item,path\na,B;NA;X\nb,B;Y\nc,NA\n")
    with pytest.raises(InvalidInputError, match="item 'a': a rank must be given if 'X' below it is given"):
        read(path)
    assert to_paths(reading_of(path, missing="skip_rank")) == {"a": "B/X", "b": "B/Y", "c": ""}


LEIDEN = {"cell": list("abcd"), "coarse": [0, 0, 1, 1], "fine": [0, 1, 1, 2]}


def test_levels_that_are_not_nested_are_refused_by_the_first_pair():
    says = "'1' of 'fine' lies in '0' and in '1' of 'coarse', as of the items 'b' and 'c'"
    with pytest.raises(InvalidTreeError, match=says) as error:
        from_levels(LEIDEN)
    assert "partition.resolutions() takes clusterings that are not nested" in str(error.value)
    obs = pd.DataFrame(LEIDEN).set_index("cell")
    with pytest.raises(InvalidTreeError, match=says):
        from_anndata(SimpleNamespace(obs=obs, uns={}), levels=["coarse", "fine"])
    with pytest.raises(InvalidTreeError, match="each layer must refine the coarser ones"):
        from_layers([LEIDEN["coarse"], LEIDEN["fine"]])
    assert from_levels(LEIDEN, repeats="split").n_nodes == 1 + 2 + 4
    assert from_levels(LEIDEN, levels=["fine"]) == from_labels(LEIDEN["fine"], LEIDEN["cell"])


def nested(levels):
    """The definition: no name of a level is in rows with two names of a level above; "" is missing."""
    return all(
        len({over[i] for i, value in enumerate(under) if value == name and over[i]}) <= 1
        for at, under in enumerate(levels)
        for over in levels[:at]
        for name in set(under) - {""}
    )


@given(
    st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[st.sampled_from(["", "x", "y", "z"])] * k), min_size=1))
)
def test_levels_are_refused_exactly_if_they_are_not_nested(rows):
    columns = list(zip(*rows, strict=True))
    table = {"item": [f"i{i}" for i in range(len(rows))]} | {f"level {k}": list(c) for k, c in enumerate(columns)}
    if nested(columns):
        unplaced = sum(not any(row) for row in rows)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert from_levels(table, missing="skip_rank").n_items == len(rows)
        assert [f"{unplaced} of {len(rows)} item" in str(each.message) for each in told] == [True] * bool(unplaced)
    else:
        with pytest.raises(InvalidTreeError, match="levels must be nested"):
            from_levels(table, missing="skip_rank")


def test_reversed_ranks_are_told_to_be_reversed():
    table = {"item": list("abc"), "genus": ["G1", "G2", "G3"], "family": ["F", "F", "H"]}
    with pytest.raises(InvalidTreeError, match="levels= takes them in the other order, which is nested"):
        from_levels(table)
    assert to_paths(from_levels(table, levels=["family", "genus"]))["a"] == "F/G1"


@pytest.mark.parametrize("extra", [["3.50", "4", "3.50"], [3.5, 4.0, 3.5]])
def test_a_column_of_prices_is_no_level(extra):
    table = {"item": list("abc"), "kind": list("xxy"), "price": extra}
    with pytest.raises(InvalidInputError, match=r"row 0: level 'price' must be text or .*whole number"):
        from_levels(table)
    assert from_levels(table, levels=["kind"]).n_nodes == 3


LABELS = [0, 0, -1, 1, 1, -1]


def test_noise_is_said_and_decided():
    with pytest.warns(AssumptionWarning, match="2 of 6 items with the label -1, as noise has; taken as a cluster"):
        assert from_labels(LABELS).n_nodes == 4
    assert from_labels(LABELS, noise="label").n_nodes == 4
    single = from_labels(LABELS, noise="singletons")
    assert sorted(map(sorted, (single.own_items(v) for v in single.leaves))) == [["0", "1"], ["2"], ["3", "4"], ["5"]]
    assert from_labels(LABELS, noise="drop").items == ("0", "1", "3", "4")
    table = {"item": list("abcdef"), "cluster": LABELS}
    for noise in ("label", "singletons", "drop"):
        assert from_levels(table, noise=noise) == from_labels(LABELS, list("abcdef"), noise=noise)
    with pytest.warns(AssumptionWarning, match="2 of 6 items with the label -1"):
        from_levels(table)
    with pytest.raises(InvalidInputError, match="noise must be"):
        from_labels(LABELS, noise="guess")
    with pytest.raises(InvalidInputError, match="all are noise"):
        from_labels([-1, -1], noise="drop")


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=2, max_size=12))
def test_noise_is_taken_as_a_contingency_takes_it(pairs):
    a, b = (list(labels) for labels in zip(*pairs, strict=True))
    table = Contingency.of(a, b, noise="singletons")
    trees = [from_labels(labels, noise="singletons") for labels in (a, b)]
    assert [tree.leaves.size for tree in trees] == [table.n_a, table.n_b]
    expected = compare_partitions(table)["rand"].value
    assert compare(*trees, measures=["rand"])["rand"].value == pytest.approx(expected, abs=1e-12)


def test_minus_one_beside_other_labels_is_no_noise():
    assert from_labels([-1, 1, 1]).n_nodes == 3
    assert from_labels([-2, -1, 0]).n_nodes == 4
    assert from_labels(["-1", "x"]).n_nodes == 3


def test_noise_in_partitions_and_layers_is_said():
    with pytest.warns(AssumptionWarning, match="the second clustering: 2 of 6 items with the label -1"):
        compare_partitions([0, 0, 1, 1, 2, 2], LABELS)
    compare_partitions(Contingency.of([0, 0, 1, 1, 2, 2], LABELS, noise="drop"))
    with pytest.warns(AssumptionWarning, match="1 of 3 items with the label -1.*noise_label=-1 leaves them"):
        from_layers([[0, 0, -1]])


def test_clusters_of_a_run_by_their_numbers_are_not_compared():
    stored = {"linkage": [[0, 1, 0.2, 2]], "categories_ordered": ["1", "0"], "categories_idx_ordered": [1, 0]}
    data = SimpleNamespace(uns={"dendrogram_leiden": stored}, obs=pd.DataFrame())
    with pytest.raises(InvalidInputError, match="clusters by numbers, which another run gives to other clusters"):
        as_hierarchy(data)
    with pytest.warns(AssumptionWarning, match="clusters by their numbers, which another run gives to other clusters"):
        from_anndata(data, dendrogram="dendrogram_leiden")


def test_how_a_table_was_read(tmp_path):
    found = reading(in_file(tmp_path, "sku,path,price\na,Food > Fruit,1\nb,Food,2\n,,\n")).account
    assert (found.kind, found.n_items, found.n_levels, found.columns) == ("paths", 2, 2, ("path",))
    assert (found.sep, found.n_dropped, found.missing, found.n_noise) == (" > ", 1, (), 0)
    assert found.tell() == "paths: 2 items in 'sku', 2 levels in 'path', 1 row dropped, separator ' > '"


def test_a_chosen_separator_and_words_do_not_touch_what_was_written(tmp_path):
    tree = from_paths([("NA", "a "), ("NA", "b > c"), ("x",)], item_names=["p", "q", "r"])
    write(tree, tmp_path / "tree.csv")
    back = read(tmp_path / "tree.csv")
    assert to_paths(back, sep=None) == to_paths(tree, sep=None)
