"""The contraction of two trees: their contingency table as a graph whose edges meet as clusters merge."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit

__all__ = ["Links", "Meets", "contract", "moments_of_rows", "resolve"]

_EdgeTable = NDArray[np.int32]

# Columns of an edge. Those of a side come in pairs: the first tree's, then the second's.
_END, _NEXT, _PREVIOUS, _CHAIN = 0, 2, 4, 6


class Links(NamedTuple):
    """What merges when: at ``tick``, cluster ``child`` becomes part of cluster ``parent``.

    Ticks ascend, and everything that becomes part of a cluster does so before the cluster itself moves on.
    """

    tick: IntArray
    child: IntArray
    parent: IntArray


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


@njit
def _bucket(x: int, y: int, mask: int) -> int:
    """Return where the edge between clusters x and y is chained."""
    key = np.uint64(x) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(y) * np.uint64(0xC2B2AE3D27D4EB4F)
    return np.int64((key ^ (key >> np.uint64(32))) & np.uint64(mask))


@njit
def _hook(edge: _EdgeTable, bucket: NDArray[np.int32], e: int) -> None:
    """Put e first in the chain of its ends."""
    at = _bucket(edge[e, _END], edge[e, _END + 1], bucket.size - 1)
    edge[e, _CHAIN] = bucket[at]
    bucket[at] = e


@njit
def _unhook(edge: _EdgeTable, bucket: NDArray[np.int32], e: int) -> None:
    """Take e out of the chain of its ends."""
    at = _bucket(edge[e, _END], edge[e, _END + 1], bucket.size - 1)
    f = bucket[at]
    if f == e:
        bucket[at] = edge[e, _CHAIN]
        return
    while edge[f, _CHAIN] != e:
        f = edge[f, _CHAIN]
    edge[f, _CHAIN] = edge[e, _CHAIN]


@njit
def _find(edge: _EdgeTable, bucket: NDArray[np.int32], x: int, y: int) -> int:
    """Return the edge between clusters x and y, or -1."""
    f = bucket[_bucket(x, y, bucket.size - 1)]
    while f >= 0 and (edge[f, _END] != x or edge[f, _END + 1] != y):
        f = edge[f, _CHAIN]
    return f


@njit
def _push(edge: _EdgeTable, head: NDArray[np.int32], e: int, side: int) -> None:
    """Put e first in the list of the cluster at its end on this side."""
    x = edge[e, _END + side]
    f = head[x]
    edge[e, _NEXT + side] = f
    edge[e, _PREVIOUS + side] = -1
    if f >= 0:
        edge[f, _PREVIOUS + side] = e
    head[x] = e


@njit
def _pull(edge: _EdgeTable, head: NDArray[np.int32], e: int, side: int) -> None:
    """Take e out of the list of the cluster at its end on this side."""
    before, after = edge[e, _PREVIOUS + side], edge[e, _NEXT + side]
    if before >= 0:
        edge[before, _NEXT + side] = after
    else:
        head[edge[e, _END + side]] = after
    if after >= 0:
        edge[after, _PREVIOUS + side] = before


@njit
def contract(end: IntArray, count: IntArray, links: Links, first_b: int, n_clusters: int) -> Meets:
    """Walk both trees from the leaves up and return the edges that met.

    ``end[e]`` are the clusters that edge e joins at the start, one of each tree, and ``count[e]`` its items; no two
    edges have both ends in common. Clusters below ``first_b`` are of the first tree. When two clusters of a
    tree merge, the edges of the one with fewer edges move to the other; an edge that meets another with the
    same ends is added to it. A cluster never has more edges than items, so an edge moves at most log2 n times
    for each tree: O(n log n) expected time (the edges are found by hashing), O(n) space.
    """
    n_edges = count.size
    total = count.copy()
    edge = np.full((n_edges, 8), -1, dtype=np.int32)
    head = np.full(n_clusters, -1, dtype=np.int32)
    holder = np.full(n_clusters, -1, dtype=np.int32)
    degree = np.zeros(n_clusters, dtype=np.int32)
    n_buckets = 2
    while n_buckets < 2 * n_edges:
        n_buckets *= 2
    bucket = np.full(n_buckets, -1, dtype=np.int32)
    for e in range(n_edges):
        for side in range(2):
            x = end[e, side]
            edge[e, _END + side] = x
            holder[x] = x
            degree[x] += 1
            _push(edge, head, e, side)
        _hook(edge, bucket, e)
    met = np.empty((5, max(n_edges - 1, 0)), dtype=np.int64)
    n_met = 0
    for i in range(links.tick.size):
        p = links.parent[i]
        x, y = holder[links.child[i]], holder[p]
        if y < 0:
            holder[p] = x
            continue
        if degree[x] > degree[y]:
            x, y = y, x
        holder[p] = y
        side = 0 if y < first_b else 1
        e = head[x]
        while e >= 0:
            after = edge[e, _NEXT + side]
            _unhook(edge, bucket, e)
            edge[e, _END + side] = y
            f = _find(edge, bucket, edge[e, _END], edge[e, _END + 1])
            if f < 0:
                _hook(edge, bucket, e)
                _push(edge, head, e, side)
                degree[y] += 1
            else:
                _pull(edge, head, e, 1 - side)
                degree[edge[e, _END + 1 - side]] -= 1
                met[0, n_met] = links.tick[i]
                met[1, n_met] = f
                met[2, n_met] = e
                met[3, n_met] = total[f]
                met[4, n_met] = total[e]
                total[f] += total[e]
                n_met += 1
            e = after
    return Meets(met[0], met[1], met[2], met[3], met[4])


@njit
def resolve(time: IntArray, meets: Meets, n_edges: int) -> IntArray:
    """Return, for an item of each edge, the sum over items of *other* edges of the time at which the two met.

    An edge that is gone follows the one that kept it, at a fixed offset, as in a weighted union-find. O(n).
    """
    total = np.zeros(n_edges, dtype=time.dtype)
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
    above = np.zeros(parent.size, dtype=moment.dtype)
    for v in range(parent.size - 2, -1, -1):
        p = parent[v]
        above[v] = above[p] + moment[p] * (size[p] - size[v])
    return above + moment * (size - 1)
