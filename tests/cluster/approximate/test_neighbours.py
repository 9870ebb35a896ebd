"""Nearest neighbours by blocks: all of few points, most of many, the same on any number of threads."""

from collections import Counter

import numpy as np
import pytest

from dendrometry._kernels.cluster.cells import SIDE, Pairs, reach_blocks
from dendrometry.cluster.approximate import neighbours
from dendrometry.cluster.approximate.neighbours import find_neighbours


def groups(n, d):
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, d)) + rng.normal(scale=4.0, size=(40, d))[rng.integers(0, 40, n)]


def heavy(n, d):
    """Lengths over six orders of magnitude."""
    rng = np.random.default_rng(2)
    return groups(n, d) * 10.0 ** rng.uniform(-3, 3, size=(n, 1))


def outliers(n, d):
    """All points but a few in the least part of the space."""
    points = np.random.default_rng(3).normal(scale=1e-3, size=(n, d))
    points[:20] = 100.0 * groups(20, d)
    return points


def line(n, d):
    return np.linspace(0.0, 1.0, n)[:, None] ** 2 * np.ones(d)


def found_in(points, k=10, seed=0):
    return find_neighbours(np.asarray(points / np.abs(points).max(), dtype=np.float32), k, seed, lambda _: None)


def share_found(points, near, k, some):
    """The share of the k nearest that are found, points as far away as the last of these included."""
    shares = []
    for i in some:
        apart = ((points - points[i]) ** 2).sum(axis=1)
        apart[i] = np.inf
        limit = np.partition(apart, k - 1)[k - 1] * (1 + 1e-4)
        shares.append(min(k, sum(apart[j] <= limit for j in set(near[i].tolist()) - {i})) / k)
    return np.mean(shares)


def tight(n, d):
    """Groups whose width is a ten-thousandth of their distance."""
    rng = np.random.default_rng(5)
    return rng.normal(size=(n // 80 + 1, d))[np.arange(n) // 80] + 1e-4 * rng.normal(size=(n, d))


def far_points(n, d):
    points = groups(n, d)
    points[:: n // 100] *= 1e5
    return points


MAKERS = [groups, heavy, outliers, line, tight, far_points]


@pytest.mark.parametrize("make", MAKERS)
def test_of_few_points_all_neighbours_are_found(make):
    points = make(700, 5)
    near, order = found_in(points)
    assert near.shape == (700, 10)
    assert sorted(order.tolist()) == list(range(700))
    assert share_found(points, near, 10, range(700)) > 0.999  # ties of single precision


@pytest.mark.compiled  # thousands of points
@pytest.mark.parametrize("make", MAKERS)
def test_of_many_points_most_neighbours_are_found(make, monkeypatch):
    monkeypatch.setattr(neighbours, "_EXHAUSTIVE", 0)
    monkeypatch.setattr(neighbours, "_NEAR", 3)
    monkeypatch.setattr(neighbours, "_REACHED", 4)
    points = make(8_000, 5)
    assert share_found(points, found_in(points).near, 10, range(0, 8_000, 40)) > 0.85


@pytest.mark.compiled  # thousands of points
def test_blocks_reached_over_neighbours_add_what_the_nearest_blocks_lack(monkeypatch):
    monkeypatch.setattr(neighbours, "_EXHAUSTIVE", 0)
    monkeypatch.setattr(neighbours, "_NEAR", 3)
    monkeypatch.setattr(neighbours, "_REACHED", 8)
    points, some = np.random.default_rng(4).normal(size=(8_000, 8)), range(0, 8_000, 40)
    shares = []
    for n_rounds in (1, 4):
        monkeypatch.setattr(neighbours, "_ROUNDS", n_rounds)
        shares.append(share_found(points, found_in(points).near, 10, some))
    assert shares[0] + 0.05 < shares[1]


@pytest.mark.compiled  # many pairs
def test_one_seed_gives_one_result_on_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(neighbours, "_EXHAUSTIVE", 0)
    monkeypatch.setattr(neighbours, "_NEAR", 3)
    monkeypatch.setattr(neighbours, "_REACHED", 4)
    points = groups(3_000, 4)
    results = []
    for n_threads in (1, 3):
        monkeypatch.setattr("dendrometry._threads.n_cores", lambda n_threads=n_threads: n_threads)
        monkeypatch.setattr(neighbours, "n_cores", lambda n_threads=n_threads: n_threads)
        results.append(found_in(points))
    np.testing.assert_array_equal(results[0].near, results[1].near)
    np.testing.assert_array_equal(results[0].order, results[1].order)


@pytest.mark.parametrize("n", [2, 3, SIDE, SIDE + 1])
def test_there_are_no_more_neighbours_than_other_points(n):
    near, _ = found_in(groups(n, 3), k=2 * SIDE)
    assert near.shape == (n, n - 1)
    assert [sorted({i, *row}) for i, row in enumerate(near.tolist())] == [list(range(n))] * n


@pytest.mark.compiled  # many pairs
def test_a_point_itself_takes_the_place_of_neighbours_that_are_missed(monkeypatch):
    monkeypatch.setattr(neighbours, "_EXHAUSTIVE", 0)
    monkeypatch.setattr(neighbours, "_NEAR", 1)
    monkeypatch.setattr(neighbours, "_ROUNDS", 1)
    monkeypatch.setattr(neighbours, "_REACHED", 1)
    near, _ = found_in(line(1_000, 2), k=900)
    itself = near == np.arange(1_000)[:, None]
    assert itself[:, -1].all()
    assert not itself[:, 0].any()


@pytest.mark.compiled  # thousands of points
@pytest.mark.parametrize("exhaustive", [30_000, 0])
@pytest.mark.parametrize("n_others", [0, 200])
def test_equal_points_have_different_neighbours(exhaustive, n_others, monkeypatch):
    """If all had the same few, every merge of these would concern all points."""
    monkeypatch.setattr(neighbours, "_EXHAUSTIVE", exhaustive)
    points = np.concatenate([np.random.default_rng(6).normal(size=(n_others, 3)), np.ones((5_000, 3))])
    near, _ = found_in(points, k=4)
    assert all(len(set(row) - {i}) == 4 for i, row in enumerate(near.tolist()))
    assert np.bincount(near.ravel()).max() <= 40


def test_blocks_are_reached_by_the_number_of_paths():
    rng = np.random.default_rng(0)
    n, k, n_blocks = 500, 6, 8
    near = rng.integers(-1, n, size=(n, k)).astype(np.int32)
    near[:200] %= 250
    known = {b: rng.choice(n_blocks, 2, replace=False) for b in range(n_blocks)}
    start = np.cumsum([0, *map(len, known.values())])
    reached = np.empty((n_blocks, 4), dtype=np.int32)
    pairs = Pairs(start, np.concatenate(list(known.values())))
    reach_blocks(np.arange(n_blocks), near, pairs, reached)
    for b in range(n_blocks):
        paths = Counter(
            t // SIDE
            for i in range(b * SIDE, min(n, (b + 1) * SIDE))
            for u in near[i]
            if u >= 0
            for t in near[u]
            if t >= 0
        )
        best = sorted((-count, other) for other, count in paths.items() if other != b and other not in known[b])
        assert reached[b].tolist() == ([other for _, other in best] + [-1] * 4)[:4]


def test_progress_reaches_the_number_of_points(monkeypatch):
    monkeypatch.setattr(neighbours, "_EXHAUSTIVE", 0)
    done = []
    find_neighbours(groups(1_003, 3).astype(np.float32), 5, 0, done.append)
    assert sum(done) == 1_003
    assert len(done) == 5
