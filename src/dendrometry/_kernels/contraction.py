"""The contraction of two trees: their contingency table as a graph whose edges meet as clusters merge."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit

__all__ = ["Links", "Meets", "contract", "moments_of_rows", "resolve"]

_Moments = NDArray[Any]  # whole numbers or floats

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


class _Graph(NamedTuple):
    """Clusters of both trees joined by edges.

    ``edge`` holds for each edge its two ends, its neighbours in the lists of both ends, and the next in its hash chain,
    side by side in memory; ``items`` counts its items. ``first`` and ``degree`` are the list of each cluster, ``bucket`` starts the chains.
    """

    edge: NDArray[np.int32]
    items: IntArray
    first: NDArray[np.int32]
    degree: NDArray[np.int32]
    bucket: NDArray[np.int32]


@njit
def _place(graph: _Graph, x: int, y: int) -> int:
    """Return the bucket of the edge between clusters x and y."""
    key = int(x) * 1640531527 ^ int(y) * 1103515245
    return (key ^ (key >> 29)) & (graph.bucket.size - 1)


@njit
def _hook(graph: _Graph, e: int) -> None:
    """Put e first in its hash chain."""
    at = _place(graph, graph.edge[e, _END], graph.edge[e, _END + 1])
    graph.edge[e, _CHAIN] = graph.bucket[at]
    graph.bucket[at] = e


@njit
def _unhook(graph: _Graph, e: int) -> None:
    """Take e out of its hash chain."""
    edge = graph.edge
    at = _place(graph, edge[e, _END], edge[e, _END + 1])
    f = graph.bucket[at]
    if f == e:
        graph.bucket[at] = edge[e, _CHAIN]
        return
    while edge[f, _CHAIN] != e:
        f = edge[f, _CHAIN]
    edge[f, _CHAIN] = edge[e, _CHAIN]


@njit
def _twin(graph: _Graph, e: int) -> int:
    """Return the hooked edge with the same ends as e, or -1."""
    edge = graph.edge
    x, y = edge[e, _END], edge[e, _END + 1]
    f = graph.bucket[_place(graph, x, y)]
    while f >= 0 and (edge[f, _END] != x or edge[f, _END + 1] != y):
        f = edge[f, _CHAIN]
    return int(f)


@njit
def _push(graph: _Graph, e: int, side: int) -> None:
    """Put e first in the list of its end on this side."""
    x = graph.edge[e, _END + side]
    f = graph.first[x]
    graph.edge[e, _NEXT + side] = f
    graph.edge[e, _PREVIOUS + side] = -1
    if f >= 0:
        graph.edge[f, _PREVIOUS + side] = e
    graph.first[x] = e
    graph.degree[x] += 1


@njit
def _pull(graph: _Graph, e: int, side: int) -> None:
    """Take e out of the list of its end on this side."""
    x = graph.edge[e, _END + side]
    before, after = graph.edge[e, _PREVIOUS + side], graph.edge[e, _NEXT + side]
    if before >= 0:
        graph.edge[before, _NEXT + side] = after
    else:
        graph.first[x] = after
    if after >= 0:
        graph.edge[after, _PREVIOUS + side] = before
    graph.degree[x] -= 1


@njit
def _graph(end: IntArray, count: IntArray, n_clusters: int) -> _Graph:
    """Return the graph at the start."""
    n_buckets = 2
    while n_buckets < 2 * count.size:
        n_buckets *= 2
    graph = _Graph(
        np.full((count.size, 8), -1, dtype=np.int32),
        count.copy(),
        np.full(n_clusters, -1, dtype=np.int32),
        np.zeros(n_clusters, dtype=np.int32),
        np.full(n_buckets, -1, dtype=np.int32),
    )
    for e in range(count.size):
        for side in range(2):
            graph.edge[e, _END + side] = end[e, side]
            _push(graph, e, side)
        _hook(graph, e)
    return graph


@njit
def _move(graph: _Graph, e: int, y: int, side: int) -> int:
    """Give e another end on this side; return the edge that it meets there, or -1."""
    _unhook(graph, e)
    graph.edge[e, _END + side] = y
    f = _twin(graph, e)
    if f < 0:
        _hook(graph, e)
        _push(graph, e, side)
    else:
        _pull(graph, e, 1 - side)
    return f


@njit
def contract(end: IntArray, count: IntArray, links: Links, first_b: int, n_clusters: int) -> Meets:
    """Walk both trees from the leaves up and return the edges that met.

    ``end[e]`` are the clusters that edge e joins at the start, one of each tree, and ``count[e]`` its items; no two
    edges have both ends in common. Clusters below ``first_b`` are of the first tree. When two clusters of a
    tree merge, the edges of the one with fewer edges move to the other; an edge that meets another with the
    same ends is added to it. A cluster never has more edges than items, so an edge moves at most log2 n times
    for each tree: O(n log n) expected time (the edges are found by hashing), O(n) space.
    """
    graph = _graph(end, count, n_clusters)
    holder = np.where(graph.degree > 0, np.arange(n_clusters), -1)
    met = np.empty((5, max(count.size - 1, 0)), dtype=np.int64)
    n_met = 0
    for i in range(links.tick.size):
        p = links.parent[i]
        x, y = holder[links.child[i]], holder[p]
        if y < 0:
            holder[p] = x
            continue
        if graph.degree[x] > graph.degree[y]:
            x, y = y, x
        holder[p] = y
        side = 0 if y < first_b else 1
        e = int(graph.first[x])
        while e >= 0:
            after = int(graph.edge[e, _NEXT + side])
            f = _move(graph, e, y, side)
            if f >= 0:
                met[0, n_met], met[1, n_met], met[2, n_met] = links.tick[i], f, e
                met[3, n_met], met[4, n_met] = graph.items[f], graph.items[e]
                graph.items[f] += graph.items[e]
                n_met += 1
            e = after
    return Meets(met[0], met[1], met[2], met[3], met[4])


@njit
def resolve(time: _Moments, meets: Meets, n_edges: int) -> _Moments:
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
def moments_of_rows(parent: IntArray, moment: _Moments, size: IntArray) -> _Moments:
    """Return, for an item of each node, the sum of the moments at which it joins each other item. O(n)."""
    above = np.zeros(parent.size, dtype=moment.dtype)
    for v in range(parent.size - 2, -1, -1):
        p = parent[v]
        above[v] = above[p] + moment[p] * (size[p] - size[v])
    below: _Moments = moment * (size - 1)
    return above + below
