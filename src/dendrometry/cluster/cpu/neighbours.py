"""The search for nearest clusters in the vector rounds.

A search by single-precision matrix products gives a short list for every cluster and a lower bound on the distances of
all others, rounding errors included; double-precision differences then decide. Products may therefore be imprecise:
where they cannot decide the nearest cluster, it is searched again by products in double precision, as are the few
clusters that a round leaves open, and then by differences.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import FUSED_ROWS
from dendrometry._kernels.cluster import all_pairs
from dendrometry._kernels.cluster import neighbours as kernels
from dendrometry._kernels.cluster.all_pairs import Bridges, Nearest, Table
from dendrometry._kernels.cluster.columns import NOWHERE, Columns, fill_factors, search_columns
from dendrometry._kernels.cluster.differences import Tiles
from dendrometry._kernels.cluster.neighbours import Clusters, Lists, Targets
from dendrometry._threads import balanced_order, n_cores, share_pairs, share_rows
from dendrometry._typing import BoolArray, FloatArray, IntArray

_BLAS_ALONE = 262_144  # multiplications in one product, few enough for BLAS not to start threads of its own
BY_SIZE = {"ward": True, "average": False}  # the updates for which clusters have a Form
_WORTH_THREADS = 2**23  # multiplications that take longer than starting threads
_SIDE = 64  # of tiles of clusters that are compared at once
_WIDE = 32  # the width of lists from which on limits for what they hold save more time than they take
_SAMPLE = 640  # clusters from which these are guessed
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
        np.full((n, width), -np.inf),
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


class Begun(NamedTuple):
    """A search of all clusters, of which some turns are done."""

    nearest: Nearest
    turns: tuple[int, int]


def search_all(
    active: IntArray,
    clusters: Clusters,
    lists: Lists,
    form: Form,
    group: IntArray | None = None,
    begun: Begun | None = None,
    after_turn: Callable[[Begun], object] = lambda _: None,
) -> None:
    """Set ``near`` and ``reach`` of all active clusters, from one product for each pair of them.

    Clusters of one ``group``, if it is given, are not in each other's lists. ``after_turn`` takes what has been done,
    and ``begun`` is that of a search that was stopped.
    """
    active = active[np.argsort(clusters.size[active], kind="stable")]
    factors = _factors(active, clusters, form)
    size = clusters.size[active]
    weigh = form.by_size and size[0] != size[-1]
    n, k = active.size, lists.near.shape[1]
    groups = active[:0] if group is None else group[active]
    table = Table(factors.rows, factors.columns, n, (size if weigh else size[:0]).astype(np.float32), groups)
    unlimited = weigh or group is not None or k < _WIDE or n < 8 * _SAMPLE
    if begun is None:
        limit = np.full(n, np.inf, dtype=np.float32) if unlimited else _limits(active, clusters, form, k)
        begun = Begun(new_nearest(limit, k), (0, 0))
    nearest = begun.nearest
    share_pairs(
        lambda rows, columns: all_pairs.search_pairs(table, nearest, rows, columns),
        n,
        _SIDE,
        lambda done, n_turns: after_turn(Begun(nearest, (done, n_turns))),
        begun.turns,
    )
    near = clusters_in(nearest)
    lists.near[active] = np.where(near >= 0, active[near], -1)
    value, weight = _values_in(nearest), np.ones((1, 1))
    if weigh:  # a share of two sizes is below that with the largest, and its own rounding is a part of the value
        value = np.minimum(value * (1.0 - 8.0 * _EPS), value * (1.0 + 8.0 * _EPS))
        weight = (size * size[-1] / (size + size[-1]))[:, None]
    scale = (2.0 if weigh else size[:, None]) if form.by_size else 1.0
    bound = scale * factors.at_least(value, weight) * (1 - 1e-12)
    lists.value[active] = bound
    lists.reach[active] = np.where(np.isfinite(value[:, -1]), bound[:, -1], np.inf)


def new_nearest(limit: NDArray[np.float32], width: int) -> Nearest:
    """Return empty lists of near clusters, into which only what is nearer than a limit for each cluster is put."""
    key = limit.view(np.int32).astype(np.int64) << 32  # no limit is negative
    return Nearest(np.repeat(key[:, None], width, axis=1), limit.copy())


def clusters_in(nearest: Nearest) -> NDArray[np.int32]:
    """Return the near clusters of each, from the nearest on, and -1 after them."""
    near: NDArray[np.int32] = (nearest.key & 0xFFFFFFFF).astype(np.int32) - 1
    return near


def _values_in(nearest: Nearest) -> FloatArray:
    """Return the distances of near clusters, or the limit where there are none."""
    ordered = (nearest.key >> 32).astype(np.int32)
    bits = np.where(ordered < 0, np.int32(-(2**31)) - ordered, ordered)
    return bits.view(np.float32).astype(np.float64)


def _limits(active: IntArray, clusters: Clusters, form: Form, width: int) -> NDArray[np.float32]:
    """Return a distance for each cluster within which there are, probably, more than ``width`` others.

    A list that starts with it is filled with less work: most of what would be put there at first, and later fall out,
    is left out from the start. It is that of one of the nearest in a sample.
    """
    n = active.size
    sample = np.arange(_SAMPLE) * n // _SAMPLE
    rank = -(-3 * width * _SAMPLE // n)  # in the sample: in all, three times the width of a list on average
    rows, columns = _rows_and_columns(active, clusters, form)
    most = _BLAS_ALONE // (kernels.BLOCK * rows.shape[1])
    tiles = tiles_of(columns[sample], max(16, min(64, most)) // 16 * 16)
    limit = np.empty(n, dtype=np.float32)

    def work(blocks: IntArray) -> None:  # whole ones, so that no product depends on the number of threads
        part = np.arange(blocks[0] * kernels.BLOCK, min(blocks[-1] * kernels.BLOCK + kernels.BLOCK, n))
        near = np.empty((part.size, rank), dtype=np.int32)
        nowhere, none = np.full(part.size, -1), np.empty((0, 0))
        limit[part] = kernels.search_products(rows[part], none.ravel(), nowhere, tiles, none, near)

    share_rows(work, np.arange(-(-n // kernels.BLOCK)))
    return limit


def bridges_of(points: Clusters, group: IntArray, form: Form) -> Bridges:
    """Return the nearest pairs of every two groups of points, which come in the order of their groups."""
    factors = _factors(np.arange(group.size), points, form)
    table = Table(factors.rows, factors.columns, group.size, np.empty(0, dtype=np.float32), group)
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


class _Factors(NamedTuple):
    """Tiles of rows and columns whose products are distances (or half of them, without sizes), and rounding errors.

    The product of row i and any column is wrong by at most ``doubt[i]``, and by at most ``near_doubt[i]`` and a
    ``share`` of the distance: columns far from the centre, of which the error is large, are far from row i.
    """

    rows: NDArray[np.float32]
    columns: NDArray[np.float32]
    doubt: FloatArray
    near_doubt: FloatArray
    share: float

    def at_least(self, value: FloatArray, weight: FloatArray) -> FloatArray:
        """Return what distances are at least whose products, times a weight at most this, are at least the values.

        There is one row of values, and a weight, for each row of the products.
        """
        far = value - self.doubt[:, None] * weight
        bound: FloatArray = np.maximum(far, (value - self.near_doubt[:, None] * weight) * (1.0 - self.share))
        return bound


def _factors(active: IntArray, clusters: Clusters, form: Form) -> _Factors:
    """Return the active clusters as factors of single-precision products."""
    centre = clusters.centroid[active].mean(axis=0)
    rows, squared = tiles_of_factors(active, clusters, (centre, form.alpha, True), _SIDE, np.float32)
    columns = rows * np.float32(-2.0 * form.alpha)
    columns[:, -2:] = rows[:, :-3:-1]
    length, own = np.sqrt(squared), form.alpha * squared + clusters.spread[active]
    unit, n_steps = _EPS / 2, rows.shape[1] + 2
    doubt = unit * (2.0 * n_steps * form.alpha * length * length.max() + 6.0 * (own + own.max())) + 1e-37
    near_doubt, share = _near_doubt(squared, form, n_steps, unit)
    return _Factors(rows, columns, doubt, near_doubt + 1e-37, share)


def tiles_of_factors(
    slots: IntArray, clusters: Clusters, form: tuple[FloatArray, float, bool], side: int, kind: type[np.floating]
) -> tuple[NDArray[Any], FloatArray]:
    """Return clusters as tiles of rows or of columns about a centre, and their squared distances from it."""
    tiles = np.empty((-(-slots.size // side), clusters.centroid.shape[1] + 2, side), dtype=kind)
    squared = np.empty(slots.size)
    share_rows(lambda blocks: fill_factors(blocks, slots, clusters, form, tiles, squared), np.arange(tiles.shape[0]))
    return tiles, squared


def _rows_and_columns(
    active: IntArray, clusters: Clusters, form: Form
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the active clusters as rows and columns whose products are distances."""
    centred = clusters.centroid[active]
    centred -= centred.mean(axis=0)
    own, ones = form.alpha * np.einsum("ij,ij->i", centred, centred) + clusters.spread[active], np.ones(active.size)
    rows, columns = (centred, ones, own), (-2.0 * form.alpha * centred, own, ones)
    return np.column_stack(rows).astype(np.float32), np.column_stack(columns).astype(np.float32)


def _near_doubt(squared: FloatArray, form: Form, n_steps: int, unit: float) -> tuple[FloatArray, float]:
    """Return the rounding errors of products: for each row, and a share of the distance in addition.

    Products are added up in the order of the coordinates, the own parts of x and y last, so the error is at most unit
    (2 n_steps alpha |x| |y| + 6 (own of x + own of y)), rounding of the factors included. If x and y are a distance r
    apart, |y| <= |x| + r, so 2 |x| |y| <= 2.125 |x|^2 + 8 r^2, and |y|^2 <= 1.125 |x|^2 + 9 r^2.
    """
    return unit * (2.125 * n_steps + 12.75) * form.alpha * squared, unit * (8.0 * n_steps + 60.0)


class KeptColumns:
    """The active clusters as columns of products in double precision, which change as they merge.

    Parameters
    ----------
    active : array of int
        The slots of the clusters.
    clusters : Clusters
        All clusters.
    form : Form
        How they give distances.

    Attributes
    ----------
    n_packed : int
        How many clusters there were at first, and are columns since.
    """

    def __init__(self, active: IntArray, clusters: Clusters, form: Form) -> None:
        n = self.n_packed = active.size
        self._form = form
        self._centre = clusters.centroid[active].mean(axis=0)
        tiles, _ = tiles_of_factors(active, clusters, (self._centre, form.alpha, False), _SIDE, np.float64)
        slot = np.full(tiles.shape[0] * _SIDE, -1, dtype=np.int64)
        slot[:n] = active
        tiles[-1, -2, n - slot.size + _SIDE :] = NOWHERE
        size = np.ones(slot.size if form.by_size else 0)
        size[:n] = clusters.size[active] if form.by_size else 0.0
        self._columns = Columns(tiles, slot, size, size.reshape(-1, _SIDE).min(axis=1) if form.by_size else size)
        self._at = np.full(clusters.size.size, -1, dtype=np.int64)
        self._at[active] = np.arange(n)

    def search(self, slots: IntArray, clusters: Clusters, lists: Lists, group: IntArray | None = None) -> None:
        """Set ``near`` and ``reach`` of the clusters in ``slots`` from products with all active ones.

        Clusters of one ``group``, if it is given, are not in each other's lists.
        """
        by_size = self._form.by_size
        n_parts = n_cores() if slots.size * self._columns.tiles.size > _WORTH_THREADS else 1
        side = min(_SIDE, -(-slots.size // (n_parts * FUSED_ROWS)) * FUSED_ROWS)
        form = (self._centre, self._form.alpha, True)
        queries, squared = tiles_of_factors(slots, clusters, form, side, np.float64)
        size = clusters.size[slots]
        near = np.empty((slots.size, lists.near.shape[1]), dtype=np.int32)
        value = np.empty(near.shape)
        groups = slots[:0] if group is None else group

        share_rows(
            lambda blocks: search_columns(blocks, queries, (slots, size, groups), self._columns, near, value),
            np.arange(queries.shape[0]),
            2,
        )
        doubt, share = _near_doubt(squared, self._form, queries.shape[1] + 2, np.finfo(np.float64).eps / 2)
        scale = 2.0 if by_size else 1.0
        doubt = (doubt + 1e-300) * (size if by_size else 1.0)
        bound = scale * (value - doubt[:, None]) * (1.0 - share) * (1 - 1e-12)
        lists.near[slots], lists.value[slots] = near, bound
        lists.reach[slots] = np.where(near[:, -1] >= 0, bound[:, -1], np.inf)

    def merge(self, low: IntArray, high: IntArray, clusters: Clusters) -> None:
        """Put the clusters that swallowed others in place of what they were, and nothing in place of the others."""
        tiles, slot, size, _ = self._columns
        to = self._at[low]
        form = (self._centre, self._form.alpha, False)
        new, _ = tiles_of_factors(low, clusters, form, 1, np.float64)
        tiles[to // _SIDE, :, to % _SIDE] = new[:, :, 0]
        if self._form.by_size:
            size[to] = clusters.size[low]
        gone = self._at[high]
        slot[gone] = -1
        tiles[gone // _SIDE, -2, gone % _SIDE] = NOWHERE


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
