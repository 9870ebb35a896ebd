"""Walks that a cut of a tree needs. Both rely on ``parent[v] > v``: children first, the root last."""

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit

__all__ = ["accumulate_maximum", "highest_kept"]


@njit
def accumulate_maximum(parent: IntArray, own: FloatArray) -> FloatArray:
    """Return, for each node, the greatest ``own`` of its subtree. O(n)."""
    greatest = own.copy()
    for v in range(parent.size - 1):
        p = parent[v]
        if greatest[v] > greatest[p]:
            greatest[p] = greatest[v]
    return greatest


@njit
def highest_kept(parent: IntArray, keep: BoolArray) -> IntArray:
    """Return the highest node that each node reaches upwards over kept nodes; itself if it is not kept. O(n)."""
    top = parent.copy()
    for v in range(parent.size - 1, -1, -1):
        top[v] = top[parent[v]] if keep[v] and parent[v] >= 0 and keep[parent[v]] else v
    return top
