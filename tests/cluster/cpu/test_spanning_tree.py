"""Spanning trees that grow by lists of near points are those of Prim's algorithm, to the last bit."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage as scipy_linkage

from dendrometry import _threads, agglomerate
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry.cluster.cpu import spanning_tree
from dendrometry.cluster.cpu.merges import of_spanning_tree
from dendrometry.cluster.cpu.neighbours import Form, bridges_of
from dendrometry.cluster.cpu.spanning_tree import spanning_edges, spanning_tree_points

RNG = np.random.default_rng(7)
CENTRES = RNG.normal(size=(12, 6))
GROWN = {
    "noise": RNG.normal(size=(400, 6)),
    "clusters": 20 * CENTRES[RNG.integers(12, size=400)] + RNG.normal(size=(400, 6)),
    "equal points": RNG.normal(size=(60, 3))[RNG.integers(60, size=300)],
    "a line": np.cumsum(RNG.random((300, 1)), axis=0) * np.ones(7),
    "far from the origin": RNG.normal(size=(200, 8)) + 1e6,
}
LEFT = {  # points with several minimum spanning trees, or too near for single precision
    "tight clusters": 1e4 * CENTRES[RNG.integers(12, size=300)] + 1e-3 * RNG.normal(size=(300, 6)),
    "whole numbers": RNG.integers(0, 3, size=(300, 6)).astype(float),
    "all as far": np.eye(40),
    "late": np.concatenate([100 * CENTRES[:3, :3].round(), [[500, 0, 0], [500, 1, 0], [503, 0, 0], [503, 1, 0]]]),
}


def prim(points, own, alpha):
    edges, length = spanning_edges(points, own, alpha, lambda _: None)
    return of_spanning_tree(edges[:, 0], edges[:, 1], length, 0)


@pytest.mark.parametrize("pairs", [0, 16, 10**6], ids=["lists alone", "lists and bridges", "bridges alone"])
@pytest.mark.parametrize("name", [*GROWN, *LEFT])
def test_lists_and_bridges_give_the_tree_of_prim(name, pairs, monkeypatch):
    monkeypatch.setattr(spanning_tree, "_FEW", 1)
    monkeypatch.setattr(spanning_tree, "_PAIRS", pairs)
    points = (GROWN | LEFT)[name]
    own = np.zeros(len(points))
    for parts, alpha in ((own, 1.0), (own + RNG.random(own.size), 0.5)):
        steps = []
        merges = spanning_tree_points(points, parts, alpha, steps.append)
        expected = prim(points, parts, alpha)
        assert np.array_equal(merges.left, expected.left)
        assert np.array_equal(merges.right, expected.right)
        assert np.array_equal(merges.height, expected.height)
        assert merges.n_ties == expected.n_ties
        assert sum(steps) == len(points) - 1


def test_only_what_lists_cannot_decide_is_left_to_prim():
    def is_grown(points):
        return spanning_tree._grow_by_lists(points, np.zeros(len(points)), 1.0, lambda _: None) is not None

    assert [name for name in GROWN if not is_grown(GROWN[name])] == []
    assert [name for name in LEFT if is_grown(LEFT[name])] == []


@pytest.mark.parametrize("data", ["noise", "clusters"])
def test_trees_of_many_points_are_scipys(data):
    rng = np.random.default_rng(4)
    points = rng.normal(size=(1500, 7)) + (9 * rng.normal(size=(20, 7))[rng.integers(20, size=1500)]) * (
        data != "noise"
    )
    built = agglomerate(points, linkage="single")
    assert built.report.algorithm == "spanning_tree"
    assert built.report.rounds < 100
    expected = scipy_linkage(points, "single")
    np.testing.assert_allclose(built.hierarchy.height[1500:], expected[:, 2], rtol=1e-12)
    left, right = expected[:, :2].astype(int).T
    parent = np.full(2999, -1)
    parent[left] = parent[right] = 1500 + np.arange(1499)
    assert np.array_equal(built.hierarchy.parent, parent)


@pytest.mark.parametrize("cores", [1, 2, 5])
@pytest.mark.parametrize("scale", [1.0, 0.0], ids=["noise", "whole numbers"])
def test_bridges_are_the_nearest_pairs_of_groups(cores, scale, monkeypatch):
    monkeypatch.setattr(_threads, "n_cores", lambda: cores)
    rng = np.random.default_rng(2)
    n, n_groups = 330, 9
    group = np.sort(np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, size=n - n_groups)]))
    points = (
        rng.integers(0, 4, size=(n, 3))
        + scale * rng.normal(size=(n, 3))
        + 20.0 * rng.normal(size=(n_groups, 3)).round()[group]
    )
    own = 0.25 * rng.integers(0, 3, size=n)
    found = bridges_of(Clusters(points, np.ones(n), own, np.arange(n)), group, Form(False, 0.5))
    distance = 0.5 * ((points[:, None] - points[None]) ** 2).sum(axis=2) + own[:, None] + own[None]
    for a in range(n_groups):
        for b in range(a + 1, n_groups):
            block = distance[np.ix_(group == a, group == b)]
            assert found.length[a, b] == pytest.approx(block.min(), rel=1e-14)
            assert distance[found.first[a, b], found.second[a, b]] == found.length[a, b]
            assert (group[found.first[a, b]], group[found.second[a, b]]) == (a, b)
            if scale == 0.0:
                assert found.tied[a, b] == ((block == block.min()).sum() > 1)
            else:
                assert not found.tied[a, b]
