"""Building equals the definition and SciPy, and is the same from points and from distances."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import pdist, squareform
from tests.cluster.outcomes import SQUARED, is_a_path, is_outcome, matrix_of, power_of, random_vectors
from tests.oracles.cluster import agglomerate as oracle

from dendrometry import agglomerate, agglomerate_distances, cut_height, to_linkage
from dendrometry.cluster.cpu.merges import MergeSequence

COMMON = ("single", "complete", "average", "weighted", "ward", "centroid", "median")
LINKAGES = (*COMMON, "group_average", "group_average_with_self")


@pytest.mark.further
@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 3), (4, 2), pytest.param(4, 3, marks=pytest.mark.slow)])
def test_every_vector_of_small_distances_gives_a_valid_outcome(linkage, n, most):
    for vector in product(range(1, most + 1), repeat=n * (n - 1) // 2):
        built = agglomerate_distances(list(vector), linkage=linkage)
        assert is_outcome(built, oracle.outcomes(linkage, matrix_of(vector, n)), linkage), vector


@pytest.mark.further
@pytest.mark.parametrize("linkage", LINKAGES)
def test_random_vectors_of_small_distances_give_a_valid_outcome(linkage):
    for n, vector in random_vectors(60, [5, 6], 5):
        built = agglomerate_distances(vector, linkage=linkage)
        assert is_outcome(built, oracle.outcomes(linkage, matrix_of(vector, n)), linkage), vector


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["complete", "weighted", "median"])
def test_five_thousand_vectors_of_small_distances_follow_the_rule_for_ties(linkage):
    for n, vector in random_vectors(5000, [5, 6, 7, 8], 6):
        check_rule(linkage, n, vector)


@pytest.mark.slow
@pytest.mark.parametrize("linkage", LINKAGES)
def test_five_thousand_vectors_of_small_distances_give_a_valid_outcome(linkage):
    for n, vector in random_vectors(5000, [5, 6, 7, 8], 8):
        d = matrix_of(vector, n)
        built = agglomerate_distances(vector, linkage=linkage)
        merges = to_linkage(built.hierarchy)
        assert is_a_path(MergeSequence(merges[:, 0], merges[:, 1], merges[:, 2] ** power_of(linkage), 0, 0), d, linkage)


def check_rule(linkage, n, vector):
    expected = oracle.greedy(linkage, matrix_of(vector, n))
    got = to_linkage(agglomerate_distances(vector, linkage=linkage).hierarchy)
    heights = [float(h) ** 0.5 if linkage in SQUARED else float(h) for _, _, h in expected]
    assert got[:, :2].astype(int).tolist() == [[a, b] for a, b, _ in expected], vector
    np.testing.assert_allclose(got[:, 2], heights, rtol=1e-12)


# Thirds and ninths are not exact in binary, so where such means tie the rule can be followed up to rounding only.
# In single linkage the rule holds among the edges of the spanning tree: ties leave the clusters at every height.
RULED = ("complete", "weighted", "median")


@pytest.mark.further
@pytest.mark.parametrize("linkage", RULED)
def test_the_lowest_pair_of_node_numbers_wins_a_tie(linkage):
    for n, vector in random_vectors(150, [3, 4, 5, 6, 7, 8], 7):
        check_rule(linkage, n, vector)


@pytest.mark.parametrize("linkage", COMMON)
@pytest.mark.parametrize(
    "shape", [(2, 1), (3, 2), (40, 2), (120, 9), pytest.param((1100, 20), marks=pytest.mark.compiled)]
)
def test_merges_and_heights_equal_scipy_on_points(linkage, shape):
    X = np.random.default_rng(shape[0]).normal(size=shape)
    expected = scipy_linkage(X, linkage)
    for built in (agglomerate(X, linkage=linkage), agglomerate_distances(pdist(X), linkage=linkage)):
        got = to_linkage(built.hierarchy)
        assert np.array_equal(got[:, :2], np.sort(expected[:, :2], axis=1))
        np.testing.assert_allclose(got[:, 2], expected[:, 2], rtol=1e-12)
        assert built.report.ties == 0


REAL_METRICS = (
    "sqeuclidean", "cosine", "cityblock", "chebyshev", "correlation", "canberra", "braycurtis", "minkowski",
    "seuclidean", "mahalanobis", "jensenshannon",
)  # fmt: skip


@pytest.mark.parametrize("metric", REAL_METRICS)
@pytest.mark.parametrize("linkage", ["single", "complete", "average", "weighted"])
def test_every_metric_equals_scipy(linkage, metric):
    X = np.random.default_rng(3).uniform(0.1, 1, size=(70, 6))
    expected = scipy_linkage(pdist(X, metric), linkage)
    got = to_linkage(agglomerate(X, linkage=linkage, metric=metric).hierarchy)
    assert np.array_equal(got[:, :2], np.sort(expected[:, :2], axis=1))
    np.testing.assert_allclose(got[:, 2], expected[:, 2], rtol=1e-11)


@pytest.mark.parametrize(
    "metric", ["hamming", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]
)
def test_metrics_of_truth_values_equal_scipy(metric):
    X = np.random.default_rng(3).integers(0, 2, size=(12, 40)).astype(bool)
    expected = scipy_linkage(pdist(X, metric), "single")
    got = agglomerate(X, linkage="single", metric=metric).hierarchy
    np.testing.assert_allclose(got.height[12:], expected[:, 2], rtol=1e-12)


@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_centroid_similarity_is_average_similarity_and_has_no_inversions(metric):
    X = np.random.default_rng(0).normal(size=(60, 5))
    centroid = agglomerate(X, linkage="centroid", metric=metric)
    assert centroid.hierarchy == agglomerate(X, linkage="average", metric=metric).hierarchy
    assert centroid.report.inversions == 0


def test_dot_is_the_mean_dot_product_of_cross_pairs():
    X = np.random.default_rng(4).normal(size=(40, 3))
    S = X @ X.T
    top = (X * X).sum(axis=1).max()
    D = top - S
    np.fill_diagonal(D, 0)
    by_matrix = agglomerate_distances((D + D.T) / 2, linkage="average")
    by_points = agglomerate(X, linkage="average", metric="dot")
    np.testing.assert_allclose(by_points.hierarchy.height, by_matrix.hierarchy.height, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(by_points.similarity[:40], np.diag(S), rtol=1e-12)
    np.testing.assert_allclose(by_points.similarity[40:], top - by_points.hierarchy.height[40:], rtol=1e-12)
    assert by_points.similarity[40] == pytest.approx(S[np.triu_indices(40, 1)].max())


@pytest.mark.parametrize(
    ("linkage", "metric"),
    [(k, m) for k in LINKAGES for m in ("euclidean", "cosine") if m == "euclidean" or k not in SQUARED],
)
def test_points_and_distances_give_one_tree(linkage, metric):
    X = np.random.default_rng(8).normal(size=(90, 6))
    by_points = to_linkage(agglomerate(X, linkage=linkage, metric=metric).hierarchy)
    by_distances = to_linkage(agglomerate_distances(pdist(X, metric), linkage=linkage).hierarchy)
    square = to_linkage(agglomerate_distances(squareform(pdist(X, metric)), linkage=linkage).hierarchy)
    assert np.array_equal(by_distances, square)
    assert np.array_equal(by_points[:, :2], by_distances[:, :2])
    np.testing.assert_allclose(by_points[:, 2], by_distances[:, 2], rtol=1e-11)


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("exponent", [-900, -300, 300, 900])
@pytest.mark.compiled
def test_trees_do_not_depend_on_the_power_of_two_of_the_scale(linkage, exponent):
    X = np.random.default_rng(1).normal(size=(50, 4))
    metric = "euclidean" if linkage != "group_average" else "cosine"
    plain = agglomerate(X, linkage=linkage, metric=metric)
    scaled = agglomerate(np.ldexp(X, exponent), linkage=linkage, metric=metric)
    assert np.array_equal(plain.hierarchy.parent, scaled.hierarchy.parent)
    factor = exponent if metric == "euclidean" else 0
    assert np.array_equal(np.ldexp(plain.hierarchy.height, factor), scaled.hierarchy.height)
    D = pdist(X)
    plain, scaled = (agglomerate_distances(d, linkage=linkage) for d in (D, np.ldexp(D, exponent)))
    assert np.array_equal(plain.hierarchy.parent, scaled.hierarchy.parent)
    assert np.array_equal(np.ldexp(plain.hierarchy.height, exponent), scaled.hierarchy.height)


@given(st.integers(2, 30), st.integers(1, 3), st.integers(0, 10**6), st.sampled_from(LINKAGES))
def test_points_on_a_grid_give_checked_monotone_trees(n, d, seed, linkage):
    X = np.random.default_rng(seed).integers(0, 3, size=(n, d))
    built = agglomerate(X, linkage=linkage)
    assert built.hierarchy.n_items == n
    assert built.hierarchy.is_binary
    assert built.hierarchy.is_monotone or linkage in ("centroid", "median")
    assert built.hierarchy.is_monotone == (built.report.inversions == 0)


@given(st.integers(3, 9), st.integers(0, 10**6), st.sampled_from(["complete", "ward", "average"]))
def test_points_on_a_grid_give_a_valid_outcome(n, seed, linkage):
    X = np.random.default_rng(seed).integers(0, 4, size=(n, 1))
    d = [[abs(int(x) - int(y)) for y in X[:, 0]] for x in X[:, 0]]
    merges = to_linkage(agglomerate(X, linkage=linkage).hierarchy)
    assert is_a_path(MergeSequence(merges[:, 0], merges[:, 1], merges[:, 2] ** power_of(linkage), 0, 0), d, linkage)


# Rows with a single one have as many columns as rows, so this takes O(n**3): 1,010 of them only in the long run.
@pytest.mark.parametrize(("n", "small"), [(210, 100), pytest.param(1010, 1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "single", "group_average"])
@pytest.mark.compiled
def test_large_inputs_full_of_ties_are_built(linkage, n, small, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", small)
    metric = "sqeuclidean" if linkage == "average" else "euclidean"
    equidistant = agglomerate(np.eye(n), linkage=linkage, metric=metric)
    assert n - 10 <= equidistant.report.ties <= n - 2  # every merge but the last, and rounding may part the last few
    assert equidistant.hierarchy.is_monotone
    # Centroids of n and m unit vectors are the root of 1/n + 1/m apart, so Ward's heights are all that of one pair.
    height = 2.0 if linkage == "average" else 2**0.5
    np.testing.assert_allclose(equidistant.hierarchy.height[n:], height, rtol=1e-12)
    grid = np.random.default_rng(0).integers(0, 3, size=(2000, 3))
    built = agglomerate(grid, linkage=linkage, metric=metric)
    low = built.hierarchy.height[2000:] == 0
    assert low.sum() == 2000 - 27
    assert np.array_equal(np.sort(built.hierarchy.height[2000:]), built.hierarchy.height[2000:])
    of_cell = {
        tuple(cell): frozenset(np.flatnonzero((grid == cell).all(axis=1)).tolist()) for cell in np.unique(grid, axis=0)
    }
    labels = cut_height(built.hierarchy, 0.0).labels
    assert {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(27)} == set(of_cell.values())


@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "weighted", "single"])
@pytest.mark.compiled
def test_rounds_equal_scipy_on_clusters_far_apart(linkage):
    rng = np.random.default_rng(2)
    X = 1e6 * rng.normal(size=(20, 3))[rng.integers(0, 20, 1500)] + rng.normal(size=(1500, 3))
    expected = scipy_linkage(X, linkage)
    got = to_linkage(agglomerate(X, linkage=linkage).hierarchy)
    np.testing.assert_allclose(got[:, 2], expected[:, 2], rtol=1e-9)
    assert np.array_equal(got[:, :2], np.sort(expected[:, :2], axis=1))


@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "single"])
@pytest.mark.compiled
@pytest.mark.further
def test_chains_of_ever_wider_gaps_are_built(linkage):
    # Only one pair is reciprocal at a time, which is the worst case for rounds.
    X = (np.arange(3000.0) ** 2)[:, None]
    expected = scipy_linkage(X, linkage)
    got = to_linkage(agglomerate(X, linkage=linkage).hierarchy)
    np.testing.assert_allclose(got[:, 2], expected[:, 2], rtol=1e-10)


@pytest.mark.compiled
def test_results_do_not_depend_on_the_number_of_threads(monkeypatch):
    X = np.random.default_rng(5).normal(size=(1500, 8))
    cases = [
        ("ward", "euclidean"),
        ("complete", "euclidean"),
        ("weighted", "cityblock"),
        ("average", "cosine"),
        ("group_average", "cosine"),
    ]
    built = []
    for n_threads in (1, 3):
        monkeypatch.setattr("dendrometry._threads.n_cores", lambda count=n_threads: count)
        built.append([agglomerate(X, linkage=k, metric=m) for k, m in cases])
    for a, b in zip(*built, strict=True):
        assert np.array_equal(a.hierarchy.parent, b.hierarchy.parent)
        assert np.array_equal(a.hierarchy.height, b.hierarchy.height)


def test_float32_distances_are_built_in_float32():
    X = np.random.default_rng(6).normal(size=(200, 5))
    single = agglomerate(X.astype(np.float32), linkage="complete")
    double = agglomerate(X, linkage="complete")
    assert (single.report.precision, double.report.precision) == ("float32", "float64")
    np.testing.assert_allclose(single.hierarchy.height, double.hierarchy.height, rtol=1e-5)
    asked = agglomerate(X, linkage="complete", precision="float32")
    assert asked.report.precision == "float32"
    assert asked.report.memory < double.report.memory


def test_the_report_says_what_was_done():
    built = agglomerate([[0.0], [1.0], [2.0], [9.0]], linkage="complete")
    report = built.report
    assert (report.n_items, report.linkage, report.metric) == (4, "complete", "euclidean")
    assert report.algorithm == "matrix_greedy"
    assert report.ties == 1
    assert report.inversions == 0
    assert report.memory > 4 * 4 * 8
    assert "1 tie, 0 inversions" in repr(built)


@pytest.mark.parametrize(
    ("linkage", "metric", "shape", "algorithm"),
    [
        ("single", "euclidean", (9, 2), "kd_tree"),
        ("single", "euclidean", (9, 20), "spanning_tree"),
        ("single", "dot", (9, 2), "spanning_tree"),
        ("single", "cityblock", (9, 2), "spanning_tree"),
        ("ward", "euclidean", (9, 3), "vector_greedy"),
        ("ward", "euclidean", (1001, 3), "vector_reciprocal"),
        ("average", "cosine", (1001, 3), "vector_reciprocal"),
        ("centroid", "dot", (1001, 3), "vector_reciprocal"),
        ("average", "euclidean", (1001, 3), "matrix_reciprocal"),
        ("weighted", "cosine", (9, 3), "matrix_greedy"),
        ("group_average", "cosine", (1001, 3), "vector_greedy"),
        ("group_average", "euclidean", (9, 3), "matrix_greedy"),
        ("centroid", "euclidean", (1001, 3), "vector_greedy"),
        ("median", "euclidean", (9, 3), "vector_greedy"),
    ],
)
@pytest.mark.compiled
def test_the_algorithm_is_chosen_by_linkage_metric_and_size(linkage, metric, shape, algorithm):
    X = np.random.default_rng(0).normal(size=shape)
    assert agglomerate(X, linkage=linkage, metric=metric).report.algorithm == algorithm
