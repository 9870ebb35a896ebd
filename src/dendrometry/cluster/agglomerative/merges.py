"""Merges: the result of every agglomerative algorithm, numbered in the order of the greedy algorithm."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.agglomerative import merges as kernels
from dendrometry._kernels.agglomerative.merges import Merges
from dendrometry.hierarchy import Hierarchy

__all__ = [
    "Merges",
    "MergeSequence",
    "equal_merges",
    "hierarchy_of",
    "in_greedy_order",
    "join_merges",
    "new_merges",
    "of_spanning_tree",
    "renumber",
    "rows_of",
]


class MergeSequence(NamedTuple):
    """The merges of a tree in order; merge i forms node n + i, as in SciPy's linkage.

    ``n_ties`` counts the merges at which another pair was exactly as near, ``rounds`` the passes of the algorithm.
    """

    left: IntArray
    right: IntArray
    height: FloatArray
    n_ties: int
    rounds: int


def new_merges(count: int) -> Merges:
    """Return empty columns for ``count`` merges."""
    return Merges(
        np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64), np.empty(count), np.zeros(count, dtype=bool)
    )


def join_merges(parts: list[Merges]) -> Merges:
    """Return consecutive parts of the merges as one."""
    return Merges(
        np.concatenate([part.left for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.height for part in parts]),
        np.concatenate([part.tied for part in parts]),
    )


def equal_merges(groups: list[IntArray], n: int) -> tuple[Merges, list[int]]:
    """Return the merges at height 0 of groups of equal items, lowest numbers first, and the last node of each group."""
    rows: list[tuple[int, int, bool]] = []
    last = []
    for group in groups:
        queue = np.sort(group).tolist()
        for at in range(0, 2 * (group.size - 1), 2):
            rows.append((queue[at], queue[at + 1], len(queue) - at > 2))
            queue.append(n + len(rows) - 1)
        last.append(queue[-1])
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
    return Merges(columns[0], columns[1], np.zeros(len(rows)), columns[2].astype(bool)), last


def rows_of(merges: Merges, start: int, count: int) -> Merges:
    """Return views of some rows of the columns."""
    rows = slice(start, start + count)
    return Merges(merges.left[rows], merges.right[rows], merges.height[rows], merges.tied[rows])


def in_greedy_order(n: int, merges: Merges, rounds: int) -> MergeSequence:
    """Return merges of a monotone linkage in order of height, ties by lowest pair; merge m is node n + m."""
    left, right, height, tied = merges
    number, order, level, n_ties = kernels.greedy_order(n, left, right, height, tied)
    pairs = np.sort(np.column_stack([number[left], number[right]])[order], axis=1)
    return MergeSequence(pairs[:, 0], pairs[:, 1], level[order], int(n_ties), rounds)


def renumber(n: int, merges: Merges) -> tuple[Merges, IntArray]:
    """Return the merges so far in greedy order, and the new number of every node."""
    number, order, level, _ = kernels.greedy_order(n, *merges)
    left, right, _, tied = merges
    return Merges(number[left][order], number[right][order], level[order], tied[order]), number


def of_spanning_tree(first: IntArray, second: IntArray, length: FloatArray, rounds: int) -> MergeSequence:
    """Return the single-linkage merges of the edges of a minimum spanning tree."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    order = np.lexsort((high, low, length))
    left, right = kernels.join_edges(low[order], high[order])
    height = length[order]
    tied = np.zeros(height.size, dtype=bool)
    tied[:-1] = height[1:] == height[:-1]
    return in_greedy_order(first.size + 1, Merges(left, right, height, tied), rounds)


def hierarchy_of(merges: MergeSequence, items: tuple[str, ...]) -> Hierarchy:
    """Return the tree of the merges, leaves at height 0."""
    n = len(items)
    parent = np.full(2 * n - 1, -1, dtype=np.int64)
    parent[merges.left] = n + np.arange(n - 1)
    parent[merges.right] = n + np.arange(n - 1)
    return Hierarchy(parent, np.concatenate([np.zeros(n), merges.height]), np.arange(n), items)
