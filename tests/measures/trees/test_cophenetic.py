"""Cophenetic distance and correlation: SciPy's own numbers, scales, and what is undefined."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage

import dendrometry as dm

POINTS = np.random.default_rng(4).normal(size=(40, 3))


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward", "centroid"])
def test_correlation_equals_scipy(method):
    x, y = linkage(POINTS, "average"), linkage(POINTS, method)
    truth = np.corrcoef(cophenet(x), cophenet(y))[0, 1]
    assert dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, abs=1e-12)


def test_distance_equals_scipy():
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    truth = np.abs(cophenet(x) - cophenet(y)).mean()
    assert dm.cophenetic_distance(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, rel=1e-13)


@pytest.mark.parametrize("scale", [1e-300, 1e-5, 1e300])
def test_the_unit_of_heights_does_not_change_the_correlation(scale):
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    before = dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y))
    y[:, 2] *= scale
    assert dm.cophenetic_correlation(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(before, abs=1e-9)


def test_huge_heights_do_not_overflow():
    x, y = linkage(POINTS, "average"), linkage(POINTS, "complete")
    before = dm.compare(dm.from_linkage(x), dm.from_linkage(y))["cophenetic_distance"]
    x[:, 2] *= 2.0**1000
    y[:, 2] *= 2.0**1000
    after = dm.compare(dm.from_linkage(x), dm.from_linkage(y))["cophenetic_distance"]
    assert after.value == before.value * 2.0**1000
    assert after.adjusted == pytest.approx(before.adjusted, abs=1e-15)


def test_equal_heights_have_no_correlation():
    flat = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]])
    other = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="pairs must join at different heights"):
        dm.cophenetic_correlation(flat, other)


def test_a_single_item_and_missing_heights_are_refused():
    one, bare = dm.from_labels([0]), dm.from_newick("(a,b);")
    for measure in (dm.cophenetic_distance, dm.cophenetic_correlation):
        with pytest.raises(dm.errors.UndefinedMeasureError, match="got a single item"):
            measure(one, one)
        with pytest.raises(
            dm.errors.UndefinedMeasureError, match="must have heights for the height of a pair; got a tree without"
        ):
            measure(bare, bare)


def far_apart(order, low=-1.7e308, high=1.7e308):
    return dm.Hierarchy([3, 3, 4, 4, -1], [low] * 4 + [high], order, ["a", "b", "c"])


def test_a_span_beyond_the_floats_is_measured_where_the_result_is_not():
    a, b = far_apart([0, 1, 2]), far_apart([0, 2, 1])
    assert dm.cophenetic_correlation(a, b) == pytest.approx(-0.5, abs=1e-15)
    line = dm.compare(a, a)["cophenetic_distance"]
    assert (line.value, line.adjusted) == (0.0, 1.0)
    for measure in (dm.cophenetic_distance, lambda x, y: dm.item_disagreement(x, y, clock="height")):
        with pytest.raises(dm.errors.UndefinedMeasureError, match="more than a float can hold"):
            measure(a, b)
    a, b = (far_apart(order, low=-1.2e308, high=1.2e308) for order in ([0, 1, 2], [0, 2, 1]))
    assert dm.cophenetic_distance(a, b) == pytest.approx(1.6e308, rel=1e-15)


def test_the_least_float_is_a_height_like_any_other():
    a, b = far_apart([0, 1, 2], 0.0, 5e-324), far_apart([0, 2, 1], 0.0, 5e-324)
    assert dm.cophenetic_correlation(a, b) == pytest.approx(-0.5, abs=1e-15)
    assert dm.cophenetic_distance(a, a) == 0.0


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
