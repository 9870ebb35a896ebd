"""Trees grown from given random choices, and sums from the root down."""

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray


@njit
def grow(choice: IntArray) -> IntArray:
    """Return the parents of a binary tree that grows leaf by leaf; the tree of one leaf is leaf 0.

    Leaf i + 1 is put on the branch above node ``choice[i]`` of the 2i + 1 that are there, leaves first, the branch
    above the root among them: a new inner node takes its place. Leaves are 0 to n - 1, inner nodes follow as they are
    made. O(n).
    """
    n = choice.size + 1
    parent = np.full(2 * n - 1, -1, dtype=np.int64)
    for i in range(n - 1):
        at = choice[i] if choice[i] <= i else n + choice[i] - i - 1
        new = n + i
        parent[new] = parent[at]
        parent[at] = new
        parent[i + 1] = new
    return parent


@njit
def merge(choice: FloatArray, n: int, arity: int) -> IntArray:
    """Return the parents of n leaves after merges of clusters at random, ``arity`` at a time and less at the end.

    ``choice`` holds numbers from 0 to below 1, one for each cluster drawn: it points into the clusters that are left.
    Nodes are numbered leaves first, then in the order of merging. O(n).
    """
    active = np.arange(n)
    n_merges = -(-(n - 1) // (arity - 1))
    parent = np.full(n + n_merges, -1, dtype=np.int64)
    left, drawn = n, 0
    for i in range(n_merges):
        for _ in range(min(arity, left)):
            at = int(choice[drawn] * left)
            drawn += 1
            left -= 1
            parent[active[at]] = n + i
            active[at] = active[left]
        active[left] = n + i
        left += 1
    return parent


@njit
def accumulate_down(parent: IntArray, step: FloatArray) -> FloatArray:
    """Return, for each node, the sum of the rows of ``step`` from the root to it. O(n d); needs ``parent[v] > v``."""
    total = step.copy()
    for v in range(parent.size - 2, -1, -1):
        for j in range(step.shape[1]):
            total[v, j] += total[parent[v], j]
    return total
