"""Normalised hierarchical mutual information equals its definition."""

import pytest

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import normalized_hierarchical_mutual_information


def test_a_tree_with_itself_gives_exactly_one():
    tree = random_tree(100, rng=0)
    assert normalized_hierarchical_mutual_information(tree, tree) == 1.0


def test_one_leaf_with_all_items_is_refused():
    one = dm.from_labels([0, 0, 0])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="both trees must divide the items"):
        normalized_hierarchical_mutual_information(one, one)
