"""Ancestors of concepts in a graph, whose rows are the parents of each concept; no order of the concepts is needed."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, IntArray


class Ancestry(NamedTuple):
    """For each concept, itself and then the concepts above it, nearest first.

    Row v is the slice from ``start[v]`` to ``start[v + 1]``; ``distance`` is the least number of edges up.
    """

    start: IntArray
    concept: IntArray
    distance: IntArray


@njit
def list_at_or_above(start: IntArray, parent: IntArray, row: IntArray) -> Ancestry:
    """Return the concepts at or above each one; ``row`` says where those of each concept start.

    Time as the sum over concepts of the edges above them.
    """
    n = start.size - 1
    concept, distance = np.empty(row[n], dtype=np.int64), np.empty(row[n], dtype=np.int64)
    seen = np.full(n, -1, dtype=np.int64)
    for v in range(n):
        if stopped():
            break
        seen[v] = v
        at = row[v]
        size = at + 1
        concept[at] = v
        distance[at] = 0
        while at < size:
            u = concept[at]
            for e in range(start[u], start[u + 1]):
                p = parent[e]
                if seen[p] != v:
                    seen[p] = v
                    concept[size] = p
                    distance[size] = distance[at] + 1
                    size += 1
            at += 1
    return Ancestry(row, concept, distance)


@njit
def nearest_kept_above(start: IntArray, parent: IntArray, keep: BoolArray, above: Ancestry) -> BoolArray:
    """Return, beside each entry of ``above``, whether it is a nearest kept concept above that of its row.

    Nearest are those that a way through concepts that are not kept leads to, without those above another of them. Time
    as `list_at_or_above`.
    """
    n = start.size - 1
    nearest = np.zeros(above.concept.size, dtype=np.bool_)
    reached, covered = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    queue = np.empty(n, dtype=np.int64)
    for v in range(n):
        if stopped():
            break
        queue[0] = v
        size = reach(start, parent, keep, reached, queue)
        low, high = above.start[v] + 1, above.start[v + 1]
        for i in range(low, high):
            u = above.concept[i]
            nearest[i] = keep[u] and reached[u] == v
            if nearest[i] and size > 1:
                covered[above.concept[above.start[u] + 1 : above.start[u + 1]]] = v
        for i in range(low, high):
            nearest[i] = nearest[i] and covered[above.concept[i]] != v
    return nearest


@njit
def reach(start: IntArray, parent: IntArray, keep: BoolArray, reached: IntArray, queue: IntArray) -> int:
    """Mark all concepts to which ways from ``queue[0]`` lead, up to kept ones, and return how many kept these are."""
    v = queue[0]
    size, at, n_kept = 1, 0, 0
    while at < size:
        u = queue[at]
        at += 1
        for e in range(start[u], start[u + 1]):
            p = parent[e]
            if reached[p] == v:
                continue
            reached[p] = v
            if keep[p]:
                n_kept += 1
            else:
                queue[size] = p
                size += 1
    return n_kept
