import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry.errors import InvalidInputError
from dendrometry.plot._layout.branches import branches, node_levels
from tests.oracles.plot import branches as oracle
from tests.strategies import hierarchies
from tests.zoo import ZOO, caterpillar, unary_chain


@given(hierarchies(), st.integers(0, 9))
def test_places_are_those_of_the_definition(tree, seed):
    key = np.random.default_rng(seed).permutation(tree.n_nodes) if seed else None
    where = branches(tree, key=key)
    parent, own = tree.parent.tolist(), tree.own_sizes.tolist()
    slot = oracle.slots(parent, own, None if key is None else key.tolist())
    assert where.slot_node.tolist() == slot
    assert where.position.tolist() == [oracle.position(v, parent, slot) for v in range(tree.n_nodes)]
    assert node_levels(tree, "level").tolist() == [oracle.level(v, parent) for v in range(tree.n_nodes)]


@given(hierarchies(max_items=12))
def test_slots_are_distinct_and_even_and_subtrees_are_runs_of_slots(tree):
    where = branches(tree, key=np.random.default_rng(1).random(tree.n_nodes))
    assert sorted(where.slot[where.slot >= 0].tolist()) == list(range(where.slot_node.size))
    for v in range(tree.n_nodes):
        below = tree.order.node[tree.order.low[v] : tree.order.high[v]]
        held = np.sort(where.slot[below][where.slot[below] >= 0])
        assert held.tolist() == list(range(held[0], held[-1] + 1))
        assert held[0] <= where.position[v] <= held[-1]


@given(hierarchies(max_items=12))
def test_bars_of_nodes_at_one_level_do_not_cross(tree):
    where = branches(tree, by="depth")
    for level in np.unique(where.level):
        at = np.flatnonzero((where.level == level) & (tree.n_children > 0))
        at = at[np.argsort(where.low[at])]
        assert (where.high[at][:-1] < where.low[at][1:]).all()


def test_parents_lie_in_the_middle_over_their_children():
    where = branches(ZOO["caterpillar"])
    assert where.slot_node.tolist() == [5, 4, 3, 2, 0, 1]
    assert where.position[6:].tolist() == [4.5, 3.75, 2.875, 1.9375, 0.96875]


def test_stems_bars_and_guides_are_segments():
    tree = ZOO["items at inner nodes"]
    where = branches(tree)
    closed = np.zeros(tree.n_nodes, dtype=bool)
    assert where.slot_node.tolist() == [4, 2, 0, 1, 3]
    assert where.level.tolist() == [0, 0, 1, 0, 2]
    assert where.stems(tree.parent)[2].tolist() == [[2.0, 1.0], [2.0, 2.0]]
    assert where.bars()[2].tolist() == [[1.0, 1.0], [3.0, 1.0]]
    assert where.guides(closed).tolist() == [[[0, 2], [0, 0]], [[1, 1], [1, 0]]]
    closed[2] = True
    assert where.guides(closed).tolist() == [[[0, 2], [0, 0]]]


def test_inversions_are_told():
    tree = ZOO["inversion"]
    assert branches(tree).inverted(tree.parent).tolist() == [False, False, False, True]
    assert not branches(tree, by="level").inverted(tree.parent).any()


def test_levels_are_heights_edges_from_the_root_or_edges_to_the_farthest_leaf():
    tree = ZOO["caterpillar"]
    assert node_levels(tree, "auto").tolist() == tree.height.tolist()
    assert node_levels(tree, "height").tolist() == tree.height.tolist()
    assert node_levels(tree, "depth").tolist() == (-tree.depths).tolist()
    assert node_levels(ZOO["star"], "auto").tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("by", ["up", None])
def test_other_levels_are_refused(by):
    with pytest.raises(InvalidInputError, match="by must be 'auto', 'height', 'depth' or 'level'; got"):
        branches(ZOO["star"], by=by)


def test_heights_that_are_not_there_are_refused():
    with pytest.raises(InvalidInputError, match=r"it has none \(by='level' draws it without"):
        branches(ZOO["star"], by="height")


@pytest.mark.compiled
@pytest.mark.parametrize("make", [caterpillar, unary_chain])
def test_the_deepest_trees_are_laid_out(make):
    tree = make(100_000)
    where = branches(tree, by="level", key=-np.arange(tree.n_nodes))
    assert where.level[-1] == (tree.n_nodes - 1) / (2 if tree.n_items > 1 else 1)
    assert np.isfinite(where.position).all()
