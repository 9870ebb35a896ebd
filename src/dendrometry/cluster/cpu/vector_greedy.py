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
from dendrometry.cluster.cpu.neighbours import tiles_of
from dendrometry.cluster.linkages import LinkageRule

_WIDTH = 64
_KEPT = 8  # near clusters of each, which save searches when the nearest is gone


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
    while start.size.size > 1:
        count = min(start.size.size - 1, max(256, start.size.size // 4))
        pool = _pool(start, count)
        n_slots = start.size.size
        share_rows(lambda slots: kernels.find_nearest(slots, pool, form, alpha), balanced_order(n_slots))  # noqa: B023
        merges = new_merges(count)
        for done in range(0, count, 256):
            part = rows_of(merges, done, 256)
            kernels.merge_nearest(n_slots + done, pool, part, first + done, form, alpha)
            advance(part.left.size)
        parts.append(merges)
        first += count
        start = _left(pool, n_slots + count)
    return join_merges(parts)


def _pool(start: Start, room: int) -> Pool:
    """Return the clusters in tiles, with space for ``room`` more."""
    n = start.size.size
    full = n + room

    def column(values: FloatArray) -> FloatArray:
        return np.concatenate([values, np.zeros(room)])

    points = np.concatenate([start.centroid, np.zeros((room, start.centroid.shape[1]))])
    return Pool(
        np.asarray(tiles_of(points, _WIDTH), dtype=np.float64),
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
    )


def _left(pool: Pool, n_slots: int) -> Start:
    """Return the remaining clusters."""
    alive = np.flatnonzero(pool.alive[:n_slots])
    points = pool.tiles[alive // _WIDTH, :, alive % _WIDTH]
    return Start(points, pool.size[alive], pool.scatter[alive], pool.own[alive], pool.node[alive])
