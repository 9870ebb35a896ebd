"""The F-scores: who is a class, what is related, what is undefined."""

import pytest
from hypothesis import given

import dendrometry as dm
from tests.oracles.f_scores import default_classes
from tests.oracles.trees import plain
from tests.strategies import hierarchies, hierarchy_pairs

CHAIN = dm.from_parents([1, 2, -1], [0, 1, 2])
STAR = dm.from_parents([2, 2, -1], [0, 1, 2])


def everything_at_the_root(tree):
    return dm.Hierarchy([-1], None, [0] * tree.n_items, tree.items)


@given(hierarchies(max_items=8))
def test_the_default_classes_are_occupied_if_an_inner_node_owns_items(tree):
    truth = default_classes(plain(tree.without_unary(), tree.items))
    assert dm.compare(tree, tree).classes == truth
    other = everything_at_the_root(tree)
    assert dm.hierarchical_f(tree, other) == dm.hierarchical_f(tree, other, classes=truth)


def test_hierarchical_f_has_a_reference():
    a, b = dm.from_labels([0, 0, 1, 1]), dm.from_labels([0, 0, 0, 0])
    assert dm.hierarchical_f(a, b) == pytest.approx((4 * 1 + 2 * (2 / 3) * 2) / 8)
    assert dm.hierarchical_f(b, a) == 1.0


def test_moving_all_to_the_root_is_seen_by_each_score():
    flat = everything_at_the_root(CHAIN)
    # chain: 3 of 6 ordered pairs related, root: all 6
    assert dm.partial_order_f(CHAIN, flat) == 6 / 9
    assert dm.classic_f(CHAIN, flat) == 0.0


@given(hierarchy_pairs(max_items=8))
def test_on_leaf_only_trees_partial_order_f_is_classic_f(pair):
    a, b = pair
    leaves = [_at_leaves(tree) for tree in (a, b)]
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


def test_dendrograms_have_no_classic_or_partial_order_f():
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="every item has a node of its own"):
        dm.classic_f(tree, tree)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="no two items are related"):
        dm.partial_order_f(tree, tree)


def test_unknown_classes_are_refused():
    with pytest.raises(dm.errors.InvalidInputError, match="classes must be 'occupied', 'all' or None; got 'some'"):
        dm.hierarchical_f(CHAIN, STAR, classes="some")


def test_counts_of_billions_stay_exact():
    m = 10**9
    overlap = dm.Overlap.from_triples([1, -1], [2, 2, -1], [(0, 0, m), (1, 1, m)])
    result = dm.comparison.compare_overlap(overlap)
    # first tree: the lower m are below the upper m; second: two separate leaves of m
    related_a, related_b, both = 2 * m * (m - 1) + m * m, 2 * m * (m - 1), 2 * m * (m - 1)
    assert result["partial_order_f"].value == 2 * both / (related_a + related_b)
    assert result["classic_f"].value == 1.0
    assert result.item_disagreement is None
