"""What is true of mutual_clustering_information alone; test_definitions.py compares it with its definition."""

import pytest
from hypothesis import given

from dendrometry.generate import random_tree
from dendrometry.measures import mutual_clustering_information
from tests.strategies import hierarchy_pairs


@given(pair=hierarchy_pairs(max_items=12))
def test_swapping_the_trees_changes_no_bit(pair):
    a, b = pair
    assert mutual_clustering_information(a, b) == mutual_clustering_information(b, a)


@pytest.mark.parametrize("seed", range(0, 200, 2))
def test_swapping_binary_trees_changes_no_bit(seed):
    a, b = (random_tree(4 + seed % 30, rng=each) for each in (seed, seed + 1))
    assert mutual_clustering_information(a, b) == mutual_clustering_information(b, a)
