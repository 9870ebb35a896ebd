"""The hierarchical F-score equals its definition: which nodes are classes, and what is best for each."""

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.oracles.measures.trees.hierarchical_f import default_classes
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchies, hierarchy_pairs

NAME = "hierarchical_f"
CLASSES = pytest.mark.parametrize("classes", [None, "occupied", "all"])


@CLASSES
@pytest.mark.parametrize("n", [1, 2, 3])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(classes, n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b, classes=classes)


@CLASSES
@given(pair=hierarchy_pairs(max_items=9))
def test_equals_its_definition_on_random_pairs(classes, pair):
    assert_defined(NAME, *pair, classes=classes)


@CLASSES
def test_equals_its_definition_on_the_edge_trees(classes):
    for a, b in edge_pairs():
        assert_defined(NAME, a, b, classes=classes)


@given(hierarchies(max_items=8))
def test_the_default_classes_are_occupied_if_an_inner_node_owns_items(tree):
    truth = default_classes(plain(tree.without_unary(), tree.items))
    which = {"occupied": "nodes that own items", "all": "all nodes"}[truth]
    assert dm.compare(tree, tree, measures=[NAME]).variants == {NAME: {"classes": f"{which} of the first tree"}}
    other = dm.Hierarchy([-1], None, [0] * tree.n_items, tree.items)
    assert dm.hierarchical_f(tree, other) == dm.hierarchical_f(tree, other, classes=truth)


def test_the_first_tree_is_the_reference():
    a, b = dm.from_labels([0, 0, 1, 1]), dm.from_labels([0, 0, 0, 0])
    assert dm.hierarchical_f(a, b) == pytest.approx((4 * 1 + 2 * (2 / 3) * 2) / 8)
    assert dm.hierarchical_f(b, a) == 1.0


def test_a_point_weighs_more_the_deeper_it_lies():
    """One item leaves its path for a cluster of its own below the root: each class of m items above it loses F by m.

    A class that keeps m - 1 of m items has F = 2 (m - 1) / (2 m - 1), and weighs m. The classic F-score, with as many
    items at each depth, loses the same wherever the item was.
    """
    sizes = [4, 4, 4, 4]  # items at the root, its child, its grandchild, and the child of that
    place = np.repeat([3, 2, 1, 0], sizes)
    truth = dm.io.from_parents([1, 2, 3, -1], place)
    held = np.cumsum(sizes[::-1])[::-1]
    loss, classic = [], []
    for depth in (1, 2, 3):
        moved = place + 1
        moved[4 * depth] = 0  # a new node
        found = dm.io.from_parents([4, 2, 3, 4, -1], moved)
        loss.append(1 - dm.hierarchical_f(truth, found))
        classic.append(1 - dm.classic_f(truth, found))
        assert loss[-1] == pytest.approx(sum(m / (2 * m - 1) for m in held[1 : depth + 1]) / held.sum())
    assert loss[2] > 2.9 * loss[0]
    assert loss[1] > 1.9 * loss[0]
    assert classic == [classic[0]] * 3


def test_it_cannot_reach_0_as_the_classic_and_the_partial_order_score_do():
    """Every class meets the root, which holds all items: F of a class of m items is at least 2 m / (n + m)."""
    together, apart = dm.from_labels([0, 0, 0, 0]), dm.from_labels([0, 1, 2, 3])
    assert dm.classic_f(together, apart) == dm.partial_order_f(together, apart) == 0.0
    for n in (1, 2, 3):
        for truth in all_hierarchies(n):
            m = truth.sizes[truth.own_sizes > 0]
            least = (m * 2 * m / (n + m)).sum() / m.sum()
            for found in all_hierarchies(n):
                assert dm.hierarchical_f(truth, found, classes="occupied") >= least - 1e-12 > 0.0


def test_unknown_classes_are_refused():
    chain, star = dm.from_parents([1, 2, -1], [0, 1, 2]), dm.from_parents([2, 2, -1], [0, 1, 2])
    with pytest.raises(dm.errors.InvalidInputError, match="classes must be 'occupied', 'all' or None; got 'some'"):
        dm.hierarchical_f(chain, star, classes="some")
