"""From merges in any order to merges in the order of a greedy build."""

import heapq
from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Merges(NamedTuple):
    """The columns that are filled merge by merge."""

    left: IntArray
    right: IntArray
    height: FloatArray
    tied: BoolArray


@njit
def next_alive(after: IntArray, s: int) -> int:
    """Return the first live place from s on, where ``after`` leads from a dead place onwards. O(1) in practice.

    A cluster whose nearest one has died may have another that is as near, but only at a later place: of several that
    were as near, the first was taken. This place is therefore a bound, and a tie does not have all clusters searched.
    """
    while after[s] != s:
        after[s] = after[after[s]]
        s = after[s]
    return s


@njit
def greedy_order(
    n: int, left: IntArray, right: IntArray, height: FloatArray, tied: BoolArray
) -> tuple[IntArray, IntArray, FloatArray, tuple[int, int]]:
    """Put the merges of n items in order as a greedy build meets them: by height, then by lower and higher part.

    Merge m joins nodes ``left[m]`` and ``right[m]`` and is itself node ``n + m``; there may be fewer than n - 1. A
    merge waits until both parts are there and is never lower than they are (so differences of rounding go). Returns
    the new number of every node, the merges in their new order, the height of each merge, and of the merges
    that were marked as tied or met another of the same height, the number and the first, or -1. O(n log n).
    """
    n_merges = left.size
    number = np.arange(n + n_merges)
    order = np.empty(n_merges, dtype=np.int64)
    level = height.copy()
    above = np.full(n + n_merges, -1, dtype=np.int64)
    missing = np.zeros(n_merges, dtype=np.int64)
    heap = [(0.0, 0, 0, 0) for _ in range(0)]
    for m in range(n_merges):
        above[left[m]] = m
        above[right[m]] = m
        missing[m] = int(left[m] >= n) + int(right[m] >= n)
        if missing[m] == 0:
            heapq.heappush(heap, (level[m], min(left[m], right[m]), max(left[m], right[m]), m))
    n_ties = 0
    first_tie = -1
    for step in range(n_merges):
        if stopped():
            break
        least, _low, _high, m = heapq.heappop(heap)
        order[step] = m
        if tied[m] or (len(heap) > 0 and heap[0][0] == least):
            first_tie = step if n_ties == 0 else first_tie
            n_ties += 1
        number[n + m] = n + step
        p = above[n + m]
        if p >= 0:
            level[p] = max(level[p], least)
            missing[p] -= 1
            if missing[p] == 0:
                x = number[left[p]]
                y = number[right[p]]
                heapq.heappush(heap, (level[p], min(x, y), max(x, y), p))
    return number, order, level, (n_ties, first_tie)


@njit
def join_edges(first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """Return the merges of a spanning tree whose edges come in ascending length. O(n) in practice, by union-find."""
    n = first.size + 1
    root = np.arange(2 * n - 1)
    left = np.empty(n - 1, dtype=np.int64)
    right = np.empty(n - 1, dtype=np.int64)
    for step in range(n - 1):
        a = first[step]
        while root[a] != a:
            root[a] = root[root[a]]
            a = root[a]
        b = second[step]
        while root[b] != b:
            root[b] = root[root[b]]
            b = root[b]
        left[step] = min(a, b)
        right[step] = max(a, b)
        root[a] = n + step
        root[b] = n + step
    return left, right
