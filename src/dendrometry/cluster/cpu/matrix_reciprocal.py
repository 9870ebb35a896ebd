"""Rounds of reciprocal nearest neighbours on a matrix: complete, average, weighted and ward, on any metric.

As in the vector rounds, all pairs of clusters that are each other's only nearest cluster merge at once. Here the matrix
of distances is stored and updated by the formulas of Lance and Williams: first the rows of all pairs, then in these the
columns of all pairs; all other rows copy what has changed. Memory is read sequentially and the cores share the rows.
The matrix shrinks as clusters merge. If ties leave no certain pair, the greedy algorithm merges the rest.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels.cluster import matrix_greedy as greedy_kernels
from dendrometry._kernels.cluster import matrix_reciprocal as kernels
from dendrometry._kernels.cluster.lance_williams import UPDATES
from dendrometry._kernels.cluster.matrix_reciprocal import Nearest, Pairs
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._progress import Advance
from dendrometry._threads import share_rows
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cluster.cpu.matrix_greedy import merge_matrix
from dendrometry.cluster.cpu.merges import MergeSequence, in_greedy_order, join_merges, renumber
from dendrometry.cluster.cpu.neighbours import certain_pairs

_SHRINK = 0.7  # the matrix is packed when fewer of its rows than this are in use
_YIELD = 64  # the greedy algorithm takes over after a round that searches this many times more clusters than it merges,
_CHAIN = 1000  # or that merges less than one in this many clusters, as happens if they form a chain


class _Clusters(NamedTuple):
    """For each slot the size and the node of its cluster, and whether it holds one still."""

    size: FloatArray
    node: IntArray
    alive: BoolArray


def matrix_reciprocal(
    flat: NDArray[Any], size: FloatArray, node: IntArray, made: Merges, update: str, advance: Advance
) -> MergeSequence:
    """Merge clusters until one is left, after the merges ``made``, given their distances as a flat square matrix.

    The matrix (of squared distances for ward) is overwritten.
    """
    n = size.size + made.left.size
    code = UPDATES.index(update)
    clusters = _Clusters(size.copy(), node.copy(), np.ones(size.size, dtype=bool))
    matrix = flat.reshape(size.size, size.size)
    np.fill_diagonal(matrix, np.inf)
    nearest = _new_nearest(size.size)
    changed = np.arange(size.size)
    parts = [made]
    rounds, n_nodes = 0, n + made.left.size
    while n_nodes < 2 * n - 1:
        _find_nearest(changed, matrix, clusters.alive, nearest)
        active = np.flatnonzero(clusters.alive)
        low = certain_pairs(active, nearest.slot, ~nearest.tied)
        if low.size * _YIELD < min(changed.size, active.size) or low.size * _CHAIN < active.size:
            greedy_kernels.compact(flat, clusters.alive.size, active)
            done, number = renumber(n, join_merges(parts))
            rest = number[clusters.node[active]]
            parts = [done, merge_matrix(flat, clusters.size[active], rest, update, n_nodes, advance)]
            break
        rounds += 1
        parts.append(_merge(low, matrix, clusters, nearest, code))
        clusters.node[low] = n_nodes + np.arange(low.size)
        n_nodes += low.size
        advance(low.size)
        changed = _changed_clusters(clusters.alive, low, nearest)
        if clusters.alive.sum() < _SHRINK * clusters.alive.size:
            keep = np.flatnonzero(clusters.alive)
            slots = np.cumsum(clusters.alive) - 1
            greedy_kernels.compact(flat, slots.size, keep)
            matrix = flat[: keep.size**2].reshape(keep.size, keep.size)
            clusters = _Clusters(clusters.size[keep], clusters.node[keep], clusters.alive[keep])
            changed = slots[changed]
            nearest = Nearest(slots[nearest.slot[keep]], nearest.distance[keep], nearest.tied[keep])
    return in_greedy_order(n, join_merges(parts), rounds)


def _new_nearest(n: int) -> Nearest:
    """Return empty columns."""
    return Nearest(np.full(n, -1, dtype=np.int64), np.full(n, np.inf), np.zeros(n, dtype=bool))


def _find_nearest(changed: IntArray, matrix: NDArray[Any], alive: BoolArray, nearest: Nearest) -> None:
    """Set the nearest cluster of those that have changed."""
    whole = np.int32 if matrix.itemsize == 4 else np.int64
    bits = matrix.view(whole)
    gone = np.where(alive, np.iinfo(whole).min, np.full(1, np.inf, dtype=matrix.dtype).view(whole))
    share_rows(lambda rows: kernels.find_nearest(rows, matrix, bits, gone, nearest), changed)


def _changed_clusters(alive: BoolArray, low: IntArray, nearest: Nearest) -> IntArray:
    """Return the clusters that are new or whose nearest cluster has merged."""
    merged = ~alive
    merged[low] = True
    active = np.flatnonzero(alive)
    changed: IntArray = active[merged[active] | merged[nearest.slot[active]]]
    return changed


def _merge(low: IntArray, matrix: NDArray[Any], clusters: _Clusters, nearest: Nearest, code: int) -> Merges:
    """Merge each cluster in ``low`` with its nearest one, in the matrix and in the sizes."""
    size, node, alive = clusters
    high = nearest.slot[low]
    pairs = Pairs(low, high, size[low], size[high], nearest.distance[low])
    merges = Merges(node[low], node[high], pairs.distance, np.zeros(low.size, dtype=bool))
    share_rows(lambda which: kernels.combine_rows(which, pairs, size, code, matrix), np.arange(low.size), 4)
    size[low] += size[high]
    alive[high] = False
    share_rows(lambda rows: kernels.combine_columns(rows, pairs, size, code, matrix), low, 4)
    share_rows(lambda which: kernels.mirror(which, pairs, matrix), np.arange(low.size))
    unchanged = alive.copy()
    unchanged[low] = False
    share_rows(lambda rows: kernels.spread(rows, low, matrix), np.flatnonzero(unchanged))
    return merges
