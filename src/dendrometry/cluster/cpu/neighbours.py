"""The search for nearest clusters in the vector rounds.

A search by single-precision matrix products gives a short list for every cluster and a lower bound on the distances of
all others, rounding errors included; double-precision differences then decide. Products may therefore be imprecise:
where they cannot decide the nearest cluster, it is searched again by differences. To run the search on another device,
replace `search`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels.cluster import all_pairs
from dendrometry._kernels.cluster import neighbours as kernels
from dendrometry._kernels.cluster.all_pairs import Bridges, Nearest, Table
from dendrometry._kernels.cluster.differences import Tiles
from dendrometry._kernels.cluster.neighbours import Clusters, Lists, Targets
from dendrometry._threads import balanced_order, share_pairs, share_rows
from dendrometry._typing import BoolArray, FloatArray, IntArray

_BLAS_ALONE = 262_144  # multiplications in one product, few enough for BLAS not to start threads of its own
BY_SIZE = {"ward": True, "average": False}  # the updates for which clusters have a Form
_SIDE = 64  # of tiles of clusters that are compared at once
_WIDE = 32  # the width of lists from which on limits for what they hold save more time than they take
_SAMPLE = 640  # clusters from which these are guessed
_FAR = np.float32(1e38)
_EPS = float(np.finfo(np.float32).eps)


class Form(NamedTuple):
    """How centroids give distances: by size (Ward), or ``alpha`` times the squared distance plus both spreads."""

    by_size: bool
    alpha: float


def new_lists(n: int, width: int = 12) -> Lists:
    """Return empty lists for n clusters, of ``width`` near clusters each."""
    return Lists(
        np.full((n, width), -1, dtype=np.int32),
        np.zeros(n),
        np.full(n, -1, dtype=np.int64),
        np.full(n, np.inf),
        np.zeros(n, dtype=bool),
        np.zeros(n, dtype=bool),
    )


def tiles_of(rows: NDArray[np.floating], n_columns: int) -> NDArray[np.floating]:
    """Return points as tiles: blocks of ``n_columns`` points, one column each, the last block padded with zeros."""
    n_tiles = -(-rows.shape[0] // n_columns)
    full = np.zeros((n_tiles * n_columns, rows.shape[1]), dtype=rows.dtype)
    full[: rows.shape[0]] = rows
    return np.ascontiguousarray(full.reshape(n_tiles, n_columns, rows.shape[1]).transpose(0, 2, 1))


def exact_tiles(points: FloatArray, n_columns: int) -> Tiles:
    """Return points as tiles of exact differences."""
    tiles = np.asarray(tiles_of(points, n_columns), dtype=np.float64)
    n_tiles, n_fours = tiles.shape[0], tiles.shape[1] // 4
    used = (tiles[:, : 4 * n_fours] != 0.0).reshape(n_tiles, n_fours, 4 * n_columns).any(axis=2)
    return Tiles(tiles, used)


def search(slots: IntArray, active: IntArray, clusters: Clusters, lists: Lists, form: Form) -> None:
    """Set ``near`` and ``reach`` of the clusters in ``slots`` from matrix products with all active ones."""
    if slots.size == active.size:
        search_all(active, clusters, lists, form)
        return
    slots = slots[np.argsort(clusters.size[slots], kind="stable")]
    factors = _factors(active, clusters, form)
    n_columns = _n_columns(factors)
    tiles = tiles_of(factors.columns, n_columns)
    tiles[-1, -2, active.size - (tiles.shape[0] - 1) * n_columns :] = _FAR
    size = np.ones((tiles.shape[0], n_columns))
    size.ravel()[: active.size] = clusters.size[active]
    at = np.searchsorted(active, slots)

    def work(part: IntArray) -> None:
        near = np.empty((part.size, lists.near.shape[1]), dtype=np.int32)
        reach = kernels.search_products(
            factors.rows[at[part]],
            clusters.size[slots[part]],
            at[part],
            tiles,
            size if form.by_size else size[:0],
            near,
        )
        known = (near >= 0) & (near < active.size)
        lists.near[slots[part]] = np.where(known, active[np.where(known, near, 0)], -1)
        scale = 2.0 * clusters.size[slots[part]] if form.by_size else 1.0
        bound = scale * factors.at_least(reach, at[part]) * (1 - 1e-12)
        lists.reach[slots[part]] = np.where(known.all(axis=1), bound, np.inf)

    share_rows(work, np.arange(slots.size))


def search_all(active: IntArray, clusters: Clusters, lists: Lists, form: Form, group: IntArray | None = None) -> None:
    """Set ``near`` and ``reach`` of all active clusters, from one product for each pair of them.

    Clusters of one ``group``, if it is given, are not in each other's lists.
    """
    active = active[np.argsort(clusters.size[active], kind="stable")]
    factors = _factors(active, clusters, form)
    size = clusters.size[active]
    weigh = form.by_size and size[0] != size[-1]
    n, k = active.size, lists.near.shape[1]
    groups = active[:0] if group is None else group[active]
    table = _table(factors, (size if weigh else size[:0]).astype(np.float32), groups)
    unlimited = weigh or group is not None or k < _WIDE or n < 8 * _SAMPLE
    nearest = new_nearest(np.full(n, np.inf, dtype=np.float32) if unlimited else _limits(factors, k), k)
    share_pairs(lambda rows, columns: all_pairs.search_pairs(table, nearest, rows, columns), n, _SIDE)
    near = clusters_in(nearest)
    lists.near[active] = np.where(near >= 0, active[near], -1)
    last, weight = nearest.last.astype(np.float64), 1.0
    if weigh:  # a share of two sizes is below that with the largest, and its own rounding is a part of the value
        last = np.minimum(last * (1.0 - 8.0 * _EPS), last * (1.0 + 8.0 * _EPS))
        weight = size * size[-1] / (size + size[-1])
    scale = (2.0 if weigh else size) if form.by_size else 1.0
    bound = scale * factors.at_least(last, np.arange(n), weight) * (1 - 1e-12)
    lists.reach[active] = np.where(np.isfinite(last), bound, np.inf)


def new_nearest(limit: NDArray[np.float32], width: int) -> Nearest:
    """Return empty lists of near clusters, into which only what is nearer than a limit for each cluster is put."""
    key = limit.view(np.int32).astype(np.int64) << 32  # no limit is negative
    return Nearest(np.repeat(key[:, None], width, axis=1), limit.copy())


def clusters_in(nearest: Nearest) -> NDArray[np.int32]:
    """Return the near clusters of each, from the nearest on, and -1 after them."""
    near: NDArray[np.int32] = (nearest.key & 0xFFFFFFFF).astype(np.int32) - 1
    return near


def _limits(factors: "_Factors", width: int) -> NDArray[np.float32]:
    """Return a distance for each cluster within which there are, probably, more than ``width`` others.

    A list that starts with it is filled with less work: most of what would be put there at first, and later fall out,
    is left out from the start. It is that of one of the nearest in a sample.
    """
    n = factors.rows.shape[0]
    sample = np.arange(_SAMPLE) * n // _SAMPLE
    rank = -(-3 * width * _SAMPLE // n)  # in the sample: in all, three times the width of a list on average
    tiles = tiles_of(factors.columns[sample], _n_columns(factors))
    limit = np.empty(n, dtype=np.float32)

    def work(blocks: IntArray) -> None:  # whole ones, so that no product depends on the number of threads
        part = np.arange(blocks[0] * kernels.BLOCK, min(blocks[-1] * kernels.BLOCK + kernels.BLOCK, n))
        near = np.empty((part.size, rank), dtype=np.int32)
        nowhere, none = np.full(part.size, -1), np.empty((0, 0))
        limit[part] = kernels.search_products(factors.rows[part], none.ravel(), nowhere, tiles, none, near)

    share_rows(work, np.arange(-(-n // kernels.BLOCK)))
    return limit


def bridges_of(points: Clusters, group: IntArray, form: Form) -> Bridges:
    """Return the nearest pairs of every two groups of points, which come in the order of their groups."""
    factors = _factors(np.arange(group.size), points, form)
    table = _table(factors, np.empty(0, dtype=np.float32), group)
    parts: list[Bridges] = []
    numbers = form.alpha, factors.near_doubt, factors.share
    share_rows(
        lambda blocks: parts.append(all_pairs.search_bridges(blocks, table, points, numbers)),
        balanced_order(table.tiles.shape[0]),
        2,
    )
    found = parts[0]
    for part in parts[1:]:
        nearer, same = part.length < found.length, (part.length == found.length) & (part.first >= 0)
        found = Bridges(
            np.minimum(found.length, part.length),
            np.where(nearer, part.first, found.first),
            np.where(nearer, part.second, found.second),
            np.where(nearer, part.tied, found.tied | same),
        )
    return found


def _n_columns(factors: "_Factors") -> int:
    """Return the width of tiles that are multiplied by blocks of queries."""
    most = _BLAS_ALONE // (kernels.BLOCK * int(factors.rows.shape[1]))
    return max(16, min(64, most)) // 16 * 16


def _table(factors: "_Factors", size: NDArray[np.float32], group: IntArray) -> Table:
    """Return clusters as tiles of factors."""
    n = factors.rows.shape[0]
    return Table(tiles_of(factors.rows, _SIDE), tiles_of(factors.columns, _SIDE), n, size, group)


class _Factors(NamedTuple):
    """Rows and columns whose products are distances (or half of them, without the sizes), and their rounding errors.

    The product of row i and any column is wrong by at most ``doubt[i]``, and by at most ``near_doubt[i]`` and a
    ``share`` of the distance: columns far from the centre, of which the error is large, are far from row i.
    """

    rows: NDArray[np.float32]
    columns: NDArray[np.float32]
    doubt: FloatArray
    near_doubt: FloatArray
    share: float

    def at_least(self, value: FloatArray, at: IntArray, weight: float | FloatArray = 1.0) -> FloatArray:
        """Return what distances are at least whose products, times a weight at most this, are at least the values."""
        far = value - self.doubt[at] * weight
        bound: FloatArray = np.maximum(far, (value - self.near_doubt[at] * weight) * (1.0 - self.share))
        return bound


def _factors(active: IntArray, clusters: Clusters, form: Form) -> _Factors:
    """Return the active clusters as factors of single-precision products."""
    centred = clusters.centroid[active]
    centred -= centred.mean(axis=0)
    squared = np.einsum("ij,ij->i", centred, centred)
    length, own = np.sqrt(squared), form.alpha * squared + clusters.spread[active]
    rows = np.column_stack([centred, np.ones(active.size), own])
    columns = np.column_stack([-2.0 * form.alpha * centred, own, np.ones(active.size)])
    share = _EPS * (rows.shape[1] + 8)
    doubt = share * (2.0 * form.alpha * length * length.max() + own + own.max()) + 1e-37
    # If x and y are a distance r apart, |y| <= |x| + r, so (|x| + |y|)^2 <= 8 |x|^2 + 2 r^2.
    near_doubt = share * 8.0 * form.alpha * squared + 1e-37
    return _Factors(rows.astype(np.float32), columns.astype(np.float32), doubt, near_doubt, 2.0 * share)


def search_exactly(
    slots: IntArray, active: IntArray, clusters: Clusters, lists: Lists, form: Form, group: IntArray | None = None
) -> None:
    """Set the lists of the clusters in ``slots`` from exact distances to all active ones.

    Clusters of one ``group``, if it is given, are not in each other's lists.
    """
    centre = clusters.centroid[active].mean(axis=0)
    radius = _radii(active, clusters, centre)
    order = np.argsort(radius, kind="stable")
    targets = Targets(
        active[order],
        radius[order],
        exact_tiles(clusters.centroid[active[order]], 64),
        float(clusters.spread[active].min()),
        active[:0] if group is None else group,
    )

    def work(part: IntArray) -> None:
        kernels.search_differences(part, _radii(part, clusters, centre), clusters, targets, lists, form)

    share_rows(work, slots, 2)


def _radii(slots: IntArray, clusters: Clusters, centre: FloatArray) -> FloatArray:
    """Return how far the centroids of clusters are from a point."""
    away = clusters.centroid[slots] - centre
    radii: FloatArray = np.sqrt(np.einsum("ij,ij->i", away, away))
    return radii


def decide(slots: IntArray, partner: IntArray, root: IntArray, clusters: Clusters, lists: Lists, form: Form) -> None:
    """Find the nearest cluster of each cluster in ``slots`` among those in its list, and whether it is certain."""
    share_rows(lambda part: kernels.evaluate(part, partner, root, clusters, lists, form), slots, 512)


def certain_pairs(active: IntArray, nearest: IntArray, certain: BoolArray) -> IntArray:
    """Return the lower slot of every pair of clusters that are certainly each other's only nearest cluster."""
    other = np.maximum(nearest[active], 0)  # -1 if unknown, which is not certain
    low: IntArray = active[(nearest[other] == active) & (active < other) & certain[active] & certain[other]]
    return low
