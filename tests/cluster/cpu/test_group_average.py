"""Group average equals its definition, the mean over all pairs of the merged cluster."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform
from tests.cluster.outcomes import merges_of

from dendrometry import agglomerate, agglomerate_distances, cut_count


def mean_inside(union, S):
    """Return the mean similarity over all pairs of a cluster."""
    inside = S[np.ix_(union, union)]
    return (inside.sum() - np.trace(inside)) / (len(union) * (len(union) - 1))


def brute_force_group_average(S):
    """Merge the pair whose union has the highest mean similarity over all its pairs; return the heights 1 - mean."""
    clusters = [[i] for i in range(len(S))]
    heights, sets = [], []
    while len(clusters) > 1:
        pairs = [(i, j) for j in range(len(clusters)) for i in range(j)]
        means = [mean_inside(clusters[i] + clusters[j], S) for i, j in pairs]
        i, j = pairs[int(np.argmax(means))]
        heights.append(1 - max(means))
        union = clusters[i] + clusters[j]
        sets.append(frozenset(union))
        clusters = [c for k, c in enumerate(clusters) if k not in (i, j)] + [union]
    return heights, sets


@pytest.mark.parametrize("seed", range(6))
def test_group_average_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 4)) + (seed % 2)
    U = X / np.linalg.norm(X, axis=1)[:, None]
    heights, sets = brute_force_group_average(U @ U.T)
    for built in (
        agglomerate(X, linkage="group_average", metric="cosine"),
        agglomerate_distances(np.maximum(squareform(pdist(X, "cosine")), 0), linkage="group_average"),
    ):
        np.testing.assert_allclose(built.hierarchy.height[30:], heights, rtol=1e-9)
        assert {c for c, _ in merges_of(built)} == set(sets)
        assert built.hierarchy.is_monotone


def group_average_by_sums(S):
    """Do the same for many items: sums within clusters and between them, from which every mean is read off."""
    n = len(S)
    inside, size, cross = np.zeros(n), np.ones(n), S.copy()
    alive, sets, heights, found = np.ones(n, dtype=bool), [[i] for i in range(n)], [], []
    for _ in range(n - 1):
        m = size[:, None] + size
        mean = (inside[:, None] + inside + cross) / (m * (m - 1) / 2)
        mean[~alive] = mean[:, ~alive] = -np.inf
        np.fill_diagonal(mean, -np.inf)
        i, j = np.unravel_index(int(np.argmax(mean)), mean.shape)
        heights.append(1 - mean[i, j])
        sets[i] = sets[i] + sets[j]
        found.append(frozenset(sets[i]))
        inside[i] += inside[j] + cross[i, j]
        size[i] += size[j]
        cross[i] += cross[j]
        cross[:, i] = cross[i]
        alive[j] = False
    return heights, found


def test_sums_give_the_group_average_of_the_definition():
    X = np.random.default_rng(2).normal(size=(20, 4))
    U = X / np.linalg.norm(X, axis=1)[:, None]
    expected, got = brute_force_group_average(U @ U.T), group_average_by_sums(U @ U.T)
    np.testing.assert_allclose(got[0], expected[0], rtol=1e-9)
    assert got[1] == expected[1]


@pytest.mark.compiled
@pytest.mark.further
def test_group_average_equals_the_definition_where_the_work_is_packed_on_the_way():
    X = np.random.default_rng(7).normal(size=(600, 6)) + 0.5
    U = X / np.linalg.norm(X, axis=1)[:, None]
    heights, sets = group_average_by_sums(U @ U.T)
    for built in (
        agglomerate(X, linkage="group_average", metric="cosine"),
        agglomerate_distances(np.maximum(pdist(X, "cosine"), 0), linkage="group_average"),
    ):
        np.testing.assert_allclose(built.hierarchy.height[600:], heights, rtol=1e-8)
        assert {c for c, _ in merges_of(built)} == set(sets)


def test_group_average_is_not_average():
    # a = b, c orthogonal: {a, b} is nearer to c than a alone is, so no algorithm of chains or rounds can build this.
    X = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    similarity = agglomerate(X, linkage="group_average", metric="cosine").similarity
    np.testing.assert_allclose(similarity[3:], [1.0, 1 / 3], rtol=1e-12)
    np.testing.assert_allclose(
        agglomerate(X, linkage="average", metric="cosine").similarity[3:], [1.0, 0.0], atol=1e-12
    )


def test_with_self_similarities_a_cluster_is_as_good_as_its_mean_similarity_to_the_centroid():
    """Equation 17.4 of Introduction to Information Retrieval: |sum|^2 / m^2 = mean of d . mu."""
    X = np.random.default_rng(3).normal(size=(40, 5))
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    for built in (
        agglomerate(X, linkage="group_average_with_self", metric="cosine"),
        agglomerate(csr_array(X), linkage="group_average_with_self", metric="cosine"),
    ):
        tree, order = built.hierarchy, built.hierarchy.order
        for v in range(tree.n_nodes):
            members = U[order.item[order.item_low[v] : order.item_high[v]]]
            assert built.similarity[v] == pytest.approx((members @ members.mean(axis=0)).mean(), abs=1e-12)
        assert tree.is_monotone
        assert built.report.algorithm == "matrix_greedy"


def test_with_self_similarities_two_items_are_nearer_than_by_their_own_similarity():
    """SIM-GA'(d1, d2) = (1 + s) / 2, where SIM-GA(d1, d2) = s."""
    X = [[1.0, 0.0], [0.6, 0.8]]
    for linkage, expected in (("group_average", 0.6), ("group_average_with_self", 0.8)):
        assert agglomerate(X, linkage=linkage, metric="cosine").similarity[-1] == pytest.approx(expected)


def test_self_similarities_favour_small_clusters():
    # Three copies and d, which adds a mean of 0.8 by group average, against a pair at 0.75, which counts as 0.875.
    pair = np.sqrt(1 - 0.75**2)
    X = [[1, 0, 0, 0]] * 3 + [[0.6, 0.8, 0, 0], [0, 0, 1, 0], [0, 0, 0.75, pair]]
    labels = {
        linkage: cut_count(agglomerate(X, linkage=linkage, metric="cosine").hierarchy, 3).labels.tolist()
        for linkage in ("group_average", "group_average_with_self")
    }
    assert labels == {"group_average": [0, 0, 0, 0, 1, 2], "group_average_with_self": [0, 0, 0, 1, 2, 2]}
