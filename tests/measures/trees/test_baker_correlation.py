"""Baker's rank correlation equals its definition and SciPy's rank correlation, and depends on the order alone."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.stats import spearmanr

import dendrometry as dm
from tests.levels.dendextend import trees_of_arrests
from tests.measures.trees.judge import pairwise_values
from tests.strategies import random_linkage

POINTS = np.random.default_rng(4).normal(size=(40, 3))


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
