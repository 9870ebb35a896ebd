"""mutual_clustering_information equals its definition."""

import pytest
from hypothesis import given

from dendrometry.generate import random_tree
from dendrometry.measures import mutual_clustering_information
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.strategies import hierarchy_pairs

NAME = "mutual_clustering_information"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


@given(pair=hierarchy_pairs(max_items=7))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


def test_equals_its_definition_on_the_small_edge_trees():
    for a, b in edge_pairs():
        if a.n_items <= 7:
            assert_defined(NAME, a, b)


@given(pair=hierarchy_pairs(max_items=12))
def test_swapping_the_trees_changes_no_bit(pair):
    a, b = pair
    assert mutual_clustering_information(a, b) == mutual_clustering_information(b, a)


@pytest.mark.parametrize("seed", range(0, 200, 2))
def test_swapping_binary_trees_changes_no_bit(seed):
    a, b = (random_tree(4 + seed % 30, rng=each) for each in (seed, seed + 1))
    assert mutual_clustering_information(a, b) == mutual_clustering_information(b, a)


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
