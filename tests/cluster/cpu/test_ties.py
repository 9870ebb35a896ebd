"""Ties cost no more than other distances, and are counted by their definition."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist
from tests.cluster.outcomes import is_outcome, matrix_of, merges_of, random_vectors
from tests.oracles.cluster import agglomerate as oracle
from tests.work import n_lines

from dendrometry import agglomerate, agglomerate_distances, cut_count, to_linkage
from dendrometry._check.points import prepare_points
from dendrometry._kernels.cluster.differences import fill_squared, squared
from dendrometry.cluster.cpu import index_greedy, matrix_greedy, product_greedy, vector_greedy, ward
from dendrometry.cluster.cpu.neighbours import exact_tiles
from dendrometry.cluster.distances import square_of_points
from dendrometry.cluster.ties import trees_over_ties


def grid(n, d):
    """The first n points with whole coordinates, in d dimensions: each has up to 2 d nearest ones."""
    side = int(np.ceil(n ** (1 / d)))
    return np.indices((side,) * d).reshape(d, -1).T[:n].astype(float)


def one_hot(n, d):
    """Rows with a single one: equal rows where n > d, and all others equally far apart."""
    return np.eye(d)[np.arange(n) % d]


def duplicates(n, d):
    """Points that occur ten times each, in random order."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n // 10, d))[rng.permutation(n) % (n // 10)]


def integers(n, d):
    """Points whose coordinates are 0, 1 or 2."""
    return np.random.default_rng(0).integers(0, 3, size=(n, d)).astype(float)


def noise(n, d):
    return np.random.default_rng(0).normal(size=(n, d))


TIED = (grid, one_hot, duplicates, integers)


@pytest.fixture
def asked(monkeypatch):
    """A list of how many clusters were compared with all others: one by one, or together in rounds."""
    counts = []

    def count(place, name, number):
        called = getattr(place, name)

        def call(*given, **named):
            result = called(*given, **named)
            counts.append(number(given, result))
            return result

        monkeypatch.setattr(place, name, call)

    for engine in (vector_greedy, matrix_greedy, product_greedy):
        count(engine.kernels, "merge_nearest", lambda _, result: result)
    count(index_greedy.kernels, "merge_nearest", lambda _, result: result[2])
    for name in ("search_all", "search_exactly"):
        count(ward, name, lambda given, _: given[0].size)
    count(ward.KeptColumns, "search", lambda given, _: given[1].size)
    count(ward, "merge_all", lambda given, _: given[0].size.size)
    return counts


def sparse_rows(X):
    return sparse.csr_matrix(np.abs(X) + 1.0 if X.shape[1] < 20 else X)


GREEDY = {
    "vector_greedy": lambda X: agglomerate(X, linkage="ward"),
    "matrix_greedy": lambda X: agglomerate_distances(pdist(X), linkage="complete"),
    "index_greedy": lambda X: agglomerate(sparse_rows(X), linkage="group_average", metric="cosine"),
}


@pytest.mark.parametrize("algorithm", GREEDY)
@pytest.mark.parametrize("shape", TIED)
@pytest.mark.compiled
def test_the_greedy_algorithms_compare_few_clusters_again_for_each_merge(algorithm, shape, asked):
    n = 300
    built = GREEDY[algorithm](shape(n, {grid: 2, one_hot: n}.get(shape, 6)))
    assert built.report.algorithm == algorithm
    assert built.report.ties > n // 10
    assert sum(asked) <= 3 * n


@pytest.mark.parametrize("linkage", ["ward", "group_average"])
@pytest.mark.compiled
def test_clusters_that_are_packed_keep_what_they_know_of_others(linkage, monkeypatch):
    searched = []
    find = vector_greedy._find_nearest

    def count(slots, *given):
        searched.append(slots.size)
        find(slots, *given)

    monkeypatch.setattr(vector_greedy, "_find_nearest", count)
    built = agglomerate(integers(1000, 8), linkage=linkage, metric="euclidean" if linkage == "ward" else "sqeuclidean")
    assert built.report.algorithm == "vector_greedy"
    assert built.report.ties > 300
    assert sum(searched) <= 1.3 * 1000  # 2.5 times, if all were searched each time that they are packed


def test_coordinates_that_are_0_for_all_are_left_out_of_exact_distances():
    n_runs = {}
    for name, X in {"rows with a single one": one_hot(64, 64), "whole numbers": integers(64, 64)}.items():
        tiles = exact_tiles(X, 8)
        out = np.empty(8)
        for t in range(8):
            for c in (0, 9, 63):
                fill_squared(X[c], tiles, t, out)
                assert out.tolist() == [squared(X[c], X[8 * t + j]) for j in range(8)]
        plain = getattr(fill_squared, "py_func", fill_squared)
        n_runs[name] = n_lines(lambda: plain(X[0], tiles, 1, out), "differences")  # noqa: B023
    assert n_runs["rows with a single one"] <= 0.4 * n_runs["whole numbers"]


@pytest.mark.compiled
def test_an_inverted_index_compares_few_clusters_again_for_each_merge(asked, monkeypatch):
    monkeypatch.setattr(index_greedy, "_MATRIX", 1)
    monkeypatch.setattr(index_greedy, "_WIDTH", 4)
    built = agglomerate(sparse.eye(200, format="csr"), linkage="group_average", metric="cosine")
    assert built.report.ties > 150
    assert sum(asked) <= 3 * 200


@pytest.mark.parametrize(("linkage", "metric"), [("ward", "euclidean"), ("average", "sqeuclidean")])
@pytest.mark.parametrize("shape", [grid, duplicates, integers])
@pytest.mark.compiled
def test_rounds_search_no_more_clusters_than_without_ties(linkage, metric, shape, asked):
    d = 2 if shape is grid else 8
    agglomerate(noise(1500, d), linkage=linkage, metric=metric)
    usual = sum(asked)
    asked.clear()
    built = agglomerate(shape(1500, d), linkage=linkage, metric=metric)
    assert built.report.algorithm == "vector_reciprocal"
    assert built.report.ties > 150
    assert sum(asked) <= 1.5 * usual


def ties_by_definition(linkage, built, d):
    """Return the number of ties along the merges of a tree, and the first."""
    merges = to_linkage(built.hierarchy)[:, :2].astype(int).tolist()
    ties = oracle.ties_on_path(linkage, merges, d)
    return len(ties), ties[0] if ties else None


@pytest.mark.parametrize("small", [1, 1000])
@pytest.mark.parametrize("linkage", ["single", "complete", "weighted", "median"])
def test_ties_of_small_whole_distances_are_counted_exactly(linkage, small, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", small)
    for n, vector in random_vectors(60, [3, 4, 5, 6, 7, 8], 3):
        built = agglomerate_distances(vector, linkage=linkage)
        rounds = small == 1 and linkage in ("complete", "weighted")
        assert built.report.algorithm == (
            "spanning_tree" if linkage == "single" else f"matrix_{('greedy', 'reciprocal')[rounds]}"
        )
        found = built.report.ties, built.report.first_tie
        assert found == ties_by_definition(linkage, built, matrix_of(vector, n)), vector


def test_a_tie_that_is_gone_when_its_turn_comes_is_not_counted():
    d = [[0, 3, 2, 3], [3, 0, 2, 1], [2, 2, 0, 3], [3, 1, 3, 0]]
    assert agglomerate_distances(d, linkage="complete").report.ties == 0


@pytest.mark.parametrize("small", [1, 1000])
@pytest.mark.parametrize("linkage", ["ward", "centroid", "median", "average", "complete", "single", "group_average"])
def test_ties_of_four_whole_numbers_are_counted_exactly(linkage, small, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", small)
    rng = np.random.default_rng(2)
    metric, power = ("sqeuclidean", 2) if linkage in ("average", "group_average") else ("euclidean", 1)
    for _ in range(40):
        X = rng.integers(0, 7, size=(4, 1))
        d = [[int(abs(x - y) ** power) for y in X[:, 0]] for x in X[:, 0]]
        built = agglomerate(X, linkage=linkage, metric=metric)
        found = built.report.ties, built.report.first_tie
        assert found == ties_by_definition(linkage, built, d), X


@pytest.mark.parametrize("linkage", ["complete", "average", "ward", "centroid", "group_average"])
def test_ties_broken_at_random_give_all_outcomes_and_no_other(linkage):
    for n, vector in random_vectors(4, [4, 5], 9):
        outcomes = oracle.outcomes(linkage, matrix_of(vector, n))
        built = [agglomerate_distances(vector, linkage=linkage, tie_rng=seed) for seed in range(200)]
        assert all(is_outcome(one, outcomes, linkage) for one in built)
        clusters = {frozenset(cluster for cluster, _ in merges_of(one)) for one in built}
        assert clusters == {frozenset(cluster for cluster, _ in outcome) for outcome in outcomes}


def test_ties_of_clusters_are_broken_at_random_whatever_the_order_of_their_formation():
    # three pairs, formed at different heights in any order of the items, and without anything in common
    X = np.zeros((6, 6))
    for pair, angle in enumerate((0.1, 0.2, 0.3)):
        X[2 * pair, 2 * pair] = 1.0
        X[2 * pair + 1, 2 * pair : 2 * pair + 2] = np.cos(angle), np.sin(angle)
    found = set()
    for seed in range(30):
        built = [agglomerate(X, linkage="complete", metric="cosine", tie_rng=seed) for _ in range(2)]
        assert built[0].hierarchy == built[1].hierarchy
        found.add(tuple(cut_count(built[0].hierarchy, 2).labels.tolist()))
    assert found == {(0, 0, 0, 0, 1, 1), (0, 0, 1, 1, 0, 0), (0, 0, 1, 1, 1, 1)}


@pytest.mark.parametrize("linkage", ["complete", "average", "ward", "group_average", "single"])
def test_without_ties_the_tree_is_the_same_however_they_would_be_broken(linkage):
    X = noise(40, 3)
    plain, broken = agglomerate(X, linkage=linkage), agglomerate(X, linkage=linkage, tie_rng=1)
    assert to_linkage(broken.hierarchy)[:, :2].tolist() == to_linkage(plain.hierarchy)[:, :2].tolist()
    np.testing.assert_allclose(broken.hierarchy.height, plain.hierarchy.height, rtol=1e-9)
    assert broken.report.algorithm == ("kd_tree" if linkage == "single" else "matrix_greedy")


def test_sparse_points_have_their_ties_broken_at_random_too():
    X = sparse.csr_matrix(topics(60, 4))
    built = [agglomerate(X, linkage="complete", metric="cosine", tie_rng=seed) for seed in range(8)]
    assert len({tuple(cut_count(one.hierarchy, 3).labels.tolist()) for one in built}) > 1
    indexed = agglomerate(X, linkage="group_average", metric="cosine", tie_rng=0)
    assert indexed.report.algorithm == "matrix_greedy"


def topics(n, seed):
    """Rows of few words each, most of which share none, and some rows that occur twice."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 4, size=(n, 30)) * (rng.random((n, 30)) < 0.06)
    X[np.arange(n), rng.integers(0, 30, n)] += 1
    X[n // 2 : n // 2 + 5] = X[:5]
    return X.astype(float)


@pytest.mark.parametrize("metric", ["cosine", "dot"])
@pytest.mark.parametrize("linkage", ["complete", "weighted", "average"])
def test_sparse_and_dense_points_give_one_tree_with_the_same_ties(linkage, metric):
    X = topics(60, 4)
    dense, thin = (agglomerate(points, linkage=linkage, metric=metric) for points in (X, sparse.csr_matrix(X)))
    assert dense.report.ties == thin.report.ties > 5
    assert np.array_equal(to_linkage(dense.hierarchy)[:, :2], to_linkage(thin.hierarchy)[:, :2])
    np.testing.assert_allclose(dense.hierarchy.height, thin.hierarchy.height, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("linkage", ["complete", "weighted"])
def test_rounds_have_the_same_ties_for_sparse_and_dense_points(linkage, monkeypatch):
    """Which of tied pairs merges first may differ there, as different merges are decided before."""
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", 1)
    X = topics(60, 4)
    dense, thin = (agglomerate(points, linkage=linkage, metric="cosine") for points in (X, sparse.csr_matrix(X)))
    assert dense.report.ties == thin.report.ties > 5
    assert (dense.similarity == 0.0).sum() == (thin.similarity == 0.0).sum()


def test_points_that_share_nothing_have_a_similarity_of_exactly_0():
    X = np.random.default_rng(1).uniform(size=(30, 3))
    apart = np.zeros((30, 9))
    for i in range(30):
        apart[i, 3 * (i % 3) : 3 * (i % 3) + 3] = X[i]
    for linkage in ("complete", "average"):
        for points in (apart, sparse.csr_matrix(apart)):
            built = agglomerate(points, linkage=linkage, metric="cosine")
            assert built.similarity[-2:].tolist() == [0.0, 0.0]
            assert cut_count(built.hierarchy, 2).n_alternatives == 2


def test_equal_rows_have_equal_similarities_wherever_they_are():
    X = np.random.default_rng(0).uniform(size=(40, 37))
    matrix = square_of_points(prepare_points(np.vstack([X, X[::-1], X]), "cosine"), "float64").reshape(120, 120)
    one = matrix[:40, :40]
    assert np.array_equal(matrix[80:, :40], one)
    assert np.array_equal(matrix[40:80, 80:], one[::-1])
    assert (np.diagonal(matrix[80:, :40]) == 0.0).all()


def test_without_ties_one_tree_is_enough():
    X = noise(12, 3)
    (tree,) = trees_over_ties(X, np.random.default_rng(1), linkage="average", metric="cityblock")
    assert tree == agglomerate(X, linkage="average", metric="cityblock").hierarchy


def test_trees_over_ties_are_of_the_same_items():
    line, names = np.arange(5.0)[:, None], ["a", "b", "c", "d", "e"]
    trees, *fewer = (
        trees_over_ties(line, np.random.default_rng(0), linkage="complete", n_trees=n, item_names=names)
        for n in (10, 3, 1)
    )
    assert list(map(len, fewer)) == [3, 1]
    assert len(trees) == 10
    assert trees[0] == agglomerate(line, linkage="complete", item_names=names).hierarchy
    assert all(list(tree.items) == names for tree in trees)
    pairs = {frozenset(map(frozenset, cut_count(tree, 3).clusters)) for tree in trees}
    assert len(pairs) > 1
    assert all({len(cluster) for cluster in clusters} == {1, 2} for clusters in pairs)
