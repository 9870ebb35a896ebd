"""Adjusted hierarchical mutual information equals its definition over all relabellings."""

import pytest
from hypothesis import given, settings

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import adjusted_hierarchical_mutual_information
from dendrometry.tree_pair import information as module
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.strategies import hierarchy_pairs

NAME = "adjusted_hierarchical_mutual_information"


@settings(max_examples=25)
@given(hierarchy_pairs(max_items=5))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


def test_equals_its_definition_on_small_edge_trees():
    for a, b in edge_pairs():
        if a.n_items < 5:
            assert_defined(NAME, a, b)


def test_a_tree_with_itself_gives_exactly_one():
    tree = random_tree(100, rng=0)
    assert adjusted_hierarchical_mutual_information(tree, tree) == 1.0


def test_exchanging_larger_trees_changes_no_bit():
    a, b = random_tree(400, shape="uniform", rng=1), random_tree(400, shape="merges", rng=2)
    assert adjusted_hierarchical_mutual_information(a, b) == adjusted_hierarchical_mutual_information(b, a)


def test_two_stars_are_refused():
    star = dm.from_newick("(a,b,c);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="a relabelling must be able to change"):
        adjusted_hierarchical_mutual_information(star, star)


def test_a_mean_that_takes_too_long_is_refused_as_a_limit(monkeypatch):
    a, b = (random_tree(30, rng=seed) for seed in (1, 2))
    monkeypatch.setattr(module, "_MOST_TERMS", 3)
    with pytest.raises(dm.errors.InvalidInputError, match="at most 3 pairs of clusters of different sizes") as caught:
        adjusted_hierarchical_mutual_information(a, b)
    (line,) = dm.compare(a, b, measures=[NAME]).lines
    assert (line.value, line.reason) == (None, str(caught.value))


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
