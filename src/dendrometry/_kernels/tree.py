"""Walks up and down one tree, which rely on ``parent[v] > v`` (children first, the root last), and nodes in order."""

import numpy as np

from dendrometry._kernels._builtins import AHEAD, MANY, prefetch
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray, Values


@njit
def accumulate_sum(parent: IntArray, own: IntArray) -> IntArray:
    """Return, for each node, the sum of ``own`` over its subtree. O(n)."""
    total = own.copy()
    for v in range(parent.size - 1):
        total[parent[v]] += total[v]
    return total


@njit
def add_children(parent: IntArray, parts: IntArray, size: IntArray) -> None:
    """Add each node to the number of parts of its parent, and its size, which ends as that of its subtree. O(n)."""
    last, are_many = parent.size - 2, parent.size > MANY
    for v in range(parent.size - 1):
        if are_many:
            prefetch(parts, parent[min(v + AHEAD, last)])
            prefetch(size, parent[min(v + AHEAD, last)])
        p = parent[v]
        parts[p] += 1
        size[p] += size[v]


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
def accumulate_minimum(parent: IntArray, own: IntArray) -> IntArray:
    """Return, for each node, the least ``own`` of its subtree. O(n)."""
    least = own.copy()
    for v in range(parent.size - 1):
        p = parent[v]
        if least[v] < least[p]:
            least[p] = least[v]
    return least


@njit
def by_number(number: IntArray, n_numbers: int) -> IntArray:
    """Return the positions of numbers from 0 to ``n_numbers - 1`` in ascending order, stably. O(n)."""
    start = np.zeros(n_numbers + 1, dtype=np.int64)
    for i in range(number.size):
        start[number[i] + 1] += 1
    start = np.cumsum(start)
    order = np.empty(number.size, dtype=np.int64)
    last, are_many = number.size - 1, number.size > MANY
    for i in range(number.size):
        if are_many:
            prefetch(start, number[min(i + 2 * AHEAD, last)])
            prefetch(order, start[number[min(i + AHEAD, last)]])
        order[start[number[i]]] = i
        start[number[i]] += 1
    return order


@njit
def depths(parent: IntArray) -> IntArray:
    """Return the number of edges from each node to the root. O(n)."""
    depth = np.zeros(parent.size, dtype=np.int64)
    for v in range(parent.size - 2, -1, -1):
        depth[v] = depth[parent[v]] + 1
    return depth


@njit
def accumulate_down(parent: IntArray, own: Values) -> Values:
    """Return, for each node, the sum of ``own`` over its ancestors and itself. O(n)."""
    total = own.copy()
    for v in range(parent.size - 2, -1, -1):
        total[v] += total[parent[v]]
    return total


@njit
def spans(parent: IntArray, weight: IntArray) -> IntArray:
    """Return the start of each node's span in pre-order, children in ascending order.

    ``weight[v]`` is the length of the span of v, at least the sum of its children's; what is left over
    comes first, before the children. O(n).
    """
    start = np.zeros(parent.size, dtype=np.int64)
    free = weight.copy()
    for v in range(parent.size - 2, -1, -1):
        p = parent[v]
        free[p] -= weight[v]
        start[v] = free[p]
        free[v] += start[v]
    return start


@njit
def nearest_kept(parent: IntArray, keep: BoolArray) -> IntArray:
    """Return, for each node, its nearest kept proper ancestor, or -1. O(n)."""
    above = np.full(parent.size, -1, dtype=np.int64)
    for v in range(parent.size - 2, -1, -1):
        p = parent[v]
        above[v] = p if keep[p] else above[p]
    return above


@njit
def nearest_kept_below(parent: IntArray, keep: BoolArray) -> IntArray:
    """Return each kept node itself, and for a dropped node the kept node at the foot of its unary chain. O(n)."""
    below = np.arange(parent.size)
    for v in range(parent.size - 1):
        p = parent[v]
        if not keep[p]:
            below[p] = below[v]
    return below
