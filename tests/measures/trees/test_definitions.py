"""Every measure of trees equals its definition and refuses what is not two trees over the same items.

What a measure is with its options, or for heights that it refuses, is in its own file.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_hierarchies, all_leaf_only, by_size
from tests.strategies import hierarchy_pairs, random_hierarchy

# How many items a definition takes that tries every matching, pair of pairs or relabelling; others take 9.
MOST = {
    "matching_cluster": 7,
    "mutual_clustering_information": 7,
    "clustering_information_distance": 7,
    "shared_phylogenetic_information": 7,
    "matching_split_information": 7,
    "kendall_tau_b": 7,
    "goodman_kruskal_gamma": 7,
    "baker_correlation": 8,
    "adjusted_hierarchical_mutual_information": 4,
}
# Heights that fall towards the root are refused, which the files of these measures prove.
MONOTONE = (
    "cophenetic_distance",
    "cophenetic_l_infinity",
    "cophenetic_lp",
    "weighted_robinson_foulds",
    "branch_score",
)
WITH_HEIGHTS = [name for name in dm.measures.TREE_MEASURES if dm.MEASURES[name].needs_heights]
WITHOUT = [name for name in dm.measures.TREE_MEASURES if not dm.MEASURES[name].needs_heights]


def assert_all_defined(name, trees):
    """Compare a measure of all pairs of trees with its definition."""
    for a in trees:
        for b in trees:
            assert_defined(name, a, b)


@pytest.mark.parametrize("name", WITHOUT)
@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.further)])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(name, n):
    assert_all_defined(name, all_hierarchies(n))


@pytest.mark.parametrize("name", WITH_HEIGHTS)
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.further)])
def test_equals_its_definition_on_all_pairs_of_leaf_only_trees_of_up_to_four_items(name, n):
    assert_all_defined(name, list(map(by_size, all_leaf_only(n))))


@pytest.mark.parametrize("name", dm.measures.TREE_MEASURES)
@given(data=st.data())
def test_equals_its_definition_on_random_pairs(name, data):
    heights = dm.MEASURES[name].needs_heights
    assert_defined(name, *data.draw(hierarchy_pairs(max_items=MOST.get(name, 9), heights=heights)))


@pytest.mark.parametrize("name", [name for name in WITH_HEIGHTS if name not in MONOTONE])
@given(data=st.data())
def test_equals_its_definition_under_inversions_and_negative_heights(name, data):
    n, seed = data.draw(st.integers(2, MOST.get(name, 9))), data.draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    assert_defined(name, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)))


@pytest.mark.parametrize("name", [name for name in dm.measures.TREE_MEASURES if name not in MONOTONE])
def test_equals_its_definition_on_the_edge_trees(name):
    for a, b in edge_pairs(heights=dm.MEASURES[name].needs_heights):
        if a.n_items <= MOST.get(name, a.n_items):
            assert_defined(name, a, b)


@pytest.mark.parametrize("name", dm.measures.TREE_MEASURES)
def test_refuses_what_is_not_two_trees_over_the_same_items(name):
    assert_refuses_bad_trees(name)
