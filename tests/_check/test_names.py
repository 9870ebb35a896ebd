"""Names of items: every function that takes labels, points, paths or texts names items by one rule."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.trust.fuzz.functions import good_arguments, public_functions

import dendrometry as dm
from dendrometry import plot
from dendrometry._check.names import alignment, item_names_of, name_items, names_within
from dendrometry.cluster import is_optimal
from dendrometry.comparison import compare_partitions
from dendrometry.cut import residual_squares
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.levels import stages_of_partitions
from dendrometry.partition import score_series
from dendrometry.plot._axes.palette import group_items
from dendrometry.text import documents_from_embeddings, vectorize_documents

ITEMS = ["ape", "bat", "cat", "elk", "fox", "owl"]
POINTS = np.array([[0.1, 1.0], [0.2, 1.0], [3.0, 1.0], [3.3, 1.0], [7.0, 2.0], [9.0, 1.0]])
FRAME = pd.DataFrame(POINTS, index=ITEMS)
LABELS = pd.Series(list("xxyyzz"), index=ITEMS)
OTHER = pd.Series(list("xyyzzz"), index=ITEMS)
SHUFFLED = ITEMS[::-1]
FUNCTIONS = public_functions()

# What each parameter that holds data of items becomes with names: the same data as a frame or Series of pandas.
NAMED = {
    "X": FRAME,
    "vectors": FRAME,
    "labels": LABELS,
    "paths": pd.Series(["a", "b/c", "b/d", "b/c", "e", "e"], index=ITEMS),
    "table": pd.DataFrame({"class": list("xxyyzz"), "kind": list("abcdef")}, index=ITEMS),
    "texts": pd.Series(["ship port", "oil gas", "gas price", "ship oil", "port price", "gas port"], index=ITEMS),
    "D": pd.DataFrame(np.abs(POINTS[:, :1] - POINTS[:, 0]), index=ITEMS, columns=ITEMS),
}
OTHERWISE = {  # parameters of these names that do not hold one row for each item, or have a test of their own
    "Contingency.from_counts": "a table of counts",
    "measures.Measure.of_table": "a Contingency",
    "plot.resolution_flow": "labels in the order of the items of a result, or by their names",
    "report": "labels in the order of the items of a result, or by their names",
    "cluster.place": "matches the items of the tree: see tests/cluster/test_placement.py",
    "significance.splits": "needs ten items: see tests/significance/test_splits.py",
    "browse": "texts by the names of items, whatever their order",
    "comparison.score_variables": "scores of columns, whatever the rows are called",
    "io.from_hiercc": "a column for each threshold",
    "plot.worsening": "a result",
    "resampling.ask_triplets": "asks a tree of the same names: see tests/resampling/test_ask_triplets.py",
    "resampling.plausible_trees": "a list of trees: see tests/resampling/test_questions.py",
    "resampling.fidelity": "needs nine items: see tests/resampling/test_fidelity.py",
    "text.StoryStream.extend": "changes its stream: see tests/text/test_story_stream.py",
    "text.Documents.with_embeddings": "must name the documents: see below",
}
MADE = {
    name: function
    for name, function in FUNCTIONS.items()
    if set(inspect.signature(function).parameters) & set(NAMED) and name not in OTHERWISE
}


def items_of(result):
    """Return the names of the items in a result, wherever it holds them; None if it has none."""
    for value in (result, *(getattr(result, part, None) for part in ("hierarchy", "tree", "documents"))):
        items = getattr(value, "items", None)
        if isinstance(items, tuple):
            return items
    return None


def assert_same(first, second):
    """Assert that two results are equal, but for rounding if they are tables."""
    if hasattr(first, "to_frame"):
        pd.testing.assert_frame_equal(first.to_frame(), second.to_frame())
    else:
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", MADE)
def test_every_function_takes_the_index_as_names_or_heeds_it(name, tmp_path):
    function = MADE[name]
    arguments = good_arguments(name, function, tmp_path)
    known = [key for key in inspect.signature(function).parameters if key in NAMED and key in arguments]
    assert known or name in ("plot.dendrogram", "plot.icicle", "plot.tanglegram"), "say here what its data are"
    if name.startswith("plot."):
        return  # labels are of the items of a tree: see below
    named, shuffled = ({key: NAMED[key] for key in known} for _ in range(2))
    if name in ("cluster.is_optimal", "cluster.combination_similarity"):
        arguments["similarity"] = pd.DataFrame(np.exp(-NAMED["D"]), index=ITEMS, columns=ITEMS)
    if "tree" in arguments:
        arguments["tree"] = dm.agglomerate(FRAME).hierarchy
    shuffled = {key: value.loc[SHUFFLED] for key, value in shuffled.items()}
    if "D" in shuffled:
        shuffled["D"] = shuffled["D"][SHUFFLED]
    results = [function(**arguments | some) for some in (named, shuffled)]
    if inspect.isgenerator(results[0]):
        results = [list(result) for result in results]
        assert [story.item for story in results[0]] == ITEMS
        assert [story.item for story in results[1]] == SHUFFLED
    elif items_of(results[0]) is not None and "tree" not in arguments:
        assert set(items_of(results[0])) == set(ITEMS)
        assert items_of(results[1]) == tuple(SHUFFLED)
    elif name == "cluster.medoids":
        np.testing.assert_array_equal(function(FRAME, LABELS.loc[SHUFFLED]), results[0])
    else:
        assert_same(*results)


MEASURES = [
    name
    for name, function in FUNCTIONS.items()
    if {"a", "b"} <= set(inspect.signature(function).parameters)
    and inspect.signature(function).parameters["b"].default is None
    and not name.startswith("plot.")
]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_of_two_series_matches_them_by_index(name, tmp_path):
    function = FUNCTIONS[name]
    arguments = good_arguments(name, function, tmp_path)
    expected = repr(function(**arguments | {"a": LABELS.tolist(), "b": OTHER.tolist()}))
    assert repr(function(**arguments | {"a": LABELS, "b": OTHER.loc[SHUFFLED]})) == expected
    assert repr(function(**arguments | {"a": dict(LABELS), "b": dict(OTHER.loc[SHUFFLED])})) == expected
    with pytest.raises(ItemMismatchError, match="only in the first: 'ape'; 1 item only in the second: 'yak'"):
        function(**arguments | {"a": LABELS, "b": OTHER.rename({"ape": "yak"})})


def test_labels_without_an_index_are_in_the_order_of_the_others():
    expected = dm.adjusted_rand(LABELS.tolist(), OTHER.tolist())
    assert dm.adjusted_rand(LABELS, OTHER.to_numpy()) == expected
    assert dm.adjusted_rand(pl.Series(LABELS.tolist()), OTHER) == expected


def test_an_index_of_numbers_counts_beside_another_index():
    shuffled = OTHER.set_axis([5, 4, 3, 2, 1, 0])[::-1]
    assert dm.rand(LABELS.reset_index(drop=True), OTHER.reset_index(drop=True).loc[[3, 0, 1, 2, 5, 4]]) == dm.rand(
        LABELS, OTHER
    )
    assert dm.rand(LABELS.reset_index(drop=True), shuffled) == dm.rand(LABELS.tolist(), shuffled.tolist())
    with pytest.raises(ItemMismatchError, match=r"same items by their index or keys; .*\.to_numpy\(\)"):
        dm.rand(LABELS, OTHER.reset_index(drop=True))


def test_a_repeated_index_must_be_the_same_on_both_sides():
    twice = LABELS.set_axis(["a", "a", "b", "c", "d", "e"])
    assert dm.rand(twice, OTHER.set_axis(twice.index)) == dm.rand(LABELS, OTHER)
    with pytest.raises(ItemMismatchError, match="distinct names in it to be matched by; the first repeats some"):
        dm.rand(twice, OTHER)


def test_partitions_of_a_series_and_stages_match_by_index():
    table = score_series(LABELS, [OTHER, OTHER.loc[SHUFFLED]], measures=["rand"])
    assert table["value"][0] == table["value"][1]
    straight = stages_of_partitions([LABELS], [OTHER])
    assert stages_of_partitions([LABELS], [OTHER.loc[SHUFFLED]]).t.tolist() == straight.t.tolist()


def test_a_comparison_of_series_has_their_names():
    result = compare_partitions(LABELS, OTHER.loc[SHUFFLED])
    assert result.items == tuple(ITEMS)
    assert compare_partitions(LABELS.tolist(), OTHER).items == tuple(ITEMS)
    assert compare_partitions(LABELS.tolist(), OTHER.tolist()).items == tuple("012345")


def test_features_are_matched_to_labels_by_index():
    expected = dm.split_merge(LABELS, OTHER, score="mse", features=POINTS)
    assert dm.split_merge(LABELS, OTHER, score="mse", features=FRAME.loc[SHUFFLED]) == expected


def test_points_are_matched_to_the_items_of_a_tree():
    tree = dm.agglomerate(FRAME).hierarchy
    np.testing.assert_array_equal(residual_squares(tree, FRAME.loc[SHUFFLED]), residual_squares(tree, POINTS))
    with pytest.raises(ItemMismatchError, match="tree and the points must name the same items"):
        residual_squares(tree, FRAME.rename({"ape": "yak"}))


def test_labels_are_matched_to_similarities_by_index():
    similarity = pd.DataFrame(np.exp(-NAMED["D"]), index=ITEMS, columns=ITEMS)
    for labels in (LABELS, LABELS.loc[SHUFFLED]):
        assert is_optimal(labels, similarity, linkage="complete") == is_optimal(
            LABELS.tolist(), similarity.to_numpy(), linkage="complete"
        )


@pytest.mark.parametrize("labels", [LABELS, LABELS.loc[SHUFFLED], dict(LABELS), dict(LABELS.loc[SHUFFLED])])
def test_colours_follow_the_names_of_the_labels(labels):
    groups = group_items(tuple(ITEMS), labels)
    assert [groups.names[code] for code in groups.code] == LABELS.tolist()


def test_a_plot_refuses_labels_without_one_of_its_items():
    tree = dm.agglomerate(FRAME).hierarchy
    with pytest.raises(ItemMismatchError, match="there is none for 'ape'"):
        plot.dendrogram(tree, labels=LABELS.rename({"ape": "yak"}))


def test_the_columns_of_a_table_of_distances_are_named_as_its_rows():
    with pytest.raises(ItemMismatchError, match="columns of a table of distances must be named as its rows"):
        dm.agglomerate_distances(NAMED["D"].set_axis(SHUFFLED, axis=1))
    numbered = NAMED["D"].reset_index(drop=True)
    assert dm.agglomerate_distances(numbered).hierarchy.items == tuple("012345")


def test_an_estimator_names_its_tree_by_the_index():
    assert dm.HierarchicalClustering().fit(FRAME).hierarchy_.items == tuple(ITEMS)
    assert dm.HierarchicalClustering().fit(POINTS).hierarchy_.items == tuple("012345")


def test_documents_have_the_names_of_a_series_or_a_frame():
    assert vectorize_documents(NAMED["texts"]).items == tuple(ITEMS)
    found = documents_from_embeddings(FRAME)
    assert found.items == tuple(ITEMS)
    np.testing.assert_allclose(found.with_embeddings(FRAME.loc[SHUFFLED]).vectors, found.vectors)
    with pytest.raises(InvalidInputError, match="got a table"):
        vectorize_documents(NAMED["texts"].to_frame())


def test_the_first_names_are_in_the_description_of_a_tree():
    assert repr(dm.from_labels(LABELS)) == "Hierarchy(6 items 'ape' to 'owl', 4 nodes, no heights)"
    assert repr(dm.from_labels(LABELS.tolist())) == "Hierarchy(6 items, 4 nodes, no heights)"


def test_a_table_is_no_column_of_labels_or_paths():
    frame = pd.DataFrame({"first": list("xy"), "second": list("zw")})
    with pytest.raises(InvalidInputError, match=r"columns 'first', 'second' \(choose one of them, or see from_levels"):
        dm.from_labels(frame)
    with pytest.raises(InvalidInputError, match=r"paths must be .*; got a table with the columns 'first', 'second' \("):
        dm.from_paths(frame)
    with pytest.raises(InvalidInputError, match=r"a table with the column 'first' \(take frame\['first'\]\)"):
        dm.from_labels(frame[["first"]])


def test_a_missing_name_is_told_not_the_numbers_beside_it():
    with pytest.raises(InvalidInputError, match="item names must be strings; got None, a missing value, at position 1"):
        dm.from_labels([1, 1, 2, 2], item_names=[1, None, 3, 4])


@pytest.mark.parametrize("item_names", [SHUFFLED, pd.Series(ITEMS, index=SHUFFLED)])
def test_given_names_must_not_contradict_the_index(item_names):
    with pytest.raises(ItemMismatchError, match=r"item_names must (be in the order|have the index) of the data"):
        dm.from_labels(LABELS, item_names=item_names)


def test_given_names_must_agree_with_an_index_of_names():
    with pytest.raises(ItemMismatchError, match=r"item_names must agree with the index .* got 'a' where it has 'ape'"):
        dm.from_labels(LABELS, item_names=list("abcdef"))
    assert dm.from_labels(LABELS, item_names=list(LABELS.index)).items == tuple(LABELS.index)


def test_given_names_replace_row_numbers_and_may_have_the_index():
    assert dm.from_labels(LABELS.to_numpy(), item_names=list("abcdef")).items == tuple("abcdef")
    rows = pd.Series(LABELS.tolist(), index=[3, 5, 7, 9, 11, 12])
    assert dm.from_labels(rows, item_names=list("abcdef")).items == tuple("abcdef")
    titles = pd.Series(list("abcdef"), index=ITEMS)
    assert dm.agglomerate(FRAME, item_names=titles).hierarchy.items == tuple("abcdef")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([3, 10, -1], ("3", "10", "-1")),
        ([1.0, 2.0, 2.5], ("1", "2", "2.5")),
        (np.arange(3, dtype=np.uint8), ("0", "1", "2")),
        (pd.date_range("2024-01-01", periods=3), ("2024-01-01 00:00:00", "2024-01-02 00:00:00", "2024-01-03 00:00:00")),
        ([("a", 1), ("a", 2), ("b", 1)], ("('a', 1)", "('a', 2)", "('b', 1)")),
        ([True, False, True], ("True", "False", "True")),
    ],
)
def test_names_of_one_kind_are_taken_as_their_text(names, text):
    assert item_names_of(names, "item names") == text


@pytest.mark.parametrize(
    "names",
    [[1, "1"], ["a", 1], [None, 1], [float("nan"), 2.0], [pd.NaT, pd.NaT], [b"a"], [[1], [2]], [object()], [print]],
)
def test_names_whose_text_is_not_plain_are_refused(names):
    with pytest.raises(InvalidInputError, match="item names must be strings; got"):
        item_names_of(names, "item names")


def test_names_must_be_a_sequence_and_no_mapping():
    with pytest.raises(InvalidInputError, match="item names must be a sequence of strings"):
        dm.from_labels([1, 2], item_names={"a": 1, "b": 2})


def test_rows_that_are_only_numbered_have_no_names():
    assert names_within(LABELS.reset_index(drop=True)) is None
    assert names_within(LABELS.set_axis([1, 2, 3, 4, 5, 6])) == tuple("123456")
    assert names_within(LABELS.tolist()) is None
    assert names_within(pl.Series([1, 2])) is None
    assert name_items({"a": 1}, None, 1) == ("a",)
    assert alignment(LABELS, LABELS) is None
