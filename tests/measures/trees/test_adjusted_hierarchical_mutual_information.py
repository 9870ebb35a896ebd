"""Adjusted hierarchical mutual information equals its definition over all relabellings."""

import pytest

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import adjusted_hierarchical_mutual_information
from dendrometry.tree_pair import information as module

NAME = "adjusted_hierarchical_mutual_information"


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
    with pytest.raises(dm.errors.InvalidInputError, match="at most 3 pairs of sizes of clusters") as caught:
        adjusted_hierarchical_mutual_information(a, b)
    (line,) = dm.compare(a, b, measures=[NAME]).lines
    assert (line.value, line.reason) == (None, str(caught.value))
