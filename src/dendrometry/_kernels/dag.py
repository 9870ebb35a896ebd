"""Walks up and down a directed acyclic graph of terms: the parents of v are ``parent[start[v]:start[v + 1]]``, > v."""

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


@njit
def children_first(start: IntArray, parent: IntArray) -> IntArray:
    """Return the terms in an order in which children come before parents; those on or above a cycle are missing.

    Terms without children come first, in ascending order. O(n + edges). Needs no order of the terms.
    """
    n = start.size - 1
    waiting = np.zeros(n, dtype=np.int64)
    for e in range(parent.size):
        waiting[parent[e]] += 1
    order = np.empty(n, dtype=np.int64)
    n_ready = 0
    for v in range(n):
        if waiting[v] == 0:
            order[n_ready] = v
            n_ready += 1
    at = 0
    while at < n_ready:
        v = order[at]
        at += 1
        for e in range(start[v], start[v + 1]):
            p = parent[e]
            waiting[p] -= 1
            if waiting[p] == 0:
                order[n_ready] = p
                n_ready += 1
    return order[:n_ready]


@njit
def longest_ways(start: IntArray, parent: IntArray) -> IntArray:
    """Return the number of edges of the longest way from each term up to a root. O(n + edges)."""
    n = start.size - 1
    depth = np.zeros(n, dtype=np.int64)
    for v in range(n - 1, -1, -1):
        for e in range(start[v], start[v + 1]):
            if depth[parent[e]] >= depth[v]:
                depth[v] = depth[parent[e]] + 1
    return depth


@njit
def shortest_ways(start: IntArray, parent: IntArray) -> IntArray:
    """Return the number of edges of the shortest way from each term up to a root. O(n + edges)."""
    n = start.size - 1
    depth = np.zeros(n, dtype=np.int64)
    for v in range(n - 1, -1, -1):
        for e in range(start[v], start[v + 1]):
            if e == start[v] or depth[parent[e]] + 1 < depth[v]:
                depth[v] = depth[parent[e]] + 1
    return depth


@njit
def count_above(start: IntArray, parent: IntArray, term: IntArray, most: int) -> IntArray:
    """Return, for each of some terms, how many terms are at or above it; counting stops where the sum exceeds ``most``.

    O(edges above each of them).
    """
    n = start.size - 1
    seen, stack = np.full(n, -1, dtype=np.int64), np.empty(n, dtype=np.int64)
    count = np.zeros(term.size, dtype=np.int64)
    total = 0
    for i in range(term.size):
        stack[0], seen[term[i]], height = term[i], i, 1
        while height:
            height -= 1
            v = stack[height]
            count[i] += 1
            for e in range(start[v], start[v + 1]):
                p = parent[e]
                if seen[p] != i:
                    seen[p] = i
                    stack[height] = p
                    height += 1
        total += count[i]
        if total > most:
            break
    return count


@njit
def fill_above(start: IntArray, parent: IntArray, term: IntArray, first: IntArray, above: IntArray) -> None:
    """Write the terms at or above each of some terms, ascending, into ``above[first[i]:first[i + 1]]``."""
    n = start.size - 1
    seen = np.full(n, -1, dtype=np.int64)
    for i in range(term.size):
        low = high = first[i]
        above[high], seen[term[i]] = term[i], i
        high += 1
        while low < high:
            v = above[low]
            low += 1
            for e in range(start[v], start[v + 1]):
                p = parent[e]
                if seen[p] != i:
                    seen[p] = i
                    above[high] = p
                    high += 1
        above[first[i] : first[i + 1]].sort()
