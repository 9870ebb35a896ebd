"""The largest difference of heights equals its definition and SciPy's matrices."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import pdist

import dendrometry as dm
from dendrometry.measures import cophenetic_l_infinity

POINTS = np.random.default_rng(4).normal(size=(40, 3))


@pytest.mark.parametrize("method", ["single", "complete", "ward"])
def test_equals_the_largest_difference_of_scipy(method):
    x, y = linkage(POINTS, "average"), linkage(POINTS, method)
    truth = np.abs(cophenet(x) - cophenet(y)).max()
    assert cophenetic_l_infinity(dm.from_linkage(x), dm.from_linkage(y)) == truth


def test_single_linkage_moves_no_more_than_the_distances():
    noisy = POINTS + np.random.default_rng(5).normal(scale=0.1, size=POINTS.shape)
    a, b = (dm.from_linkage(linkage(points, "single")) for points in (POINTS, noisy))
    assert cophenetic_l_infinity(a, b) <= np.abs(pdist(POINTS) - pdist(noisy)).max()


def test_inversions_a_single_item_and_missing_heights_are_refused():
    up, one, bare = dm.from_linkage([[0, 1, 2, 2], [2, 3, 1, 3]]), dm.from_labels([0]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="heights must not decrease towards the root"):
        cophenetic_l_infinity(up, up)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="at least two items"):
        cophenetic_l_infinity(one, one)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights for the heights of pairs"):
        cophenetic_l_infinity(bare, bare)


def test_heights_too_far_apart_are_refused():
    low, high = (dm.Hierarchy([2, 2, -1], [height] * 3, [0, 1], ["x", "y"]) for height in (-1.7e308, 1.7e308))
    with pytest.raises(dm.errors.UndefinedMeasureError, match="more than a float can hold"):
        cophenetic_l_infinity(low, high)
