"""Trees are those of the ratios of the data, however large or small its numbers, and wherever its origin lies."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import pdist

from dendrometry import agglomerate, agglomerate_distances, to_linkage
from dendrometry.errors import InvalidInputError

POINTS = np.array([[1, 2], [2, 1.1], [0.1, 3], [5, 5]])
LINKAGES = ("single", "complete", "average", "weighted", "centroid", "group_average")


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("exponent", [-900, 900])
def test_sparse_cosines_do_not_depend_on_the_scale(linkage, exponent):
    plain = agglomerate(sparse.csr_matrix(POINTS), linkage=linkage, metric="cosine")
    scaled = agglomerate(sparse.csr_matrix(np.ldexp(POINTS, exponent)), linkage=linkage, metric="cosine")
    assert np.array_equal(plain.hierarchy.parent, scaled.hierarchy.parent)
    assert np.array_equal(plain.hierarchy.height, scaled.hierarchy.height)


def test_sparse_cosines_do_not_depend_on_the_length_of_a_row():
    rows = np.ldexp(POINTS, np.array([[900], [-900], [0], [300]]))
    got = agglomerate(sparse.csr_matrix(rows), linkage="complete", metric="cosine").hierarchy
    assert got == agglomerate(sparse.csr_matrix(POINTS), linkage="complete", metric="cosine").hierarchy
    expected = scipy_linkage(pdist(POINTS, "cosine"), "complete")
    np.testing.assert_allclose(to_linkage(got)[:, 2], expected[:, 2], rtol=1e-12)


HOMOGENEOUS = ("cityblock", "chebyshev", "minkowski")
SCALE_FREE = ("correlation", "canberra", "braycurtis", "seuclidean", "mahalanobis", "jensenshannon", "hamming")


@pytest.mark.parametrize("metric", [*HOMOGENEOUS, *SCALE_FREE])
@pytest.mark.parametrize("linkage", ["single", "average", "group_average"])
@pytest.mark.parametrize("exponent", [-900, 900])
def test_other_metrics_do_not_depend_on_the_power_of_two_of_the_scale(metric, linkage, exponent):
    X = np.random.default_rng(1).uniform(0.1, 1.0, size=(30, 4))
    plain = agglomerate(X, linkage=linkage, metric=metric).hierarchy
    scaled = agglomerate(np.ldexp(X, exponent), linkage=linkage, metric=metric).hierarchy
    assert np.array_equal(plain.parent, scaled.parent)
    assert np.array_equal(np.ldexp(plain.height, exponent if metric in HOMOGENEOUS else 0), scaled.height)


def test_float32_matrices_hold_the_other_metrics_at_any_scale():
    X = np.random.default_rng(1).uniform(size=(30, 4))
    got = agglomerate(X * 1e200, linkage="complete", metric="cityblock", precision="float32").hierarchy
    expected = agglomerate(X, linkage="complete", metric="cityblock").hierarchy
    np.testing.assert_allclose(got.height / 1e200, expected.height, rtol=1e-5)


@pytest.mark.parametrize("metric", ["dot", "sqeuclidean"])
@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_heights_that_underflow_are_refused(metric, linkage):
    with pytest.raises(InvalidInputError, match=r"got an underflow \(scale the points up\)"):
        agglomerate(POINTS * 1e-200, linkage=linkage, metric=metric)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("shape", [(3, 2), (9, 2)])
def test_similarities_that_overflow_are_refused(kind, shape):
    with pytest.raises(InvalidInputError, match=r"got an overflow \(scale the points down\)"):
        agglomerate(kind(np.full(shape, 1e200)), linkage="average", metric="dot")


def test_mahalanobis_takes_columns_of_unlike_scales():
    X = np.random.default_rng(2).normal(size=(40, 4)) + 3
    scaled = X * [1e-6, 1.0, 1e6, 1e150]
    plain, got = (agglomerate(points, linkage="average", metric="mahalanobis").hierarchy for points in (X, scaled))
    assert np.array_equal(got.parent, plain.parent)
    np.testing.assert_allclose(got.height, plain.height, rtol=1e-10)
    X[:, 2] = 0.1
    with pytest.raises(InvalidInputError, match="columns must vary for mahalanobis; column 2 is constant"):
        agglomerate(X, linkage="average", metric="mahalanobis")


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_equal_sparse_rows_merge_at_the_distance_of_a_row_from_itself(linkage, metric):
    rows = np.random.default_rng(3).uniform(size=(5, 40)) * (np.random.default_rng(4).uniform(size=(5, 40)) < 0.5)
    rows /= np.sqrt((rows**2).sum(axis=1))[:, None] if metric == "dot" else 1.0
    built = agglomerate(sparse.csr_matrix(np.vstack([rows, rows])), linkage=linkage, metric=metric)
    low = built.hierarchy.height[10:15]
    assert (low == 0.0).all() if metric == "cosine" else (low < 1e-15).all()
    assert built.hierarchy.height[15] > 0.01
    pairs = to_linkage(built.hierarchy)[:5, :2]
    assert {tuple(pair) for pair in pairs.tolist()} == {(i, i + 5) for i in range(5)}


@pytest.mark.parametrize("offset", [1e4, -1e6, 1e10])
@pytest.mark.parametrize("linkage", ["ward", "centroid", "median", "average", "complete", "single"])
@pytest.mark.parametrize("n", [200, 1500])
@pytest.mark.compiled
def test_points_far_from_the_origin_give_the_heights_of_scipy(offset, linkage, n):
    X = np.random.default_rng(0).normal(size=(n, 3)) + offset
    expected = scipy_linkage(X - offset, linkage)  # exact, and so are the differences that SciPy then takes
    got = to_linkage(agglomerate(X, linkage=linkage).hierarchy)
    assert np.array_equal(got[:, :2], np.sort(expected[:, :2], axis=1))
    np.testing.assert_allclose(got[:, 2], expected[:, 2], rtol=1e-12)


def test_float32_distances_whose_squares_would_vanish_are_kept_in_float64():
    D = np.array([1e-25, 1.0, 1.0], dtype=np.float32)
    built = agglomerate_distances(D, linkage="ward")
    assert built.hierarchy.height[3] == D[0]
    assert built.report.precision == "float64"
    assert agglomerate_distances(D, linkage="complete").report.precision == "float32"


def test_distances_are_not_copied_beside_the_matrix():
    D = pdist(np.random.default_rng(0).normal(size=(700, 2)))
    agglomerate_distances(D, linkage="single")
    tracemalloc.start()
    built = agglomerate_distances(D, linkage="single")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert built.report.memory < D.nbytes
    assert peak < D.nbytes
