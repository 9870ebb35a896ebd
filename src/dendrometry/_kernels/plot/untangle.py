"""Crossings between the leaves of two trees, counted by sums over ranks (a Fenwick tree)."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import IntArray, njit, stopped

__all__ = ["Sides", "crossings", "excess_crossings"]


class Sides(NamedTuple):
    """A tree whose rows lie in pre-order: those of node v are ``low[v]`` to ``high[v]``.

    ``heavy`` is the child of each node with most rows, ``light`` the other one if there are exactly two, else -1.
    """

    parent: IntArray
    low: IntArray
    high: IntArray
    heavy: IntArray
    light: IntArray


@njit
def _add(sums: IntArray, rank: int, amount: int) -> None:
    """Add an amount at a rank. O(log n)."""
    i = rank + 1
    while i < sums.size:
        sums[i] += amount
        i += i & -i


@njit
def _below(sums: IntArray, rank: int) -> int:
    """Return the sum of the amounts at lower ranks. O(log n)."""
    total = 0
    i = rank
    while i > 0:
        total += sums[i]
        i -= i & -i
    return total


@njit
def crossings(rank: IntArray, count: IntArray, n_ranks: int) -> int:
    """Return how many pairs come in the wrong order: an earlier row with a higher rank. O(n log n)."""
    sums = np.zeros(n_ranks + 1, dtype=np.int64)
    total = 0
    crossed = 0
    for r in range(rank.size):
        crossed += count[r] * (total - _below(sums, rank[r] + 1))
        _add(sums, rank[r], count[r])
        total += count[r]
    return crossed


@njit
def _join(sums: IntArray, rank: IntArray, count: IntArray, sign: int) -> int:
    """Add all rows to the sums, or take them away (-1); return how many items that is. O(n log n)."""
    total = 0
    for r in range(rank.size):
        _add(sums, rank[r], sign * count[r])
        total += sign * count[r]
    return total


@njit
def _excess(sums: IntArray, total: int, rank: IntArray, count: IntArray) -> int:
    """Return the pairs with a higher rank among those joined so far, less those with a lower one. O(n log n)."""
    excess = 0
    for r in range(rank.size):
        higher = total - _below(sums, rank[r] + 1)
        excess += count[r] * (higher - _below(sums, rank[r]))
    return excess


@njit
def excess_crossings(tree: Sides, rank: IntArray, count: IntArray, n_ranks: int) -> IntArray:
    """Return, for each node with two children, the crossings of heavy before light less those of light before heavy.

    Each heavy path is walked from its foot up; the rows below are kept in one sum over ranks, and the rows of a light
    child are looked up in it before they join. An item joins once for each heavy path above it, at most log2 n of
    them: O(n log^2 n), whatever the depth.
    """
    excess = np.zeros(tree.parent.size, dtype=np.int64)
    sums = np.zeros(n_ranks + 1, dtype=np.int64)
    for head in range(tree.parent.size):
        p = tree.parent[head]
        if p >= 0 and tree.heavy[p] == head:
            continue
        if stopped():
            break
        v = head
        while tree.heavy[v] >= 0:
            v = tree.heavy[v]
        total = _join(sums, rank[tree.low[v] : tree.high[v]], count[tree.low[v] : tree.high[v]], 1)
        while v != head:
            p = tree.parent[v]
            light = tree.light[p]
            if light >= 0:
                low, high = tree.low[light], tree.high[light]
                excess[p] = _excess(sums, total, rank[low:high], count[low:high])
            total += _join(sums, rank[tree.low[p] : tree.low[v]], count[tree.low[p] : tree.low[v]], 1)
            total += _join(sums, rank[tree.high[v] : tree.high[p]], count[tree.high[v] : tree.high[p]], 1)
            v = p
        _join(sums, rank[tree.low[head] : tree.high[head]], count[tree.low[head] : tree.high[head]], -1)
    return excess
