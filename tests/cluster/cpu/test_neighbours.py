"""The search for near clusters by products: what it leaves out is as far as it says, and waiting changes no tree."""

import numpy as np
import pytest

from dendrometry import _threads, agglomerate
from dendrometry._kernels.cluster.all_pairs import keep_nearest
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry.cluster.cpu import ward
from dendrometry.cluster.cpu.neighbours import (
    Form,
    KeptColumns,
    clusters_in,
    new_lists,
    new_nearest,
    search_all,
    search_exactly,
)
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.hierarchy import Hierarchy

RNG = np.random.default_rng(22)
POINTS = {
    "noise": RNG.normal(size=(300, 5)),
    "one dimension": RNG.normal(size=(200, 1)),
    "many dimensions": RNG.normal(size=(150, 400)),
    "tight clusters far apart": 1e4 * RNG.normal(size=(8, 3))[RNG.integers(8, size=250)] + RNG.normal(size=(250, 3)),
    "far from the origin": RNG.normal(size=(200, 4)) + 1e7,
    "whole numbers": RNG.integers(0, 3, size=(300, 4)).astype(float),
    "few": RNG.normal(size=(7, 2)),
    "outliers": np.concatenate([RNG.normal(size=(200, 4)), 1e7 * RNG.normal(size=(3, 4))]),
    "widths apart": np.concatenate([10.0**-k * RNG.normal(size=(60, 6)) + 9 * RNG.normal(size=6) for k in range(5)]),
}


def exact_distances(clusters, form):
    delta = ((clusters.centroid[:, None] - clusters.centroid[None]) ** 2).sum(axis=2)
    if form.by_size:
        size = clusters.size
        return 2 * size[:, None] * size[None] / (size[:, None] + size[None]) * delta
    return form.alpha * delta + clusters.spread[:, None] + clusters.spread[None]


@pytest.mark.parametrize("limit", [np.inf, 9.0])
@pytest.mark.parametrize("group", [[], [0, 1] * 45])
def test_lists_hold_what_is_nearest_by_value_then_by_number(limit, group):
    n, width, side = 90, 6, 64
    value = np.random.default_rng(3).integers(-1, 40, size=(n, n)).astype(np.float32)  # rounding leaves negative ones
    value = np.triu(value, 1) + np.triu(value, 1).T
    np.fill_diagonal(value, np.inf)
    groups = np.array(group, dtype=np.int64)
    nearest = new_nearest(np.full(n, limit, dtype=np.float32), width)
    for first, start in ((0, 64), (64, 64), (0, 0)):
        tile = np.full((min(side, n - first), side), np.inf, dtype=np.float32)
        block = value[first : first + side, start : start + side]
        tile[:, : block.shape[1]] = block
        if first == start:
            tile[np.tri(*tile.shape, dtype=bool)] = np.inf
        keep_nearest(tile, first, start, groups, nearest, 0)
    near = clusters_in(nearest)
    for c in range(n):
        others = [s for s in np.lexsort((np.arange(n), value[c])) if value[c, s] < limit]
        others = [s for s in others if not group or group[s] != group[c]][:width]
        assert near[c].tolist() == others + [-1] * (width - len(others))
        assert nearest.last[c] == (value[c, others[-1]] if len(others) == width else limit)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("sizes", ["equal", "various"])
@pytest.mark.parametrize("by_size", [True, False])
@pytest.mark.further
def test_a_list_leaves_out_only_clusters_beyond_its_reach(name, sizes, by_size):
    points, rng = POINTS[name], np.random.default_rng(1)
    n = len(points)
    size = np.ones(n) if sizes == "equal" else rng.integers(1, 50, size=n).astype(float)
    spread = np.zeros(n) if by_size else rng.random(n)
    clusters, form = Clusters(points, size, spread, np.arange(n)), Form(by_size, 1.0 if by_size else 0.5)
    distance = exact_distances(clusters, form)
    active = np.flatnonzero(rng.random(n) < 0.8)
    group = rng.integers(0, n // 3, size=n)
    for slots, groups in ((active[::3], None), (active[::3], group), (active, None), (active, group)):
        lists = new_lists(n)
        if slots.size < active.size:
            KeptColumns(active, clusters, form).search(slots, clusters, lists, groups)
        else:
            search_all(active, clusters, lists, form, groups)
        for c in slots:
            near = lists.near[c][lists.near[c] >= 0]
            assert np.unique(near).size == near.size
            assert np.isin(near, active).all()
            assert c not in near
            others = np.setdiff1d(active, [c, *near])
            if groups is not None:
                assert not (groups[near] == groups[c]).any()
                others = others[groups[others] != groups[c]]
            assert (distance[c, others] >= lists.reach[c]).all()
            assert near.size == 12 or others.size == 0


def test_lists_do_not_depend_on_the_number_of_threads(monkeypatch):
    points = np.round(np.random.default_rng(3).normal(size=(1500, 3)), 1)
    n = len(points)
    clusters = Clusters(points, np.arange(n) % 3 + 1.0, np.zeros(n), np.arange(n))
    found, few = [], []
    for n_cores in (1, 2, 5):
        monkeypatch.setattr(_threads, "n_cores", lambda n_cores=n_cores: n_cores)
        lists = new_lists(n)
        search_all(np.arange(n), clusters, lists, Form(True, 1.0))
        found.append(lists)
        lists = new_lists(n)
        KeptColumns(np.arange(n), clusters, Form(True, 1.0)).search(np.arange(0, n, 7), clusters, lists)
        few.append(lists)
    for lists in few[1:]:
        assert np.array_equal(lists.near, few[0].near)
        assert np.array_equal(lists.reach, few[0].reach)
    for lists in found[1:]:
        assert np.array_equal(lists.near, found[0].near)
        assert np.array_equal(lists.reach, found[0].reach)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("by_size", [True, False])
def test_columns_that_are_kept_change_as_clusters_merge(name, by_size):
    rng = np.random.default_rng(6)
    points = POINTS[name].copy()
    n = len(points)
    size, spread = rng.integers(1, 9, size=n).astype(float), np.zeros(n) if by_size else rng.random(n)
    clusters, form = Clusters(points, size, spread, np.arange(n)), Form(by_size, 1.0 if by_size else 0.5)
    columns = KeptColumns(np.arange(n), clusters, form)
    low, high = rng.permutation(n)[: n // 2 * 2].reshape(2, -1)[:, : n // 3]
    clusters.centroid[low] = 0.5 * (clusters.centroid[low] + clusters.centroid[high])
    clusters.size[low] += clusters.size[high]
    clusters.spread[low] += 0.0 if by_size else 1.0
    columns.merge(low, high, clusters)
    left, lists = np.setdiff1d(np.arange(n), high), new_lists(n, 4)
    columns.search(left, clusters, lists)
    distance = exact_distances(clusters, form)
    for c in left:
        near, others = lists.near[c][lists.near[c] >= 0], np.setdiff1d(left, c)
        assert near.size == min(4, others.size)
        assert np.isin(near, others).all()
        assert np.unique(near).size == near.size
        beyond = np.setdiff1d(others, near)
        assert (distance[c, beyond] >= lists.reach[c]).all()
        assert beyond.size == 0 or lists.reach[c] > distance[c, near].max() * (1 - 1e-9) - 1e-13 * distance.max()


def test_what_was_certain_stays_so_where_products_no_longer_tell(monkeypatch):
    rng = np.random.default_rng(8)
    points = np.concatenate([1e-5 * rng.normal(size=(300, 6)) + 9.0, rng.normal(size=(900, 6))])
    searched = []
    plain = KeptColumns.search
    monkeypatch.setattr(
        KeptColumns, "search", lambda self, slots, *more: (searched.append(slots), plain(self, slots, *more))
    )
    built = agglomerate(points, linkage="ward")
    assert built.report.algorithm == "vector_reciprocal"
    assert np.isin(np.arange(300), searched[0]).sum() > 250  # products in single precision do not tell them apart
    assert sum(part.size for part in searched) < 4 * points.shape[0]


PAIRS = np.array([[x, y, 0.0] for x in (-40, 0, 40) for y in (-1, 1)])  # as clusters, the middle one is tied
TREES = {
    "noise": np.random.default_rng(0).normal(size=(1500, 8)),
    "clusters": 5 * RNG.normal(size=(30, 6))[RNG.integers(30, size=1200)] + RNG.normal(size=(1200, 6)),
    "ties from the first": RNG.integers(0, 3, size=(1200, 6)).astype(float),
    "a late tie": np.concatenate([RNG.normal(size=(1194, 3)) + 1000, PAIRS]),
    "repeated": RNG.normal(size=(400, 5))[RNG.integers(400, size=1200)],
    "a chain": np.cumsum(1.01 ** np.arange(1100.0))[:, None] * np.ones(3),
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize(("linkage", "metric"), [("ward", "euclidean"), ("average", "sqeuclidean")])
def test_waiting_changes_no_tree(name, linkage, metric, monkeypatch):
    waited = agglomerate(TREES[name], linkage=linkage, metric=metric)
    assert waited.report.algorithm == "vector_reciprocal"
    monkeypatch.setattr(ward, "_WAIT", 0)
    at_once = agglomerate(TREES[name], linkage=linkage, metric=metric)
    assert waited.report.ties == at_once.report.ties
    assert_equal(waited.hierarchy, at_once.hierarchy)


def test_a_late_tie_begins_anew_without_waiting(monkeypatch):
    engines, steps = [], []
    plain = ward._Compiled

    def engine(start, form, waiting, *more):
        engines.append(waiting)
        return plain(start, form, waiting, *more)

    monkeypatch.setattr(ward, "_Compiled", engine)
    start = ward.Start(TREES["a late tie"], np.ones(1200), np.zeros(1200), np.zeros(1200), np.arange(1200))
    merges = ward.vector_reciprocal(start, LINKAGES["ward"], 1.0, steps.append)
    assert engines == [True, False]
    assert sum(steps) == merges.left.size == 1199


def assert_equal(a: Hierarchy, b: Hierarchy):
    assert np.array_equal(a.parent, b.parent)
    assert np.array_equal(a.height, b.height)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("by_size", [True, False])
def test_lists_of_exact_distances_hold_what_is_nearest_though_tiles_are_left_out(name, grouped, by_size):
    rng = np.random.default_rng(4)
    points = POINTS[name]
    n = points.shape[0]
    size, spread = rng.integers(1, 9, size=n).astype(float), np.zeros(n) if by_size else rng.random(n)
    clusters, form = Clusters(points, size, spread, rng.permutation(n)), Form(by_size, 0.5)
    group = rng.integers(0, 3, size=n) if grouped else None
    active, lists = np.sort(rng.permutation(n)[: n - 2]), new_lists(n, 4)
    search_exactly(active, active, clusters, lists, form, group)
    distance = exact_distances(clusters, form)
    for c in active:
        others = [s for s in active if s != c and (group is None or group[s] != group[c])]
        others.sort(key=lambda s: distance[c, s])
        held = lists.near[c][lists.near[c] >= 0]
        assert distance[c, held] == pytest.approx(distance[c, others[:4]], rel=1e-12)
        assert lists.distance[c] == pytest.approx(distance[c, others[0]], rel=1e-12)
        assert lists.reach[c] == (np.inf if len(others) < 4 else pytest.approx(distance[c, others[3]], rel=1e-12))
