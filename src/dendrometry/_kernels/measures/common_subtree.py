"""The most items on which two trees agree, for all pairs of their nodes."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


class Children(NamedTuple):
    """The children of node v are ``child[start[v]:start[v + 1]]``; children come before parents."""

    start: IntArray
    child: IntArray


@njit
def common_sizes(a: Children, b: Children, n_items: int) -> IntArray:
    """Return, for each node of either tree, how many of their items a largest common subtree has.

    Leaves are the items, the first ``n_items`` nodes. O(n_a n_b) time for binary trees and space for all; a pair of
    nodes with p and q children, p <= q, takes p**2 q steps.
    """
    n_a, n_b = a.start.size - 1, b.start.size - 1
    size = np.zeros((n_a, n_b), dtype=np.int64)
    for u in range(n_a):
        if stopped():
            break
        below_u = a.child[a.start[u] : a.start[u + 1]]
        for v in range(n_b):
            below_v = b.child[b.start[v] : b.start[v + 1]]
            if u < n_items and v < n_items:
                size[u, v] = u == v
                continue
            most = 0
            for c in below_u:
                most = max(most, size[c, v])
            for d in below_v:
                most = max(most, size[u, d])
            if below_u.size > 0 and below_v.size > 0:
                most = max(most, _best_matching(size, below_u, below_v))
            size[u, v] = most
    return size


@njit
def _best_matching(weight: IntArray, row: IntArray, column: IntArray) -> int:
    """Return the greatest sum of weights of a one-to-one matching of rows with columns (the Hungarian method)."""
    if row.size == 2 and column.size == 2:
        straight = weight[row[0], column[0]] + weight[row[1], column[1]]
        return int(max(straight, weight[row[0], column[1]] + weight[row[1], column[0]]))
    cost = np.empty((row.size, column.size), dtype=np.int64)
    for i in range(row.size):
        for j in range(column.size):
            cost[i, j] = -weight[row[i], column[j]]
    if row.size > column.size:
        cost = np.ascontiguousarray(cost.T)
    price_row, price_column = np.zeros(cost.shape[0] + 1, dtype=np.int64), np.zeros(cost.shape[1] + 1, dtype=np.int64)
    match = np.zeros(cost.shape[1] + 1, dtype=np.int64)  # the row of each column; rows and columns count from 1
    for i in range(1, cost.shape[0] + 1):
        match[0] = i
        _match_row(cost, price_row, price_column, match)
    return int(price_column[0])


@njit
def _match_row(cost: IntArray, price_row: IntArray, price_column: IntArray, match: IntArray) -> None:
    """Match one more row, that of column 0, along the cheapest path to a free column."""
    before = np.zeros(match.size, dtype=np.int64)
    slack = np.full(match.size, np.int64(2**62))
    used = np.zeros(match.size, dtype=np.bool_)
    at = 0
    while match[at] != 0:
        used[at] = True
        nearest = 0
        for j in range(1, match.size):
            if not used[j]:
                rest = cost[match[at] - 1, j - 1] - price_row[match[at]] - price_column[j]
                if rest < slack[j]:
                    slack[j], before[j] = rest, at
                if nearest == 0 or slack[j] < slack[nearest]:
                    nearest = j
        least = slack[nearest]
        price_row[match[used]] += least
        price_column[used] -= least
        slack[~used] -= least
        at = nearest
    while at != 0:
        match[at] = match[before[at]]
        at = before[at]
