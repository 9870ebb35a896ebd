"""Graphs of neighbours as lists of edges: both directions of each edge, and spanning forests."""

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


@njit
def find_root(root: IntArray, s: int) -> int:
    """Return the cluster that slot s now belongs to, and shorten the way to it. O(1) in practice."""
    while root[s] != s:
        root[s] = root[root[s]]
        s = root[s]
    return s


@njit
def both_ways(start: IntArray, neighbour: NDArray[np.int32], pool: NDArray[np.int32]) -> tuple[IntArray, IntArray]:
    """Write the neighbours of every item, in both directions and once each, to ``pool``; return start and number.

    Item i lists ``neighbour[start[i] : start[i + 1]]``, perhaps itself. The pool has room for two of each edge.
    O(edges).
    """
    n = start.size - 1
    degree = np.diff(start)
    for j in neighbour:
        degree[j] += 1
    first = np.cumsum(degree) - degree
    degree[:] = 0
    for i in range(n):
        for e in range(start[i], start[i + 1]):
            j = neighbour[e]
            pool[first[i] + degree[i]] = j
            degree[i] += 1
            pool[first[j] + degree[j]] = i
            degree[j] += 1
    _keep_once(first, degree, pool)
    return first, degree


@njit
def _keep_once(first: IntArray, degree: IntArray, pool: NDArray[np.int32]) -> None:
    """Leave out of every list of neighbours the item itself, and all neighbours that came before. O(edges)."""
    mark = np.full(degree.size, -1, dtype=np.int64)
    for i in range(degree.size):
        kept = 0
        for e in range(first[i], first[i] + degree[i]):
            j = pool[e]
            if j != i and mark[j] != i:
                mark[j] = i
                pool[first[i] + kept] = j
                kept += 1
        degree[i] = kept
        if stopped():
            break


@njit
def spanning_forest(first: IntArray, second: IntArray, root: IntArray) -> BoolArray:
    """Return which edges, in ascending length, join two parts of a growing forest; ``root`` leads to the parts.

    O(edges) in practice.
    """
    kept = np.zeros(first.size, dtype=np.bool_)
    for e in range(first.size):
        a = find_root(root, first[e])
        b = find_root(root, second[e])
        if a != b:
            root[max(a, b)] = min(a, b)
            kept[e] = True
        if stopped():
            break
    return kept


@njit
def join_small(first: IntArray, second: IntArray, root: IntArray, total: FloatArray, least: float) -> None:
    """Join two parts along edges, in ascending length, if one of them has a total below ``least``.

    ``root`` leads to the parts, whose totals grow. An edge between parts that are large enough is never looked at
    again, as they stay so. O(edges) in practice.
    """
    for e in range(first.size):
        a = find_root(root, first[e])
        b = find_root(root, second[e])
        if a != b and (total[a] < least or total[b] < least):
            root[max(a, b)] = min(a, b)
            total[min(a, b)] += total[max(a, b)]
        if stopped():
            break


@njit
def roots_of(root: IntArray) -> IntArray:
    """Return the cluster that every slot now belongs to. O(n)."""
    found = np.empty(root.size, dtype=np.int64)
    for s in range(root.size):
        found[s] = find_root(root, s)
    return found
