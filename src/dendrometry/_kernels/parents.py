"""From parents in any order to children first."""

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["accumulate_maximum", "children_first"]


@njit
def children_first(parent: IntArray) -> IntArray:
    """Return the nodes so that each comes after its children, lower numbers first where free to choose.

    ``parent`` is -1 at every root. Nodes on a cycle, and those above one, are missing from the result. O(n).
    """
    waiting = np.zeros(parent.size, dtype=np.int64)
    for v in range(parent.size):
        if parent[v] >= 0:
            waiting[parent[v]] += 1
    order = np.empty(parent.size, dtype=np.int64)
    filled = 0
    for v in range(parent.size):
        if waiting[v] == 0:
            order[filled] = v
            filled += 1
    done = 0
    while done < filled:
        p = parent[order[done]]
        done += 1
        if p >= 0:
            waiting[p] -= 1
            if waiting[p] == 0:
                order[filled] = p
                filled += 1
    return order[:filled]


@njit
def accumulate_maximum(parent: IntArray, own: FloatArray) -> FloatArray:
    """Return, for each node, the greatest ``own`` of its subtree. O(n); needs ``parent[v] > v``."""
    most = own.copy()
    for v in range(parent.size - 1):
        p = parent[v]
        if most[v] > most[p]:
            most[p] = most[v]
    return most
