"""Where the nodes of one tree are drawn. All rely on ``parent[v] > v``: children first, the root last."""

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

_FEW = 16  # children, which are sorted by insertion


@njit
def levels(parent: IntArray) -> FloatArray:
    """Return, for each node, the number of edges down to its farthest leaf. O(n)."""
    level = np.zeros(parent.size)
    for v in range(parent.size - 1):
        p = parent[v]
        level[p] = max(level[p], level[v] + 1.0)
    return level


@njit
def ordered_spans(weight: IntArray, key: FloatArray, first: IntArray, child: IntArray) -> IntArray:
    """Return where each node's span starts in pre-order, with the children of a node by ascending key.

    As the spans of a hierarchy; of children with equal keys, the later one comes first. The children of v are
    ``child[first[v]:first[v + 1]]``, ascending; they are sorted in place. O(n) for nodes of few children, O(n log n)
    for any.
    """
    n = weight.size
    start, free = np.zeros(n, dtype=np.int64), weight.copy()
    for p in range(n - 1, -1, -1):
        low, high = first[p], first[p + 1]
        if high - low > _FEW:
            own = child[low:high]
            child[low:high] = own[np.argsort(-key[own], kind="mergesort")]
        else:
            for i in range(low + 1, high):
                v, at = child[i], i
                while at > low and key[child[at - 1]] < key[v]:
                    child[at] = child[at - 1]
                    at -= 1
                child[at] = v
        for i in range(low, high):
            v = child[i]
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
