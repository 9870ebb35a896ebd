"""Normalised hierarchical mutual information equals its definition."""

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import normalized_hierarchical_mutual_information
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.strategies import hierarchy_pairs

NAME = "normalized_hierarchical_mutual_information"


@given(hierarchy_pairs(max_items=9))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs():
        assert_defined(NAME, a, b)


def test_a_tree_with_itself_gives_exactly_one():
    tree = random_tree(100, rng=0)
    assert normalized_hierarchical_mutual_information(tree, tree) == 1.0


def test_one_leaf_with_all_items_is_refused():
    one = dm.from_labels([0, 0, 0])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="both trees must divide the items"):
        normalized_hierarchical_mutual_information(one, one)


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
