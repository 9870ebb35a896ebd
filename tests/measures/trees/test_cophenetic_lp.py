"""The mean of order p of the differences of heights equals its definition and SciPy's matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import cophenetic_l_infinity, cophenetic_lp
from dendrometry.measures.trees import cophenetic_lp as module
from tests.measures.trees.judge import assert_defined, edge_pairs
from tests.strategies import hierarchy_pairs

NAME = "cophenetic_lp"
POINTS = np.random.default_rng(4).normal(size=(40, 3))


@given(hierarchy_pairs(max_items=9, heights=True), st.sampled_from([1, 1.5, 2, 3, 10]))
def test_equals_its_definition_on_random_pairs(pair, p):
    assert_defined(NAME, *pair, p=p)


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs(heights=True):
        if a.is_monotone and b.is_monotone:
            assert_defined(NAME, a, b)


@pytest.mark.parametrize("method", ["single", "complete", "ward"])
def test_equals_the_root_mean_square_of_scipy(method):
    x, y = linkage(POINTS, "average"), linkage(POINTS, method)
    truth = np.sqrt(np.mean((cophenet(x) - cophenet(y)) ** 2))
    assert cophenetic_lp(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, rel=1e-13)


def test_lies_between_the_mean_and_the_largest_difference():
    a, b = random_tree(50, rng=1), random_tree(50, rng=2)
    values = [cophenetic_lp(a, b, p=p) for p in (1, 2, 4, 1_000)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(dm.cophenetic_distance(a, b), rel=1e-13)
    assert values[-1] == pytest.approx(cophenetic_l_infinity(a, b), rel=0.01)


def test_deep_trees_are_refused_with_the_figure(monkeypatch):
    a, b = (random_tree(100, shape="caterpillar", rng=seed) for seed in (1, 2))
    monkeypatch.setattr(module, "_MOST_STEPS", 5_048)
    reason = "comparing the heights of pairs in two deep trees must take at most 5,048 steps; these take 5,049"
    with pytest.raises(dm.errors.InvalidInputError, match=reason) as caught:
        cophenetic_lp(a, b)
    (line,) = dm.compare(a, b, measures=[NAME]).lines
    assert (line.value, line.reason) == (None, str(caught.value))


def test_a_deep_and_a_shallow_tree_are_alike_in_either_order():
    a, b = random_tree(60, shape="caterpillar", rng=1), random_tree(60, shape="balanced", rng=2)
    assert cophenetic_lp(a, b) == pytest.approx(cophenetic_lp(b, a), rel=1e-13)
    assert_defined(NAME, a, b)


def test_the_mean_of_the_square_is_as_stated():
    a = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]])
    b = dm.from_linkage([[0, 2, 1, 2], [1, 4, 3, 3], [3, 5, 4, 4]])
    x, y = np.array([1, 2, 4, 4, 4, 4]), np.array([1, 3, 3, 4, 4, 4])
    stated = np.mean(x**2) + np.mean(y**2) - 2 * np.mean(x) * np.mean(y)
    assert dm.compare(a, b, measures=[NAME])[NAME].expected == pytest.approx(np.sqrt(stated), rel=1e-15)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_heights_of_any_scale_are_compared(scale):
    a, b = (dm.from_linkage([[0, 1, x, 2], [2, 3, 3 * scale, 3]]) for x in (scale, 2 * scale))
    assert cophenetic_lp(a, b) == pytest.approx(scale * np.sqrt(1 / 3), rel=1e-13)
    line = dm.compare(a, b, measures=[NAME])[NAME]
    assert (line.expected / scale, line.adjusted) == pytest.approx((np.sqrt(11 / 9), 8 / 11), rel=1e-13)


def test_small_differences_of_large_heights_are_exact():
    a, b = (dm.from_linkage([[0, 1, 1e9, 2], [2, 3, x, 3]]) for x in (2e9, 2e9 + 2.0**-20))
    assert cophenetic_lp(a, b) == pytest.approx(2.0**-20 * np.sqrt(2 / 3), rel=1e-13)


def test_inversions_a_single_item_and_missing_heights_are_refused():
    up, one, bare = dm.from_linkage([[0, 1, 2, 2], [2, 3, 1, 3]]), dm.from_labels([0]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="heights must not decrease towards the root"):
        cophenetic_lp(up, up)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="at least two items"):
        cophenetic_lp(one, one)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights for the heights of pairs"):
        cophenetic_lp(bare, bare)


def test_heights_too_far_apart_are_refused():
    low, high = (dm.Hierarchy([2, 2, -1], [height] * 3, [0, 1], ["x", "y"]) for height in (-1.7e308, 1.7e308))
    with pytest.raises(dm.errors.UndefinedMeasureError, match="more than a float can hold"):
        cophenetic_lp(low, high)


def test_an_expectation_beyond_the_range_of_floats_is_left_out():
    tree = dm.Hierarchy([3, 3, 4, 4, -1], [-1.7e308] * 4 + [1.7e308], [0, 1, 2], ["x", "y", "z"])
    assert dm.compare(tree, tree, measures=[NAME])[NAME].score == (0.0, None, None)


@pytest.mark.parametrize("p", [0.5, 1_001, float("nan"), float("inf"), "2"])
def test_orders_that_are_no_numbers_from_one_to_a_thousand_are_refused(p):
    tree = random_tree(5, rng=0)
    with pytest.raises(dm.errors.InvalidInputError, match="p must be a"):
        cophenetic_lp(tree, tree, p=p)
