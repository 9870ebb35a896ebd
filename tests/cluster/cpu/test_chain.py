"""Few clusters merge along chains in a matrix: as the greedy algorithm merges them, and never by a rounding error."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import pdist

import dendrometry as dm
from dendrometry._kernels.cluster import chain as kernels
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry.cluster.cpu import chain, ward
from dendrometry.cluster.cpu.chain import merge_along_chains
from dendrometry.cluster.cpu.neighbours import Form

WARD, AVERAGE = Form(True, 1.0), Form(False, 1.0)


def groups(n, d, width):
    """Return points in groups of very different sizes and widths, with heavy tails."""
    rng = np.random.default_rng(8)
    group = (40 * rng.random(n) ** 3).astype(int)
    widths = width * rng.gamma(0.5, size=40)[group][:, None]
    return 3 * rng.normal(size=(40, d))[group] + widths * rng.standard_t(3, size=(n, d))


POINTS = {
    "noise": np.random.default_rng(0).normal(size=(130, 3)),
    "groups": groups(300, 9, 1.0),
    "dense groups": groups(200, 9, 1e-6),
    "far from 0": groups(200, 3, 1.0) + 1e6,
    "line": np.cumsum(1.1 ** np.arange(140.0))[:, None],
    "two": np.array([[0.0], [1.0]]),
}


def alone(points):
    n = len(points)
    return Clusters(points.copy(), np.ones(n), np.zeros(n), np.arange(n))


def heights_of(sets, points, form):
    """Return the heights of merges, given as pairs of sets of points, by their definition."""
    heights = []
    for a, b in sets:
        if form.by_size:
            apart = points[a].mean(axis=0) - points[b].mean(axis=0)
            heights.append(2 * len(a) * len(b) / (len(a) + len(b)) * (apart @ apart))
        else:
            heights.append(np.mean(((points[a][:, None] - points[b]) ** 2).sum(axis=2)))
    return heights


@pytest.mark.parametrize("form", [WARD, AVERAGE], ids=["ward", "average"])
@pytest.mark.parametrize("name", POINTS)
def test_all_merges_are_those_of_scipy(name, form):
    points = POINTS[name]
    merged = merge_along_chains(np.arange(len(points)), alone(points), form)
    items = {i: [i] for i in range(len(points))}
    sets = []
    for i, j in zip(merged.low.tolist(), merged.high.tolist(), strict=True):
        assert i < j
        sets.append((items[i], items[j]))
        items[i] = items[i] + items.pop(j)
    assert merged.height == pytest.approx(heights_of(sets, points, form), rel=1e-6)
    pairs = pdist(points, "euclidean" if form.by_size else "sqeuclidean")
    expected = scipy_linkage(pairs, "ward" if form.by_size else "average")
    power = 2 if form.by_size else 1
    assert np.sort(merged.height) == pytest.approx(expected[:, 2] ** power, rel=1e-6)


@pytest.mark.parametrize("name", ["groups", "dense groups", "far from 0"])
def test_squares_are_within_their_bounds_after_merges(name):
    points = POINTS[name]
    n = len(points)
    clusters, matrix = alone(points), chain._squares(np.arange(n), alone(points))
    pairs, height = np.empty((n, 2), dtype=np.int64), np.empty(n)
    assert kernels.merge_along_chain(matrix, clusters, WARD, pairs, height) == (n // 2, False)
    kept = np.flatnonzero(matrix.error >= 0)
    part = chain._empty(kept.size)
    kernels.fill_part(matrix, kept, part)
    assert clusters.size[kept].sum() == n
    for a, p in enumerate(kept):
        for b, q in enumerate(kept):
            if a != b:
                apart = clusters.centroid[p] - clusters.centroid[q]
                bound = part[a, b] * (matrix.share[p] + matrix.share[q]) + matrix.error[p] + matrix.error[q]
                assert abs(float(part[a, b]) - apart @ apart) <= bound


@pytest.mark.parametrize("form", [WARD, AVERAGE], ids=["ward", "average"])
def test_nothing_merges_if_two_are_exactly_as_near(form):
    points = np.array([[0.0, 0], [1, 0], [5, 0], [6, 0], [5, 1]])
    clusters = alone(points)
    assert merge_along_chains(np.arange(5), clusters, form) is None
    assert np.array_equal(clusters.centroid, points)


@pytest.mark.parametrize("n_few", [4096, 700])
def test_a_tree_has_the_same_bits_whether_few_clusters_merge_in_a_matrix_or_not(n_few, monkeypatch):
    points = groups(1500, 12, 1.0)
    monkeypatch.setattr(ward, "_FEW", 0)
    expected = dm.agglomerate(points)
    sizes = []

    def watched(active, *rest):
        sizes.append(active.size)
        return merge_along_chains(active, *rest)

    monkeypatch.setattr(ward, "_FEW", n_few)
    monkeypatch.setattr(ward, "merge_along_chains", watched)
    built = dm.agglomerate(points)
    assert len(sizes) == 1
    assert sizes[0] <= n_few
    assert np.array_equal(built.hierarchy.parent, expected.hierarchy.parent)
    assert np.array_equal(built.hierarchy.height, expected.hierarchy.height)


def test_rounds_go_on_where_clusters_of_a_matrix_tie(monkeypatch):
    points = groups(1500, 12, 1.0)
    monkeypatch.setattr(ward, "_FEW", 0)
    expected = dm.agglomerate(points)
    asked = []
    monkeypatch.setattr(ward, "_FEW", 4096)
    monkeypatch.setattr(ward, "merge_along_chains", lambda *given: asked.append(given))
    built = dm.agglomerate(points)
    assert len(asked) == 1
    assert np.array_equal(built.hierarchy.height, expected.hierarchy.height)
