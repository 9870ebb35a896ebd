"""Clusterings at several resolutions: steps, congruence, and the nested tree against all chains of partitions."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.partition.nesting import fewest_moves

import dendrometry as dm
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.partition import resolutions

COARSE, FINE = list("aaaabb"), list("xxyyzy")
ITEMS = ["ape", "bat", "cat", "elk", "fox", "owl"]


def drawn_levels(n_levels, n_items, seed):
    """Random labels of a few items, from coarse to fine."""
    rng = np.random.default_rng(seed)
    levels = [rng.integers(0, k, n_items) for k in np.sort(rng.integers(1, 5, n_levels))]
    return [level.code.tolist() for level in resolutions(levels).levels]


@pytest.mark.parametrize("seed", range(20))
def test_of_two_levels_the_moves_are_the_fewest(seed):
    levels = drawn_levels(2, 5, seed)
    found = resolutions(levels)
    assert found.nesting.n_moves == found.nesting.least == fewest_moves(levels) == found.steps[0].moved
    assert found.nesting.is_fewest


@pytest.mark.further
def test_of_three_levels_the_moves_are_seldom_more_than_the_fewest():
    fewest = 0
    for seed in range(30):
        levels = drawn_levels(3, 5, seed)
        nesting, least = resolutions(levels).nesting, fewest_moves(levels)
        assert nesting.least <= least <= nesting.n_moves
        fewest += least == nesting.n_moves
    assert fewest >= 26


@given(st.lists(st.lists(st.integers(0, 3), min_size=8, max_size=8), min_size=1, max_size=5))
def test_items_that_stay_are_together_in_the_tree_as_in_their_level(levels):
    found = resolutions(levels)
    tree, moved = found.nesting.tree, []
    top = int(found.n_clusters[0] > 1)  # the depth of the coarsest level
    for j, level in enumerate(found.levels):
        node = tree.item_node.copy()
        while (tree.depths[node] > j + top).any():
            node = np.where(tree.depths[node] > j + top, tree.parent[node], node)
        names = [tree.node_names[v] if tree.depths[v] == j + top else None for v in node]
        differs = np.array([name != str(level.label[code]) for name, code in zip(names, level.code, strict=True)])
        moved.append(differs)
        stayed = level.code[~differs], node[~differs]
        assert len(set(zip(*map(np.ndarray.tolist, stayed), strict=True))) == len(set(stayed[1].tolist()))
    np.testing.assert_array_equal(found.nesting.moved, np.sum(moved, axis=1))
    np.testing.assert_array_equal(found.nesting.item_moves, np.sum(moved, axis=0))


def test_nested_levels_give_the_tree_of_layers_without_a_move():
    layers = [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2], [0, 1, 2, 3, 4, 5]]
    found = resolutions(layers[::-1])
    assert found.names == ("3", "2", "1")
    assert found.nesting.n_moves == found.nesting.n_items_moved == 0
    assert found.tell().endswith("The levels are nested.")
    assert dm.measures.robinson_foulds(found.nesting.tree, dm.io.from_layers(layers)) == 0
    assert [step.merge_cost for step in found.steps] == [0.0, 0.0]
    np.testing.assert_array_equal(
        found.congruence[np.tril_indices(3, -1)][[0, 2]], [1.0, 0.0]
    )  # singletons tell nothing


def test_steps_are_split_merge_and_congruence_adjusted_wallace():
    found = resolutions({"coarse": COARSE, "fine": FINE})
    step = found.steps[0]
    assert step[:2] == ("coarse", "fine")
    assert step.similarity == dm.split_merge(COARSE, FINE)
    assert step.split_cost + step.merge_cost == pytest.approx(1.0 - step.similarity)
    assert (step.n_split, step.n_merged, step.moved) == (2, 1, 1)
    assert found.congruence[0, 1] == dm.measures.adjusted_wallace_ab(COARSE, FINE)
    assert found.congruence[1, 0] == dm.measures.adjusted_wallace_ba(COARSE, FINE)


def test_an_item_that_agrees_with_coarse_clusters_only_belongs_to_an_inner_node():
    found = resolutions([list("aaaabb"), list("ccccdd"), list("eeefff")])
    assert found.nesting.moved.tolist() == [0, 0, 1]
    assert found.nesting.tree.item_node[3] == found.nesting.tree.parent[found.nesting.tree.item_node[0]]


def test_frames_mappings_and_anndata_are_taken_by_column():
    frame = pd.DataFrame({"res_0.1": COARSE, "depth": 0.5, "res_1": pd.Categorical(FINE)}, index=ITEMS)
    names = ["res_1", "res_0.1"]
    expected = repr(resolutions([COARSE, FINE]))
    for table in (frame, SimpleNamespace(obs=frame), pl.DataFrame(frame.to_dict("list")), dict(frame)):
        found = resolutions(table, columns=names)
        assert found.names == ("res_0.1", "res_1")
        assert repr(found) == expected
    assert resolutions(frame, columns=names).items == tuple(ITEMS)
    assert resolutions(frame.to_dict("list"), columns=names, item_names=ITEMS).items == tuple(ITEMS)


def test_levels_with_an_index_are_matched_by_it():
    first, second = pd.Series(COARSE, index=ITEMS), pd.Series(FINE, index=ITEMS)
    assert repr(resolutions([first, second.iloc[::-1]])) == repr(resolutions([COARSE, FINE]))
    with pytest.raises(ItemMismatchError, match="only in the second: 'yak'"):
        resolutions([first, second.rename({"ape": "yak"})])


def test_one_level_and_one_item_have_no_step():
    assert resolutions([[0, 0, 1]]).steps == ()
    assert resolutions([["a"], ["b"]]).congruence.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert resolutions([["a"]]).tell().startswith("1 item at 1 level of 1 cluster.\nNo level can be judged")
    assert resolutions([["a"]]).tell().endswith("\nThe levels are nested.")


def test_the_frame_has_a_row_for_each_step():
    found = resolutions([COARSE, FINE, range(6)])
    assert found.to_frame()["fine"].tolist() == ["2", "3"]
    assert r"n\_merged" in found.to_markdown()
    assert "merge_cost" in found._repr_html_()
    assert "moved" in found.nesting._repr_html_()


@pytest.mark.parametrize(
    ("levels", "columns", "why"),
    [
        ([], None, "there must be at least one level; got none"),
        (3, None, "levels must be a sequence of labels, a mapping or a data frame; got 3"),
        ("abc", None, "levels must be a sequence of labels"),
        ([COARSE], ["a"], "columns are of a mapping or a data frame; got them with a sequence"),
        ({"a": COARSE}, ["b"], "columns must be among 'a'; got 'b'"),
        ({"a": COARSE}, [], "there must be at least one level"),
        ({1: COARSE, "1": FINE}, None, "column names must be distinct"),
        ([COARSE, FINE[1:]], None, r"one label for each item; got \[5, 6\] labels"),
        ({"a": [0.5, 1.0]}, None, "the 'a' partition must hold whole numbers; got 0.5 at position 0"),
    ],
)
def test_wrong_arguments_are_refused(levels, columns, why):
    with pytest.raises((InvalidInputError, ItemMismatchError), match=why):
        resolutions(levels, columns=columns)


def test_a_column_of_names_is_no_level():
    cells = [f"cell-{i}" for i in range(12)]
    frame = pd.DataFrame({"coarse": [0, 1] * 6, "fine": [0, 1, 2, 3] * 3}, index=pd.Index(cells, name="cell"))
    levels = resolutions(frame)
    assert (levels.names, levels.items) == (("coarse", "fine"), tuple(cells))
    with pytest.raises(InvalidInputError, match=r"column 'cell' must be a level; it has another text .*columns= names"):
        resolutions(frame.reset_index())
    assert resolutions(frame.reset_index(), columns=["coarse", "fine"]).names == ("coarse", "fine")
    assert resolutions({"cell": cells, "fine": frame["fine"].tolist()}).names == ("fine", "cell")
