"""Rounds of reciprocal neighbours on matrices, vectors and lists: valid under ties, and what SciPy merges."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import cdist, squareform
from tests.cluster.outcomes import is_a_path, matrix_of, random_vectors

from dendrometry._check.points import prepare_points
from dendrometry.cluster.cpu import list_reciprocal as on_lists
from dendrometry.cluster.cpu.list_reciprocal import HeadStart, half_reciprocal, list_reciprocal
from dendrometry.cluster.cpu.matrix_reciprocal import matrix_reciprocal
from dendrometry.cluster.cpu.merges import new_merges
from dendrometry.cluster.cpu.vector_greedy import single_points
from dendrometry.cluster.cpu.ward import vector_reciprocal
from dendrometry.cluster.distances import square_of_groups
from dendrometry.cluster.linkages import LINKAGES


def silent(_):
    """Take note of nothing."""


@pytest.mark.parametrize("linkage", ["complete", "average", "weighted", "ward"])
def test_rounds_on_a_matrix_give_a_valid_outcome_under_ties(linkage):
    for n, vector in random_vectors(40, [3, 4, 5, 6], 11):
        power = 2 if linkage == "ward" else 1
        square = squareform(np.array(vector, dtype=float)) ** power
        merges = matrix_reciprocal(square.ravel(), np.ones(n), np.arange(n), new_merges(0), linkage, silent)
        assert is_a_path(merges, matrix_of(vector, n), linkage), vector


@pytest.mark.parametrize("linkage", ["average", "ward"])
def test_rounds_on_vectors_give_a_valid_outcome_under_ties(linkage):
    rng = np.random.default_rng(12)
    for _ in range(40):
        X = rng.integers(0, 4, size=(int(rng.integers(2, 9)), 2)).astype(float)
        merges = vector_reciprocal(single_points(X, np.zeros(len(X))), LINKAGES[linkage], 1.0, silent)
        squared = [[int(((x - y) ** 2).sum()) for y in X] for x in X]
        if linkage == "average":
            assert is_a_path(merges, squared, linkage), X
        else:
            assert is_a_ward_path(merges, X), X


def is_a_ward_path(merges, X):
    """Whether each merge joins two clusters whose union adds the least squared error."""
    node = {i: [i] for i in range(len(X))}
    for step, (a, b, height) in enumerate(zip(merges.left, merges.right, merges.height, strict=True)):
        pairs = {(x, y): ward(X[node[x]], X[node[y]]) for x in node for y in node if x < y}
        if abs(pairs[int(a), int(b)] - height) > 1e-9 or pairs[int(a), int(b)] > min(pairs.values()) + 1e-9:
            return False
        node[len(X) + step] = node.pop(int(a)) + node.pop(int(b))
    return True


def ward(A, B):
    """Return twice the growth of squared error when two clusters become one."""
    return 2 * len(A) * len(B) / (len(A) + len(B)) * ((A.mean(axis=0) - B.mean(axis=0)) ** 2).sum()


@pytest.mark.parametrize("linkage", ["complete", "average", "weighted"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_a_head_start_on_lists_merges_what_scipy_merges(linkage, metric):
    X = np.random.default_rng(9).normal(size=(150, 4))
    ready = prepare_points(X, metric)
    start = list_reciprocal(ready, linkage, silent)
    expected = scipy_linkage(X, linkage, metric)
    made = {(frozenset(c), round(h, 9)) for c, h in clusters_of(expected[:, 0], expected[:, 1], expected[:, 2])}
    scale = 2.0**ready.exponent
    got = clusters_of(start.merges.left, start.merges.right, start.merges.height * scale)
    assert len(got) > 40
    assert {(frozenset(c), round(h, 9)) for c, h in got} <= made
    square = square_of_groups(ready, start.group, start.weight, linkage == "complete", "float64")
    merges = matrix_reciprocal(square, start.size, start.node, start.merges, linkage, silent)
    assert np.array_equal(np.column_stack([merges.left, merges.right]), np.sort(expected[:, :2], axis=1))
    np.testing.assert_allclose(merges.height * scale, expected[:, 2], rtol=1e-11)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("linkage", ["complete", "average", "weighted"])
def test_rounds_on_half_a_matrix_merge_what_scipy_merges(linkage, precision, monkeypatch):
    monkeypatch.setattr(on_lists, "_FEW", 10)
    monkeypatch.setattr(on_lists, "_BLOCK", 2000)  # several blocks of new rows
    X = np.random.default_rng(9).normal(size=(600, 4))
    ready = prepare_points(X, "euclidean")
    start = list_reciprocal(ready, linkage, silent)
    squared = linkage == "complete" and precision == "float64"
    kept = ready._replace(root=not squared)
    flat = square_of_groups(kept, start.group, start.weight, linkage == "complete", precision, half=True)
    rest = half_reciprocal(flat, start, linkage, squared, silent)
    assert rest.size.size < 0.2 * start.size.size
    merges = matrix_reciprocal(flat[: rest.size.size**2], rest.size, rest.node, rest.merges, linkage, silent)
    expected = scipy_linkage(X, linkage)
    assert np.array_equal(np.column_stack([merges.left, merges.right]), np.sort(expected[:, :2], axis=1))
    rtol = 1e-11 if precision == "float64" else 1e-5
    np.testing.assert_allclose(merges.height * 2.0**ready.exponent, expected[:, 2], rtol=rtol)


@pytest.mark.parametrize("linkage", ["complete", "average"])
def test_half_a_matrix_without_certain_pairs_becomes_the_whole(linkage):
    n = 1100
    flat = np.full(n * n, np.nan)
    flat[: n * (n - 1) // 2] = 1.0
    start = HeadStart(new_merges(0), np.arange(n), np.ones(n), np.arange(n), np.ones(n))
    rest = half_reciprocal(flat, start, linkage, False, silent)
    assert rest.size.size == n
    assert np.array_equal(flat.reshape(n, n), 1.0 - np.eye(n))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("farthest", [True, False], ids=["greatest", "mean"])
def test_half_a_matrix_becomes_that_of_larger_clusters(farthest, dtype, monkeypatch):
    monkeypatch.setattr(on_lists, "_BLOCK", 1000)
    rng = np.random.default_rng(5)
    n = 300
    pairs = np.tril(rng.random((n, n)), -1)
    pairs += pairs.T
    group = np.unique(rng.integers(0, 120, size=n), return_inverse=True)[1]
    first = np.unique(group, return_index=True)[1]
    group = np.argsort(np.argsort(first))[group]  # numbered by their first slots
    weight = rng.random(n)
    half = pairs[np.tril_indices(n, -1)].astype(dtype)
    m = int(group.max()) + 1
    on_lists._combine(half, HeadStart(new_merges(0), np.arange(m), np.ones(m), group, weight), farthest)
    for at, (g, h) in enumerate(zip(*np.tril_indices(m, -1), strict=True)):
        i, j = np.flatnonzero(group == g), np.flatnonzero(group == h)
        values = pairs[np.ix_(i, j)]
        value = values.max() if farthest else weight[i] @ values @ weight[j]
        assert half[at] == pytest.approx(value, rel=1e-12 if dtype == np.float64 else 1e-6)


def clusters_of(left, right, height):
    """Return the items of every merge of 150, with its height."""
    sets = [[i] for i in range(150)]
    for a, b in zip(left, right, strict=True):
        sets.append(sets[int(a)] + sets[int(b)])
    return list(zip(sets[150:], height, strict=True))


@pytest.mark.parametrize("linkage", ["complete", "average", "weighted", "ward"])
def test_rounds_on_a_matrix_merge_what_scipy_merges(linkage):
    n = 400  # the matrix is packed several times
    X = np.random.default_rng(3).normal(size=(n, 3))
    square = ((X[:, None] - X) ** 2).sum(axis=2) ** (1.0 if linkage == "ward" else 0.5)
    merges = matrix_reciprocal(square.ravel(), np.ones(n), np.arange(n), new_merges(0), linkage, silent)
    expected = scipy_linkage(X, linkage)
    height = np.sqrt(merges.height) if linkage == "ward" else merges.height
    assert np.array_equal(np.column_stack([merges.left, merges.right]), np.sort(expected[:, :2], axis=1))
    np.testing.assert_allclose(height, expected[:, 2], rtol=1e-11)


@pytest.mark.parametrize("farthest", [True, False], ids=["greatest", "mean"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_matrix_of_groups_is_that_of_all_pairs_of_their_points(farthest, metric):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 5))
    group = rng.permutation(np.concatenate([np.arange(120), np.arange(120, 300) % 7]))  # of 1 and of about 27 points
    ready = prepare_points(X, metric)
    weight = np.where(np.bincount(group)[group] == 1, 1.0, rng.random(300))
    square = square_of_groups(ready, group, weight, farthest, "float64").reshape(120, 120) * 2.0**ready.exponent
    pairs = cdist(X, X, metric)
    for g in range(120):
        for h in range(g):
            i, j = np.flatnonzero(group == g), np.flatnonzero(group == h)
            values = pairs[np.ix_(i, j)]
            value = values.max() if farthest else weight[i] @ values @ weight[j]
            assert square[g, h] == square[h, g] == pytest.approx(value, rel=1e-12)
