"""The walk that a cut of a tree needs. It relies on ``parent[v] > v``: children first, the root last."""

from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, IntArray


@njit
def highest_kept(parent: IntArray, keep: BoolArray) -> IntArray:
    """Return the highest node that each node reaches upwards over kept nodes; itself if it is not kept. O(n)."""
    top = parent.copy()
    for v in range(parent.size - 1, -1, -1):
        top[v] = top[parent[v]] if keep[v] and parent[v] >= 0 and keep[parent[v]] else v
    return top
