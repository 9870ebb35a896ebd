"""Crossings between the leaves of two trees, counted by sums over ranks (a Fenwick tree)."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, IntArray

_FEW_LEVELS = 64  # on average: as many steps as a row takes to join the sums above and to leave them


class Sides(NamedTuple):
    """A tree whose rows lie in pre-order: those of node v are ``low[v]`` to ``high[v]``.

    ``heavy`` is the child of each node with most rows, whose rows come last; ``light`` the other one if there are
    exactly two, else -1.
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
def _shallow(tree: Sides) -> BoolArray:
    """Return which nodes have, like all nodes below them, rows that are few levels down on average. O(n)."""
    is_shallow = np.ones(tree.parent.size, dtype=np.bool_)
    n_rows = tree.high - tree.low
    n_steps = n_rows.copy()
    for v in range(tree.parent.size):
        is_shallow[v] &= n_steps[v] <= _FEW_LEVELS * n_rows[v]
        p = tree.parent[v]
        if p >= 0:
            is_shallow[p] &= is_shallow[v]
            n_steps[p] += n_steps[v]
    return is_shallow


class _Rows(NamedTuple):
    """Rows of the other tree: the rank of each, and its number of items."""

    rank: IntArray
    weight: IntArray


@njit
def _merge(rows: _Rows, low: int, middle: int, high: int, spare: _Rows) -> int:
    """Merge the sorted rows of a light child, ``low`` to ``middle``, and of a heavy one, from there to ``high``.

    Return the pairs of a light row with a higher heavy one, less those with a lower one. The light rows are put aside,
    and the heavy ones move down until the last light one is in its place. O(n).
    """
    rank, weight = rows
    n_light, total = middle - low, 0
    for i in range(n_light):
        spare.rank[i], spare.weight[i] = rank[low + i], weight[low + i]
    for j in range(middle, high):
        total += weight[j]
    excess, lower, same, j, at = 0, 0, 0, middle, low
    for i in range(n_light):
        light = spare.rank[i]
        while j < high and rank[j] < light:
            lower += weight[j]
            rank[at], weight[at] = rank[j], weight[j]
            j += 1
            at += 1
        if i == 0 or spare.rank[i - 1] != light:
            same, equal = 0, j
            while equal < high and rank[equal] == light:
                same += weight[equal]
                equal += 1
        excess += spare.weight[i] * (total - 2 * lower - same)
        rank[at], weight[at] = light, spare.weight[i]
        at += 1
    return excess


@njit
def _merge_shallow(tree: Sides, is_shallow: BoolArray, rank: IntArray, count: IntArray) -> IntArray:
    """Sort the rows of each shallow node; return the excess of crossings of those with two children.

    The rows of two children are counted against each other while they are merged; other nodes, and those with rows of
    their own, are sorted. O(n) for each level, O(n log n) where it is sorted.
    """
    excess = np.zeros(tree.parent.size, dtype=np.int64)
    spare = _Rows(np.empty_like(rank), np.empty_like(count))
    rows = _Rows(rank, count)
    for v in range(tree.parent.size):
        low, high = tree.low[v], tree.high[v]
        if not is_shallow[v] or high - low < 2:
            continue
        if stopped():
            break
        light, heavy = tree.light[v], tree.heavy[v]
        first = high
        if light >= 0:
            first = tree.low[light]
            excess[v] = _merge(rows, first, tree.low[heavy], high, spare)
        if first > low:
            order = low + np.argsort(rank[low:high], kind="mergesort")
            rank[low:high], count[low:high] = rank[order], count[order]
    return excess


@njit
def excess_crossings(tree: Sides, given_rank: IntArray, given_count: IntArray, n_ranks: int) -> IntArray:
    """Return, for each node with two children, the crossings of heavy before light less those of light before heavy.

    Where rows are few levels down, the rows of every node are sorted, as a merge sort does. Above, each heavy path is
    walked from its foot up; the rows below are kept in one sum over ranks, and the rows of a light child are looked up
    in it before they join. A row joins once for each heavy path above it, at most log2 n of them: O(n log^2 n),
    whatever the depth.
    """
    rank, count = given_rank.copy(), given_count.copy()
    is_shallow = _shallow(tree)
    excess = _merge_shallow(tree, is_shallow, rank, count)
    sums = np.zeros(n_ranks + 1, dtype=np.int64)
    for head in range(tree.parent.size):
        p = tree.parent[head]
        if is_shallow[head] or (p >= 0 and tree.heavy[p] == head):
            continue
        if stopped():
            break
        v = head
        while not is_shallow[v]:
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
