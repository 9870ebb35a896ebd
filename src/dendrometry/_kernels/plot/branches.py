"""Where the nodes of one tree are drawn. All rely on ``parent[v] > v``: children first, the root last."""

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["extents", "levels", "ordered_spans"]


@njit
def levels(parent: IntArray) -> FloatArray:
    """Return, for each node, the number of edges down to its farthest leaf. O(n)."""
    level = np.zeros(parent.size)
    for v in range(parent.size - 1):
        p = parent[v]
        level[p] = max(level[p], level[v] + 1.0)
    return level


@njit
def ordered_spans(parent: IntArray, weight: IntArray, visit: IntArray) -> IntArray:
    """Return where each node's span starts in pre-order, with the children of a node in any wanted order.

    As the spans of a hierarchy, but ``visit`` lists all nodes except the root by descending parent, and the children
    of one parent from last to first. O(n).
    """
    start = np.zeros(parent.size, dtype=np.int64)
    free = weight.copy()
    for v in visit:
        p = parent[v]
        free[p] -= weight[v]
        start[v] = free[p]
        free[v] += start[v]
    return start


@njit
def extents(parent: IntArray, slot: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return, for each node, the least and the greatest position of its children and of its own slot (-1: none).

    A node lies in the middle of the two. O(n).
    """
    low = np.where(slot < 0, np.inf, slot.astype(np.float64))
    high = np.where(slot < 0, -np.inf, slot.astype(np.float64))
    for v in range(parent.size - 1):
        p = parent[v]
        position = (low[v] + high[v]) / 2.0
        low[p] = min(low[p], position)
        high[p] = max(high[p], position)
    return low, high
