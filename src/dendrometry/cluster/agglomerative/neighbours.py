"""The search for nearest clusters in the vector rounds.

A search by single-precision matrix products gives a short list for every cluster and a lower bound on the distances of
all others, rounding errors included; double-precision differences then decide. Products may therefore be imprecise:
where they cannot decide the nearest cluster, it is searched again by differences. To run the search on another device,
replace `search`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.distances import neighbours as kernels
from dendrometry._kernels.distances.neighbours import Clusters, Lists
from dendrometry._threads import share_rows

__all__ = [
    "BLAS_ALONE",
    "BY_SIZE",
    "Form",
    "certain_pairs",
    "decide",
    "new_lists",
    "search",
    "search_exactly",
    "tiles_of",
]

BLAS_ALONE = 262_144  # multiplications in one product, few enough for BLAS not to start threads of its own
BY_SIZE = {"ward": True, "average": False}  # the updates for which clusters have a Form
_FAR = np.float32(1e38)


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


def search(slots: IntArray, active: IntArray, clusters: Clusters, lists: Lists, form: Form) -> None:
    """Set ``near`` and ``reach`` of the clusters in ``slots`` from matrix products with all active ones."""
    slots = slots[np.argsort(clusters.size[slots], kind="stable")]
    centre = clusters.centroid[active].mean(axis=0)
    centred = clusters.centroid[active] - centre
    length = np.einsum("ij,ij->i", centred, centred)
    own = form.alpha * length + clusters.spread[active]
    n_columns = max(16, min(64, BLAS_ALONE // (128 * (clusters.centroid.shape[1] + 2)))) // 4 * 4
    target = np.column_stack([-2.0 * form.alpha * centred, own, np.ones(active.size)])
    tiles = tiles_of(target.astype(np.float32), n_columns)
    tiles[-1, -2, active.size - (tiles.shape[0] - 1) * n_columns :] = _FAR
    size = np.ones((tiles.shape[0], n_columns))
    size.ravel()[: active.size] = clusters.size[active]
    at = np.searchsorted(active, slots)
    query = np.column_stack([centred[at], np.ones(slots.size), own[at]]).astype(np.float32)
    doubt = _rounding(np.sqrt(length), own, at, query.shape[1], form.alpha)

    def work(rows: IntArray) -> None:
        near = np.empty((rows.size, lists.near.shape[1]), dtype=np.int32)
        reach = kernels.search_products(
            query[rows],
            clusters.size[slots[rows]],
            at[rows],
            tiles,
            size if form.by_size else size[:0],
            near,
        )
        known = (near >= 0) & (near < active.size)
        lists.near[slots[rows]] = np.where(known, active[np.where(known, near, 0)], -1)
        scale = 2.0 * clusters.size[slots[rows]] if form.by_size else 1.0
        lists.reach[slots[rows]] = np.where(known.all(axis=1), scale * (reach - doubt[rows]) * (1 - 1e-12), np.inf)

    share_rows(work, np.arange(slots.size))


def _rounding(length: FloatArray, own: FloatArray, at: IntArray, width: int, alpha: float) -> FloatArray:
    """Return a bound on the error of the single-precision distances of each query."""
    eps = float(np.finfo(np.float32).eps)
    terms = 2.0 * alpha * length[at] * length.max() + own[at] + own.max()
    doubt: FloatArray = eps * (width + 8) * terms + 1e-37
    return doubt


def search_exactly(slots: IntArray, active: IntArray, clusters: Clusters, lists: Lists, form: Form) -> None:
    """Set the lists of the clusters in ``slots`` from exact distances to all active ones."""
    tiles = np.asarray(tiles_of(clusters.centroid[active], 64), dtype=np.float64)
    share_rows(lambda part: kernels.search_differences(part, clusters, active, tiles, lists, form), slots, 2)


def decide(slots: IntArray, partner: IntArray, root: IntArray, clusters: Clusters, lists: Lists, form: Form) -> None:
    """Find the nearest cluster of each cluster in ``slots`` among those in its list, and whether it is certain."""
    share_rows(lambda part: kernels.evaluate(part, partner, root, clusters, lists, form), slots, 512)


def certain_pairs(active: IntArray, nearest: IntArray, certain: BoolArray) -> IntArray:
    """Return the lower slot of every pair of clusters that are certainly each other's only nearest cluster."""
    other = np.maximum(nearest[active], 0)  # -1 if unknown, which is not certain
    low: IntArray = active[(nearest[other] == active) & (active < other) & certain[active] & certain[other]]
    return low
