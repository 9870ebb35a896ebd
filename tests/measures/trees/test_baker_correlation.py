"""Baker's rank correlation equals its definition and SciPy's rank correlation, and depends on the order alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.stats import spearmanr

import dendrometry as dm
from tests.levels.dendextend import trees_of_arrests
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs, pairwise_values
from tests.measures.trees.shapes import all_leaf_only, by_size
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage

NAME = "baker_correlation"
POINTS = np.random.default_rng(4).normal(size=(40, 3))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_equals_its_definition_on_all_pairs_of_leaf_only_trees_of_up_to_four_items(n):
    trees = list(map(by_size, all_leaf_only(n)))
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


@given(hierarchy_pairs(max_items=8, heights=True))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


@given(st.integers(2, 8), st.integers(0, 2**32))
def test_equals_its_definition_under_inversions_and_negative_heights(n, seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)))


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs(heights=True):
        assert_defined(NAME, a, b)


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward"])
def test_equals_the_rank_correlation_of_scipy(method):
    x, y = linkage(POINTS, "average"), linkage(POINTS, method)
    truth = spearmanr(cophenet(x), cophenet(y)).statistic
    assert dm.baker_correlation(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, abs=1e-12)


def test_pairs_at_equal_heights_share_their_rank():
    a, b = trees_of_arrests()
    rounded = [dm.Hierarchy(tree.parent, np.round(tree.height, 0), tree.item_node, tree.items) for tree in (a, b)]
    x, y = (pairwise_values(tree, tree.height)[np.triu_indices(50, 1)] for tree in rounded)
    assert np.unique(x).size < np.unique(a.height).size - 20
    assert dm.baker_correlation(*rounded) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


@pytest.mark.compiled
def test_larger_dendrograms_equal_the_matrix_formula():
    rng = np.random.default_rng(5)
    a, b = (dm.from_linkage(random_linkage(300, rng)) for _ in range(2))
    x, y = (pairwise_values(tree, tree.height)[np.triu_indices(300, 1)] for tree in (a, b))
    assert dm.baker_correlation(a, b) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_only_the_order_of_the_heights_matters():
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    before = dm.baker_correlation(dm.from_linkage(x), dm.from_linkage(y))
    y[:, 2] = np.exp(100 * y[:, 2])
    assert dm.baker_correlation(dm.from_linkage(x), dm.from_linkage(y)) == before
    assert dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y)) != pytest.approx(before, abs=0.01)


def test_a_tree_correlates_with_itself_by_exactly_one():
    rng = np.random.default_rng(0)
    for _ in range(20):
        tree = dm.from_linkage(linkage(rng.normal(size=(12, 2)), "centroid"))
        assert dm.baker_correlation(tree, tree) == 1.0


def test_equal_heights_a_single_item_and_missing_heights_are_refused():
    flat, other = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]]), dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    one, bare = dm.from_labels([0]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="pairs must join at different heights"):
        dm.baker_correlation(flat, other)
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="the first tree must have heights for the stages of pairs; it has none"
    ):
        dm.baker_correlation(bare, bare)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights for the stages of pairs"):
        dm.baker_correlation(one, one)


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
