"""The Hierarchy Agreement Index equals its double sum over the items, and SciPy's matrices."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, pairwise_values
from tests.measures.trees.shapes import all_hierarchies
from tests.strategies import random_hierarchy, random_linkage

NAME = "hierarchy_agreement"


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_inversions_and_negative_heights_do_not_matter(n, seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)))


def test_four_items_by_hand():
    # ape or cat with elk: 3 against 4; elk with owl: 4 against 2; in both directions, over 4**3
    a, b = dm.from_newick("(((ape,cat),elk),owl);"), dm.from_newick("((ape,cat),(elk,owl));")
    assert dm.hierarchy_agreement(a, b) == 1 - 2 * (1 + 1 + 2) / 64


def by_the_letter(a, b):
    """Equation 2 of Johnson et al. with i = j: an item at an inner node is as far from itself as that node is large."""

    def distance(tree, i, j):
        above = [set(), set()]
        for seen, item in zip(above, (i, j), strict=True):
            v = int(tree.item_node[tree.items.index(item)])
            while v >= 0:
                seen.add(v)
                v = int(tree.parent[v])
        v = min(above[0] & above[1])
        return Fraction(int(tree.sizes[v]), tree.n_items) if tree.n_children[v] else Fraction(0)

    pairs = [(i, j) for i in a.items for j in a.items]
    return 1 - sum(abs(distance(a, i, j) - distance(b, i, j)) for i, j in pairs) / len(pairs)


def in_leaves(tree):
    """Whether all items are in leaves."""
    return not tree.n_children[tree.item_node].any()


def test_an_item_at_an_inner_node_is_at_no_distance_from_itself_unlike_by_the_letter_of_equation_2():
    """Three leaves; beside them one leaf and an inner node with an item of its own above another leaf."""
    star, inner = dm.from_labels([0, 1, 2]), dm.from_parents([1, 3, 3, -1], [2, 1, 0])
    assert by_the_letter(star, inner) == Fraction(23, 27)  # 0.852
    assert dm.hierarchy_agreement(star, inner) == pytest.approx(25 / 27)  # 0.926
    for a in all_hierarchies(3):
        for b in all_hierarchies(3):
            if in_leaves(a) and in_leaves(b):
                assert dm.hierarchy_agreement(a, b) == pytest.approx(float(by_the_letter(a, b)), abs=1e-15)


def test_with_items_at_inner_nodes_1_does_not_mean_the_same_tree():
    """All pairs meet at the root, in both: the paper says 1 only for trees that hold the same information."""
    star, at_root = dm.from_labels([0, 1, 2]), dm.from_parents([1, -1], [1, 1, 0])
    assert dm.hierarchy_agreement(star, at_root) == 1.0
    assert by_the_letter(star, at_root) == Fraction(7, 9)
    trees = [tree for tree in all_hierarchies(3) if in_leaves(tree)]
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert (dm.hierarchy_agreement(a, b) == 1.0) == (i == j)


@pytest.mark.further
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_least_value_is_1_over_n_and_not_0(n):
    """Reached by one cluster against single items: all pairs of different items have distance 0 and 1."""
    trees = all_hierarchies(n)
    assert min(dm.hierarchy_agreement(a, b) for a in trees for b in trees) == pytest.approx(1 / n)
    assert dm.hierarchy_agreement(dm.from_labels([0] * 10), dm.from_labels(list(range(10)))) == pytest.approx(1 / 10)


@pytest.mark.parametrize("n", [2, 3])
def test_by_the_letter_the_least_value_is_1_over_n_squared_and_with_items_in_leaves_1_over_n(n):
    """One leaf, against all items but one in a root above the last: only that item is as far from itself in both."""
    every = all_hierarchies(n)
    leaves = [tree for tree in every if in_leaves(tree)]
    assert min(by_the_letter(a, b) for a in every for b in every) == Fraction(1, n * n)
    assert min(by_the_letter(a, b) for a in leaves for b in leaves) == Fraction(1, n)
    assert by_the_letter(dm.from_labels([0] * n), dm.from_parents([1, -1], [1] * (n - 1) + [0])) == Fraction(1, n * n)


@pytest.mark.compiled
@pytest.mark.parametrize("n", [50, 300])
def test_larger_dendrograms_equal_the_matrix_formula(n):
    rng = np.random.default_rng(5)
    a, b = (dm.from_linkage(random_linkage(n, rng)) for _ in range(2))
    x, y = (pairwise_values(tree, tree.sizes) for tree in (a, b))
    assert dm.hierarchy_agreement(a, b) == pytest.approx(1 - np.abs(x - y).sum() / n**3, abs=1e-13)


def test_equals_scipy_given_sizes_for_heights():
    rng = np.random.default_rng(6)
    n, rows = 40, [random_linkage(40, rng) for _ in range(2)]
    value = dm.hierarchy_agreement(*map(dm.from_linkage, rows))
    x, y = (cophenet(np.column_stack((z[:, :2], z[:, 3], z[:, 3]))) for z in rows)
    assert value == pytest.approx(1 - 2 * np.abs(x - y).sum() / n**3, abs=1e-13)
