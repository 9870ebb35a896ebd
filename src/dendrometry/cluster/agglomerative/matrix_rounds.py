"""Rounds of reciprocal nearest neighbours on a matrix: complete, average, weighted and ward, on any metric.

As in the vector rounds, all pairs of clusters that are each other's only nearest cluster merge at once. Here the matrix
of distances is stored and updated by the formulas of Lance and Williams: first the rows of all pairs, then in every row
the columns of all pairs, so that memory is read sequentially and the cores share the rows. The matrix shrinks as
clusters merge. If ties leave no certain pair, the greedy algorithm merges the rest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.agglomerative import matrix_greedy as greedy_kernels
from dendrometry._kernels.agglomerative import matrix_rounds as kernels
from dendrometry._kernels.agglomerative.lance_williams import UPDATES
from dendrometry._kernels.agglomerative.matrix_rounds import Nearest, Pairs
from dendrometry._progress import Advance
from dendrometry._threads import share_rows
from dendrometry.cluster.agglomerative.matrix_greedy import merge_matrix
from dendrometry.cluster.agglomerative.merges import Merges, MergeSequence, in_greedy_order, join_merges, renumber
from dendrometry.cluster.agglomerative.neighbours import certain_pairs

__all__ = ["matrix_rounds"]

_SHRINK = 0.7  # the matrix is packed when fewer of its rows than this are in use
_YIELD = 64  # the greedy algorithm takes over after a round that searches this many times more clusters than it merges,
_CHAIN = 1000  # or that merges less than one in this many clusters, as happens if they form a chain


def matrix_rounds(
    flat: NDArray[Any], size: FloatArray, node: IntArray, made: Merges, update: str, advance: Advance
) -> MergeSequence:
    """Merge clusters until one is left, after the merges ``made``, given their distances as a flat square matrix.

    The matrix (of squared distances for ward) is overwritten.
    """
    n = size.size + made.left.size
    code = UPDATES.index(update)
    size, node = size.copy(), node.copy()
    matrix = flat.reshape(size.size, size.size)
    np.fill_diagonal(matrix, np.inf)
    nearest = _new_nearest(size.size)
    alive = np.ones(size.size, dtype=bool)
    changed = np.arange(size.size)
    parts = [made]
    rounds, n_nodes = 0, n + made.left.size
    while n_nodes < 2 * n - 1:
        bits = matrix.view(np.int32 if matrix.itemsize == 4 else np.int64)
        share_rows(lambda rows: kernels.find_nearest(rows, matrix, bits, nearest), changed)  # noqa: B023
        active = np.flatnonzero(alive)
        low = certain_pairs(active, nearest.slot, ~nearest.tied)
        if low.size * _YIELD < min(changed.size, active.size) or low.size * _CHAIN < active.size:
            left = np.flatnonzero(alive)
            greedy_kernels.compact(flat, alive.size, left)
            done, number = renumber(n, join_merges(parts))
            parts = [done, merge_matrix(flat, size[left], number[node[left]], update, n_nodes, advance)]
            break
        rounds += 1
        parts.append(_merge(low, matrix, size, node, nearest, code))
        node[low] = n_nodes + np.arange(low.size)
        n_nodes += low.size
        alive[nearest.slot[low]] = False
        advance(low.size)
        changed = _changed_clusters(alive, low, nearest)
        if alive.sum() < _SHRINK * alive.size:
            keep = np.flatnonzero(alive)
            slots = np.cumsum(alive) - 1
            greedy_kernels.compact(flat, alive.size, keep)
            matrix = flat[: keep.size**2].reshape(keep.size, keep.size)
            size, node, changed = size[keep], node[keep], slots[changed]
            nearest = Nearest(slots[nearest.slot[keep]], nearest.distance[keep], nearest.tied[keep])
            alive = np.ones(keep.size, dtype=bool)
    return in_greedy_order(n, join_merges(parts), rounds)


def _new_nearest(n: int) -> Nearest:
    """Return empty columns."""
    return Nearest(np.full(n, -1, dtype=np.int64), np.full(n, np.inf), np.zeros(n, dtype=bool))


def _changed_clusters(alive: BoolArray, low: IntArray, nearest: Nearest) -> IntArray:
    """Return the clusters that are new or whose nearest cluster has merged."""
    merged = ~alive
    merged[low] = True
    active = np.flatnonzero(alive)
    changed: IntArray = active[merged[active] | merged[nearest.slot[active]]]
    return changed


def _merge(
    low: IntArray, matrix: NDArray[Any], size: FloatArray, node: IntArray, nearest: Nearest, code: int
) -> Merges:
    """Merge each cluster in ``low`` with its nearest one, in the matrix and in the sizes."""
    high = nearest.slot[low]
    pairs = Pairs(low, high, size[low], size[high], nearest.distance[low])
    merges = Merges(node[low], node[high], pairs.distance, np.zeros(low.size, dtype=bool))
    share_rows(lambda which: kernels.combine_rows(which, pairs, size, code, matrix), np.arange(low.size), 4)
    new_size = size.copy()
    new_size[low] += size[high]
    gone = np.zeros(size.size, dtype=bool)
    gone[high] = True
    rows = np.flatnonzero(~gone)
    share_rows(lambda part: kernels.combine_columns(part, pairs, new_size, code, matrix), rows)
    share_rows(lambda which: kernels.mirror(which, pairs, matrix), np.arange(low.size))
    size[:] = new_size
    return merges
