"""The cophenetic correlation equals its definition, SciPy's and dendextend's numbers, at every scale."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage

import dendrometry as dm
from tests.levels.dendextend import trees_of_arrests
from tests.measures.trees.judge import pairwise_values
from tests.strategies import random_linkage
from tests.zoo import caterpillar

POINTS = np.random.default_rng(4).normal(size=(40, 3))


def test_deep_trees_that_are_nearly_equal_are_told_apart():
    n = 300
    place = np.arange(n)
    place[[1, 3]] = 3, 1
    i, j = np.triu_indices(n, 1)
    x, y = np.maximum(i, j), np.maximum(place[i], place[j])
    apart = x.size * ((x - y) ** 2).sum() / (2 * (x.size * (x * x).sum() - x.sum() ** 2))  # whole numbers
    names = [str(item) for item in place]
    value = dm.cophenetic_correlation(caterpillar(n), caterpillar(n, names))
    assert 1.0 - value == pytest.approx(apart, rel=1e-6)


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward", "centroid"])
def test_equals_scipy(method):
    x, y = linkage(POINTS, "average"), linkage(POINTS, method)
    truth = np.corrcoef(cophenet(x), cophenet(y))[0, 1]
    assert dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, abs=1e-12)


def test_equals_dendextend():
    assert dm.cophenetic_correlation(*trees_of_arrests()) == pytest.approx(0.85555112398695354, abs=1e-13)


@pytest.mark.compiled
@pytest.mark.parametrize("n", [50, 300])
def test_larger_dendrograms_equal_the_matrix_formula(n):
    rng = np.random.default_rng(5)
    a, b = (dm.from_linkage(random_linkage(n, rng)) for _ in range(2))
    x, y = (pairwise_values(tree, tree.height)[np.triu_indices(n, 1)] for tree in (a, b))
    assert dm.cophenetic_correlation(a, b) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-5, 1e300])
def test_the_unit_of_heights_does_not_matter(scale):
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    before = dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y))
    y[:, 2] *= scale
    assert dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(before, abs=1e-9)


def two_of_three(low, high):
    """Two trees of three items that join different pairs first."""
    return [
        dm.Hierarchy([3, 3, 4, 4, -1], [low] * 4 + [high], order, ["a", "b", "c"]) for order in ([0, 1, 2], [0, 2, 1])
    ]


@pytest.mark.parametrize(("low", "high"), [(-1.7e308, 1.7e308), (0.0, 5e-324)])
def test_a_span_beyond_the_floats_and_the_least_float_are_measured(low, high):
    assert dm.cophenetic_correlation(*two_of_three(low, high)) == pytest.approx(-0.5, abs=1e-15)


def test_heights_that_no_pair_uses_do_not_matter():
    a, b = (
        dm.Hierarchy([3, 3, 4, 4, -1], [low, 0, 0, 1e-10, 2e-10], order, ["a", "b", "c"])
        for low, order in ((-1e300, [0, 1, 2]), (0, [0, 2, 1]))
    )
    assert dm.cophenetic_correlation(a, b) == pytest.approx(-0.5, abs=1e-15)


def test_a_tree_correlates_with_itself_by_exactly_one():
    rng = np.random.default_rng(0)
    for _ in range(50):
        tree = dm.from_linkage(linkage(rng.normal(size=(12, 2)), "centroid"))
        assert dm.cophenetic_correlation(tree, tree) == 1.0


def test_equal_heights_have_no_correlation():
    flat = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]])
    other = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="pairs must join at different heights"):
        dm.cophenetic_correlation(flat, other)


def test_a_single_item_and_missing_heights_are_refused():
    one, bare = dm.from_labels([0]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="got a single item"):
        dm.cophenetic_correlation(one, one)
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="tree must have heights for the heights of pairs; it has none"
    ):
        dm.cophenetic_correlation(bare, bare)


def test_under_an_inversion_the_height_of_the_common_node_counts():
    inverted = dm.Hierarchy([4, 4, 5, 6, 5, 6, -1], [0, 0, 0, 0, 2.0, 1.0, 3.0], [0, 1, 2, 3], ("a", "b", "c", "d"))
    plain = dm.Hierarchy([4, 4, 5, 6, 5, 6, -1], [0, 0, 0, 0, 1.0, 2.0, 3.0], [0, 1, 2, 3], ("a", "b", "c", "d"))
    own = np.corrcoef([2, 1, 1, 3, 3, 3], [1, 2, 2, 3, 3, 3])[0, 1]
    assert dm.cophenetic_correlation(inverted, plain) == pytest.approx(own, rel=1e-14)
    assert dm.measures.baker_correlation(inverted, plain) > own
