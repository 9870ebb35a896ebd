"""The contraction of two trees: their contingency table as a graph whose edges meet as clusters merge."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit

__all__ = ["Meets", "contract", "less_children", "moments_of_rows", "resolve", "running_sum"]

# Columns of an edge. Those of a side come in pairs: the first tree's, then the second's.
_END, _NEXT, _PREVIOUS, _CHAIN = 0, 2, 4, 6


class Meets(NamedTuple):
    """The edges that met, in order of time: at ``tick`` edge ``gone`` was added to edge ``kept``.

    ``kept_count`` and ``gone_count`` are the items of both just before. Every pair of items, one of each, is
    from this tick on together in both trees. All edges but one are gone in the end.
    """

    tick: IntArray
    kept: IntArray
    gone: IntArray
    kept_count: IntArray
    gone_count: IntArray


class _Graph(NamedTuple):
    """Clusters of both trees joined by edges.

    ``edge`` holds for each edge its two ends, its neighbours in the lists of both ends, and the next in its hash
    chain, side by side in memory. ``first`` and ``degree`` are the list of each cluster, ``bucket`` starts the chains.
    """

    edge: NDArray[np.int32]
    first: NDArray[np.int32]
    degree: NDArray[np.int32]
    bucket: NDArray[np.int32]


@njit
def _mixed(x: int, y: int) -> int:
    """Return a number to choose the bucket of the edge between x and y; both are below 2**31."""
    key = int(x) * 1640531527 ^ int(y) * 1103515245
    return key ^ (key >> 29)


@njit
def _graph(end: IntArray, n_clusters: int) -> _Graph:
    """Return the graph at the start."""
    n_edges, n_buckets = end.shape[0], 2
    while n_buckets < 2 * n_edges:
        n_buckets *= 2
    edge = np.full((n_edges, 8), -1, dtype=np.int32)
    first, degree = np.full(n_clusters, -1, dtype=np.int32), np.zeros(n_clusters, dtype=np.int32)
    bucket = np.full(n_buckets, -1, dtype=np.int32)
    for e in range(n_edges):
        for side in range(2):
            x = end[e, side]
            edge[e, _END + side] = x
            edge[e, _NEXT + side] = first[x]
            if first[x] >= 0:
                edge[first[x], _PREVIOUS + side] = e
            first[x] = e
            degree[x] += 1
        at = _mixed(end[e, 0], end[e, 1]) & (n_buckets - 1)
        edge[e, _CHAIN] = bucket[at]
        bucket[at] = e
    return _Graph(edge, first, degree, bucket)


@njit
def _schedule(parent: IntArray, tick: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the first child and the next sibling of every cluster, and the clusters that merge, by tick. O(n).

    Clusters of one tick stay in ascending number, which has children before parents.
    """
    n_ticks = tick.max() + 1
    first, sibling = np.full(parent.size, -1, dtype=np.int64), np.full(parent.size, -1, dtype=np.int64)
    for c in range(parent.size - 1, -1, -1):
        p = parent[c]
        if p >= 0:
            sibling[c] = first[p]
            first[p] = c
    start = np.zeros(n_ticks + 1, dtype=np.int64)
    for c in range(parent.size):
        if first[c] >= 0:
            start[tick[c] + 1] += 1
    start = np.cumsum(start)
    order = np.empty(start[n_ticks], dtype=np.int64)
    for c in range(parent.size):
        if first[c] >= 0:
            order[start[tick[c]]] = c
            start[tick[c]] += 1
    return first, sibling, order


@njit
def contract(  # noqa: C901 - one loop, since a call for each edge makes it five times slower
    end: IntArray, count: IntArray, parent: IntArray, tick: IntArray, first_b: int
) -> Meets:
    """Walk both trees from the leaves up and return the edges that met.

    ``parent`` and ``tick`` say into which cluster each cluster goes and when a cluster forms; the clusters from
    ``first_b`` on are those of the second tree. ``end[e]`` are the clusters that edge e joins at the start, one of each
    tree, and ``count[e]`` its items; no two edges have both ends in common. When two clusters of a tree merge,
    the edges of the one with fewer edges move to the other; an edge that meets another with the same ends is
    added to it. A cluster never has more edges than items, so an edge moves at most log2 n times for each tree:
    O(n log n) expected time (the edges are found by hashing), O(n) space. Relies on children having lower
    numbers than parents where both form at one tick.
    """
    child, sibling, order = _schedule(parent, tick)
    edge, first, degree, bucket = _graph(end, parent.size)
    items, mask = count.copy(), bucket.size - 1
    holder = np.full(parent.size, -1, dtype=np.int32)
    for e in range(count.size):
        holder[end[e, 0]], holder[end[e, 1]] = end[e, 0], end[e, 1]
    met, n_met = np.empty((5, max(count.size - 1, 0)), dtype=np.int64), 0
    for p in order:
        side = 0 if p < first_b else 1
        other = 1 - side
        c = child[p]
        while c >= 0:
            # x, the cluster with fewer edges, goes into y; there is no x as long as p has no edges of its own
            x, y = holder[c], holder[p]
            if y < 0 or degree[x] > degree[y]:
                x, y = y, x
            holder[p] = y
            c = sibling[c]
            e = first[x] if x >= 0 else -1
            while e >= 0:
                after = edge[e, _NEXT + side]
                z = edge[e, _END + other]
                # leave the hash chain of the old ends
                at = (_mixed(x, z) if side == 0 else _mixed(z, x)) & mask
                f = bucket[at]
                if f == e:
                    bucket[at] = edge[e, _CHAIN]
                else:
                    while edge[f, _CHAIN] != e:
                        f = edge[f, _CHAIN]
                    edge[f, _CHAIN] = edge[e, _CHAIN]
                # look for an edge that has the new ends already; there is none if z has no edge but e
                at = (_mixed(y, z) if side == 0 else _mixed(z, y)) & mask
                f = bucket[at] if degree[z] > 1 else -1
                while f >= 0 and (edge[f, _END + side] != y or edge[f, _END + other] != z):
                    f = edge[f, _CHAIN]
                if f < 0:
                    edge[e, _END + side] = y
                    edge[e, _CHAIN] = bucket[at]
                    bucket[at] = e
                    head = first[y]
                    edge[e, _NEXT + side] = head
                    edge[e, _PREVIOUS + side] = -1
                    if head >= 0:
                        edge[head, _PREVIOUS + side] = e
                    first[y] = e
                    degree[y] += 1
                else:
                    before, behind = edge[e, _PREVIOUS + other], edge[e, _NEXT + other]
                    if before >= 0:
                        edge[before, _NEXT + other] = behind
                    else:
                        first[z] = behind
                    if behind >= 0:
                        edge[behind, _PREVIOUS + other] = before
                    degree[z] -= 1
                    met[0, n_met], met[1, n_met], met[2, n_met] = tick[p], f, e
                    met[3, n_met], met[4, n_met] = items[f], items[e]
                    items[f] += items[e]
                    n_met += 1
                e = after
    return Meets(met[0], met[1], met[2], met[3], met[4])


@njit
def less_children(parent: IntArray, value: NDArray[Any]) -> NDArray[Any]:
    """Return the value of each node less those of its children. O(n)."""
    rest = value.copy()
    for v in range(parent.size - 1):
        rest[parent[v]] -= value[v]
    return rest


@njit
def running_sum(tick: IntArray, value: NDArray[Any], n_ticks: int) -> NDArray[Any]:
    """Return the sum of the values up to and at each tick. O(n)."""
    total = np.zeros(n_ticks, dtype=value.dtype)
    for i in range(tick.size):
        total[tick[i]] += value[i]
    return np.cumsum(total)


@njit
def resolve(time: IntArray, meets: Meets, n_edges: int) -> IntArray:
    """Return, for an item of each edge, the sum over items of *other* edges of the time at which the two met.

    An edge that is gone follows the one that kept it, at a fixed offset, as in a weighted union-find. O(n).
    """
    total = np.zeros(n_edges, dtype=np.int64)
    for i in range(meets.tick.size):
        now = time[meets.tick[i]]
        f, e = meets.kept[i], meets.gone[i]
        total[f] += now * meets.gone_count[i]
        total[e] += now * meets.kept_count[i] - total[f]
    for i in range(meets.tick.size - 1, -1, -1):
        total[meets.gone[i]] += total[meets.kept[i]]
    return total


@njit
def moments_of_rows(parent: IntArray, moment: IntArray, size: IntArray) -> IntArray:
    """Return, for an item of each node, the sum of the moments at which it joins each other item. O(n)."""
    above = np.zeros(parent.size, dtype=np.int64)
    for v in range(parent.size - 2, -1, -1):
        p = parent[v]
        above[v] = above[p] + moment[p] * (size[p] - size[v])
    below: IntArray = moment * (size - 1)
    return above + below
