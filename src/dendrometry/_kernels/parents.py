"""From parents in any order to children first."""

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["accumulate_maximum", "post_order"]


@njit
def post_order(parent: IntArray, root: int) -> IntArray:
    """Return the nodes below a root, each after its children, siblings in ascending number.

    ``parent`` is -1 at the root alone. Nodes that the root does not reach are missing. O(n).
    """
    n = parent.size
    start = np.zeros(n + 2, dtype=np.int64)
    for v in range(n):
        start[parent[v] + 2] += 1
    for v in range(n + 1):
        start[v + 1] += start[v]
    child = np.empty(n, dtype=np.int64)
    for v in range(n):
        child[start[parent[v] + 1]] = v
        start[parent[v] + 1] += 1
    order = np.empty(n, dtype=np.int64)
    stack = np.empty(n, dtype=np.int64)
    stack[0] = root
    waiting, free = 1, n
    while waiting > 0:
        waiting -= 1
        v = stack[waiting]
        free -= 1
        order[free] = v
        for i in range(start[v], start[v + 1]):
            stack[waiting] = child[i]
            waiting += 1
    return order[free:]


@njit
def accumulate_maximum(parent: IntArray, own: FloatArray) -> FloatArray:
    """Return, for each node, the greatest ``own`` of its subtree. O(n); needs ``parent[v] > v``."""
    most = own.copy()
    for v in range(parent.size - 1):
        p = parent[v]
        if most[v] > most[p]:
            most[p] = most[v]
    return most
