"""The partial order F-score equals its definition over ordered pairs; on flat trees it is the classic one."""

import pytest
from hypothesis import given

import dendrometry as dm
from tests.strategies import hierarchy_pairs

CHAIN = dm.from_parents([1, 2, -1], [0, 1, 2])
STAR = dm.from_parents([2, 2, -1], [0, 1, 2])


def test_three_items_by_hand():
    # chain: 3 ordered pairs; star: 2, of which both are in the chain; root alone: all 6
    assert dm.partial_order_f(CHAIN, STAR) == 2 * 2 / (3 + 2)
    assert dm.partial_order_f(CHAIN, dm.Hierarchy([-1], None, [0] * 3, CHAIN.items)) == 6 / 9


@given(hierarchy_pairs(max_items=8))
def test_on_leaf_only_trees_it_is_classic_f(pair):
    leaves = [_at_leaves(tree) for tree in pair]
    try:
        classic = dm.classic_f(*leaves)
    except dm.errors.UndefinedMeasureError:
        with pytest.raises(dm.errors.UndefinedMeasureError, match="no two items are related"):
            dm.partial_order_f(*leaves)
    else:
        assert dm.partial_order_f(*leaves) == classic


def _at_leaves(tree):
    """The same groups as a flat tree."""
    return dm.from_labels(tree.item_node.tolist(), tree.items)


def test_counts_of_billions_stay_exact():
    m = 10**9
    overlap = dm.Overlap.from_triples([1, -1], [2, 2, -1], [(0, 0, m), (1, 1, m)])
    result = dm.comparison.compare_overlap(overlap)
    # first tree: the lower m are below the upper m; second: two separate leaves of m
    related_a, related_b, both = 2 * m * (m - 1) + m * m, 2 * m * (m - 1), 2 * m * (m - 1)
    assert result["partial_order_f"].value == 2 * both / (related_a + related_b)
    assert result.item_disagreement is None


def test_dendrograms_are_refused():
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="no two items are related"):
        dm.partial_order_f(tree, tree)
