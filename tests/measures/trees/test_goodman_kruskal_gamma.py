"""Goodman and Kruskal's gamma equals its definition; what one tree leaves open does not count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.measures import goodman_kruskal_gamma, kendall_tau_b
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_leaf_only, by_size
from tests.strategies import hierarchy_pairs, random_hierarchy

NAME = "goodman_kruskal_gamma"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_equals_its_definition_on_all_pairs_of_leaf_only_trees_of_up_to_four_items(n):
    trees = list(map(by_size, all_leaf_only(n)))
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


@given(hierarchy_pairs(max_items=7, heights=True))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


@given(st.integers(2, 7), st.integers(0, 2**32))
def test_equals_its_definition_under_inversions_and_negative_heights(n, seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)))


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs(heights=True):
        if a.n_items < 12:
            assert_defined(NAME, a, b)


def test_a_finer_order_agrees_wholly_unlike_tau():
    coarse = dm.from_newick("((a:1,b:1,c:1):1,d:2);")
    fine = dm.from_newick("(((a:1,b:1):1,c:2):1,d:3);")
    assert goodman_kruskal_gamma(coarse, fine) == 1.0
    assert kendall_tau_b(coarse, fine) == pytest.approx(9 / np.sqrt(9 * 11))


def test_no_two_pairs_in_different_order_are_refused():
    flat, other = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]]), dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="two pairs must join at different heights in both trees"):
        goodman_kruskal_gamma(flat, other)


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
