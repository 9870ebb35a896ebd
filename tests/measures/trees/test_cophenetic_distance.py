"""The cophenetic distance equals its mean over all pairs, SciPy's own numbers, and is undefined where it must be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, edge_pairs, or_none, pairwise_values
from tests.strategies import random_hierarchy, random_linkage

NAME = "cophenetic_distance"
POINTS = np.random.default_rng(4).normal(size=(40, 3))


def assert_defined_or_inverted(a, b):
    """Compare with the definition, or see that heights that fall towards the root are refused."""
    if a.n_items == 1 or all(tree.without_unary().is_monotone for tree in (a, b)):
        assert_defined(NAME, a, b)
    else:
        assert or_none(dm.cophenetic_distance, a, b) is None


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_inversions_are_refused_and_negative_heights_are_not(n, seed):
    rng = np.random.default_rng(seed)
    assert_defined_or_inverted(*(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)))


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs(heights=True):
        assert_defined_or_inverted(a, b)


def test_equals_scipy():
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    truth = np.abs(cophenet(x) - cophenet(y)).mean()
    assert dm.cophenetic_distance(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, rel=1e-13)


@pytest.mark.compiled
@pytest.mark.parametrize("n", [50, 300])
def test_larger_dendrograms_equal_the_matrix_formula(n):
    rng = np.random.default_rng(5)
    a, b = (dm.from_linkage(random_linkage(n, rng)) for _ in range(2))
    x, y = (pairwise_values(tree, tree.height) for tree in (a, b))
    assert dm.cophenetic_distance(a, b) == pytest.approx(np.abs(x - y)[np.triu_indices(n, 1)].mean(), rel=1e-12)


def test_huge_heights_do_not_overflow():
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    before = dm.compare(dm.from_linkage(x), dm.from_linkage(y))["cophenetic_distance"]
    x[:, 2] *= 2.0**1000
    y[:, 2] *= 2.0**1000
    after = dm.compare(dm.from_linkage(x), dm.from_linkage(y))["cophenetic_distance"]
    assert after.value == before.value * 2.0**1000
    assert after.adjusted == pytest.approx(before.adjusted, abs=1e-15)


def far_apart(order, low, high):
    return dm.Hierarchy([3, 3, 4, 4, -1], [low] * 4 + [high], order, ["a", "b", "c"])


def test_a_span_beyond_the_floats_is_measured_where_the_result_is_not():
    a, b = (far_apart(order, -1.7e308, 1.7e308) for order in ([0, 1, 2], [0, 2, 1]))
    line = dm.compare(a, a)["cophenetic_distance"]
    assert (line.value, line.adjusted) == (0.0, 1.0)
    for measure in (dm.cophenetic_distance, lambda x, y: dm.item_disagreement(x, y, clock="height")):
        with pytest.raises(dm.errors.UndefinedMeasureError, match="more than a float can hold"):
            measure(a, b)
    a, b = (far_apart(order, -1.2e308, 1.2e308) for order in ([0, 1, 2], [0, 2, 1]))
    assert dm.cophenetic_distance(a, b) == pytest.approx(1.6e308, rel=1e-15)


def test_the_least_float_is_a_height_like_any_other():
    a = far_apart([0, 1, 2], 0.0, 5e-324)
    assert dm.cophenetic_distance(a, a) == 0.0


def test_a_single_item_and_missing_heights_are_refused():
    one, bare = dm.from_labels([0]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="got a single item"):
        dm.cophenetic_distance(one, one)
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="tree must have heights for the heights of pairs; it has none"
    ):
        dm.cophenetic_distance(bare, bare)
