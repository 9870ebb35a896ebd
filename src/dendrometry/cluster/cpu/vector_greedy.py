"""The greedy algorithm on centroids, for linkages under which a new cluster may be nearer than its parts were.

Group average, centroid and median are not reducible: after a merge the new cluster may become the nearest of any
other, so chains and rounds of reciprocal nearest neighbours build wrong trees. Here the nearest pair of all is merged,
one pair at a time, and the new cluster is compared with every other: O(n d) memory, O(n^2 d) time in practice. Of tied
pairs, the one with the lowest node numbers is merged; the vector rounds use this algorithm for clusters with ties.
"""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels.cluster import vector_greedy as kernels
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._kernels.cluster.vector_greedy import Pool
from dendrometry._progress import Advance
from dendrometry._threads import balanced_order, share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import MergeSequence, first_of, join_merges, new_merges, rows_of
from dendrometry.cluster.cpu.neighbours import exact_tiles
from dendrometry.cluster.linkages import LinkageRule

_WIDTH = 64
_KEPT = 16  # near clusters of each, which save searches when the nearest is gone


class Start(NamedTuple):
    """The initial clusters, in ascending order of node number: see `Pool`."""

    centroid: FloatArray
    size: FloatArray
    scatter: FloatArray
    own: FloatArray
    node: IntArray


def single_points(points: FloatArray, own: FloatArray) -> Start:
    """Return every point as a cluster; ``own`` is the term that each adds to its distances (0 for true distances)."""
    n = points.shape[0]
    return Start(points, np.ones(n), np.zeros(n), own, np.arange(n))


def vector_greedy(start: Start, rule: LinkageRule, alpha: float, advance: Advance) -> MergeSequence:
    """Build the tree of clusters, numbered from 0.

    A linkage that is not reducible may have inversions above given clusters, even if it has none above single points.
    """
    n = start.size.size
    left, right, height, tied = merge_all(start, kernels.FORMS.index(rule.update), alpha, n, advance)
    if rule.monotone and (rule.reducible or start.size.max() == 1.0):
        height = np.maximum.accumulate(height)  # decreases are rounding errors
    return MergeSequence(left, right, height, int(tied.sum()), n - 1, first_of(tied))


def merge_all(start: Start, form: int, alpha: float, first: int, advance: Advance) -> Merges:
    """Merge the clusters until one is left; the first merge becomes node ``first``."""
    parts = [new_merges(0)]
    n_slots = start.size.size
    pool = _pool(start, _count(n_slots))
    unknown = np.arange(n_slots)
    while n_slots > 1:
        count = _count(n_slots)
        _find_nearest(unknown, pool, form, alpha)
        merges = new_merges(count)
        for done in range(0, count, 256):
            part = rows_of(merges, done, 256)
            kernels.merge_nearest(n_slots + done, pool, part, first + done, form, alpha)
            advance(part.left.size)
        parts.append(merges)
        first += count
        n_slots -= count
        pool, unknown = _packed(pool, _count(n_slots))
    return join_merges(parts)


def _count(n: int) -> int:
    """Return how many merges of n clusters are made before those that are left are packed."""
    return min(n - 1, max(256, n // 4))


def _find_nearest(slots: IntArray, pool: Pool, form: int, alpha: float) -> None:
    """Search the nearest cluster below some slots, in ascending order, on all cores."""
    share_rows(lambda part: kernels.find_nearest(part, pool, form, alpha), slots[balanced_order(slots.size)])


def _pool(start: Start, room: int) -> Pool:
    """Return the clusters in tiles, with space for ``room`` more."""
    n = start.size.size
    full = n + room

    def column(values: FloatArray) -> FloatArray:
        return np.concatenate([values, np.zeros(room)])

    points = np.concatenate([start.centroid, np.zeros((room, start.centroid.shape[1]))])
    return Pool(
        exact_tiles(points, _WIDTH),
        column(start.size),
        column(start.scatter),
        column(start.own),
        np.concatenate([start.node, np.zeros(room, dtype=np.int64)]),
        np.full(full, -1, dtype=np.int64),
        np.full(full, np.inf),
        np.zeros(full, dtype=bool),
        np.arange(full) < n,
        np.arange(full + 1),
        np.full((full, _KEPT), -1, dtype=np.int32),
        np.full((full, _KEPT), np.inf),
        np.full(full, np.inf),
    )


def _packed(pool: Pool, room: int) -> tuple[Pool, IntArray]:
    """Return the live clusters with space for ``room`` more, and those whose nearest one the lists do not tell."""
    left = np.flatnonzero(pool.alive)
    n = left.size
    points = pool.tiles.points[left // _WIDTH, :, left % _WIDTH]
    packed = _pool(Start(points, pool.size[left], pool.scatter[left], pool.own[left], pool.node[left]), room)
    number = np.where(pool.alive, np.cumsum(pool.alive) - 1, -1)
    near = np.where(pool.near[left] >= 0, number[pool.near[left]], -1)
    order = np.argsort(near < 0, axis=1, kind="stable")  # those that live, in the same order
    packed.near[:n] = np.take_along_axis(near, order, axis=1)
    packed.away[:n] = np.where(packed.near[:n] >= 0, np.take_along_axis(pool.away[left], order, axis=1), np.inf)
    packed.reach[:n] = pool.reach[left]
    packed.nearest[:n], packed.distance[:n] = packed.near[:n, 0], packed.away[:n, 0]
    packed.tied[:n] = (packed.near[:n, 1] >= 0) & (packed.away[:n, 1] == packed.away[:n, 0])
    told = (packed.near[:n, 1] >= 0) | (packed.distance[:n] < packed.reach[:n])
    told[0] = True  # there is none below
    return packed, np.flatnonzero(~told)
