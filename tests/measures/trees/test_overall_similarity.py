"""The overall similarity S of Morlini and Zani equals its sum over all partitions, and is 1 - Z."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree
from sklearn.metrics.cluster import pair_confusion_matrix

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, edge_pairs, or_none
from tests.measures.trees.shapes import all_leaf_only, by_size
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage

NAME = "overall_similarity"
TIES = pytest.mark.parametrize("ties", ["order", "together"])


@TIES
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_equals_its_definition_on_all_pairs_of_leaf_only_trees_of_up_to_four_items(ties, n):
    trees = list(map(by_size, all_leaf_only(n)))
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b, ties=ties)


@TIES
@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_equals_its_definition_on_random_pairs(ties, pair):
    assert_defined(NAME, *pair, ties=ties)


@TIES
@given(n=st.integers(2, 9), seed=st.integers(0, 2**32))
def test_equals_its_definition_under_inversions_and_negative_heights(ties, n, seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)), ties=ties)


@TIES
def test_equals_its_definition_on_the_edge_trees(ties):
    for a, b in edge_pairs(heights=True):
        assert_defined(NAME, a, b, ties=ties)


@pytest.mark.parametrize("n", [3, 12, 40])
def test_equals_the_pair_counts_of_scikit_learn_over_the_cuts_of_scipy(n):
    rng = np.random.default_rng(n)
    rows = [random_linkage(n, rng) for _ in range(2)]
    cuts = [cut_tree(z, n_clusters=np.arange(2, n)) for z in rows]
    both, only_a, only_b = 0, 0, 0
    for i in range(n - 2):
        counts = pair_confusion_matrix(cuts[0][:, i], cuts[1][:, i])
        both, only_a, only_b = both + counts[1, 1], only_a + counts[1, 0], only_b + counts[0, 1]
    total = 2 * both + only_a + only_b
    value = dm.overall_similarity(*map(dm.from_linkage, rows))
    assert value == pytest.approx(2 * both / total, abs=1e-15)


def test_four_items_by_hand():
    # at 3 groups ape and cat in both; at 2 groups 3 pairs and 2 pairs, with ape and cat in both
    a = dm.from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    b = dm.from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    assert dm.overall_similarity(a, b) == 2 * (1 + 1) / (1 + 1 + 3 + 2)


@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_it_is_one_minus_the_overall_distance(pair):
    if (value := or_none(dm.overall_similarity, *pair)) is not None:
        assert value == pytest.approx(1 - dm.overall_distance(*pair), abs=1e-15)


def test_two_items_unknown_ties_and_missing_heights_are_refused():
    two, bare = dm.from_linkage([[0, 1, 1, 2]]), dm.from_newick("((a,b),c);")
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="at least 3 items, since stages have 2 to n - 1 groups; got 2"
    ):
        dm.overall_similarity(two, two)
    with pytest.raises(dm.errors.InvalidInputError, match="ties must be 'together' or 'order'; got 'last'"):
        dm.overall_similarity(two, two, ties="last")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="tree must have heights for stages; it has none"):
        dm.overall_similarity(bare, bare)


def test_trees_without_a_pair_together_before_the_root_are_refused():
    star = dm.from_labels(["a", "b", "c"])
    star = dm.Hierarchy(star.parent, [0, 0, 0, 1], star.item_node, star.items)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="some pair of items must be together at some stage"):
        dm.overall_similarity(star, star)
