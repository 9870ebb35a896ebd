"""The greedy build on a graph of neighbours: merge the two nearest clusters that an edge joins, and go on."""

import heapq
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import prefetch, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared, squared_of_rows
from dendrometry._kernels.cluster.edges import find_root
from dendrometry._kernels.cluster.matrix_greedy import combine
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._kernels.cluster.neighbours import between
from dendrometry._typing import FloatArray, IntArray

FORMS = ("ward", "average", "complete")
WARD, AVERAGE, COMPLETE, BY_MATRIX = range(4)

_ROUNDED = 1e-9  # a share that is more than roundings change in a comparison of distances
_LEAST = 1e-300  # above all numbers that a product may round to 0
_AHEAD = 8  # steps between the `prefetch` of a centroid and the read: each takes longer than that of a number


class Rule(NamedTuple):
    """What decides which clusters merge.

    ``form`` is the place of a linkage in `FORMS`, or for a matrix of distances `BY_MATRIX` plus that of its formula in
    ``lance_williams.UPDATES``. ``alpha`` is the factor of squared distances. The pair merged is at most ``slack`` times
    as far apart as the nearest pair. Two clusters whose ``total`` is at least ``least`` do not merge.
    """

    form: int
    alpha: float
    slack: float
    least: float


class Network(NamedTuple):
    """Clusters in slots, those of the items at first, and the edges between them.

    The neighbours of the cluster in slot c are those that ``pool[first[c] : first[c] + degree[c]]`` leads to by
    ``root``. ``end`` holds the end of all lists and the number of all nodes so far. ``node[c]`` is the number of the
    cluster, -1 for a slot that was swallowed, and ``slot`` leads from a node to its slot. ``nearest[c]`` is the nearest
    neighbour, a node, -1 if there is none, at ``distance[c]``; if that has merged, the distance is a lower bound.
    ``mark`` holds the last node whose list each slot was put in.
    """

    pool: NDArray[np.int32]
    first: IntArray
    degree: IntArray
    end: IntArray
    root: IntArray
    node: IntArray
    slot: IntArray
    nearest: IntArray
    distance: FloatArray
    mark: IntArray


class Members(NamedTuple):
    """What gives the distances of clusters: size, centroid and spread, for complete linkage all items, or a matrix.

    ``after[i]`` is the item that follows i in its cluster, in a circle; only complete linkage needs it. There the
    centroids are the points themselves, and ``spread`` is what each adds to its distances. With a ``matrix`` of the
    distances, ``spread`` is the mean distance inside a cluster. ``total`` is what counts towards a least size.
    """

    centroid: FloatArray
    size: FloatArray
    spread: FloatArray
    after: IntArray
    matrix: FloatArray
    total: FloatArray


@njit
def _distance(a: int, b: int, members: Members, rule: Rule) -> float:
    """Return the distance of the clusters in two slots, inf if they do not merge.

    O(d), for complete linkage O(d) for each pair of items, with a matrix O(1).
    """
    if members.total[a] >= rule.least and members.total[b] >= rule.least:
        return np.inf
    if rule.form >= BY_MATRIX:
        known: float = members.matrix[a, b]
        return known
    if rule.form == COMPLETE:
        return _farthest(a, b, members, rule.alpha)
    delta = squared(members.centroid[a], members.centroid[b])
    spreads = members.spread[a] + members.spread[b]
    return between(delta, (members.size[a], members.size[b]), spreads, rule.form == WARD, rule.alpha)


@njit
def _distances(c: int, known: FloatArray, network: Network, members: Members, rule: Rule) -> FloatArray:
    """Return the distances of the cluster in slot c to those in its list, which then holds their slots; inf to itself.

    One too long to matter may come out too short: it still exceeds another and, if any are ``known``, that of its slot.
    O(neighbours d). One call for all: to pass the columns takes as long as some distances.
    """
    listed = network.pool[network.first[c] : network.first[c] + network.degree[c]]
    for i in range(listed.size):
        if i + _AHEAD < listed.size:
            prefetch(network.root, listed[i + _AHEAD])
        listed[i] = find_root(network.root, listed[i])
    value = np.empty(listed.size)
    if rule.form <= AVERAGE:
        _fill_by_sums(c, listed, members, rule, known, value)
    else:
        for i in range(listed.size):
            value[i] = _distance(c, listed[i], members, rule)
    for i in range(listed.size):
        if listed[i] == c:
            value[i] = np.inf
    return value


@njit
def _fill_by_sums(
    c: int, listed: NDArray[np.int32], members: Members, rule: Rule, known: FloatArray, value: FloatArray
) -> None:
    """Set ``value[i]`` to `_distance` of slots c and ``listed[i]``, from sizes, centroids and spreads. O(listed d).

    One too long to matter may be too short: it still exceeds one before and, if any are ``known``, that of the slot.
    """
    centroid, size, spread, total = members.centroid, members.size, members.spread, members.total
    least = np.inf
    flat = centroid.ravel()
    d = centroid.shape[1]
    for i in range(listed.size):
        t = listed[i]
        if i + _AHEAD < listed.size:
            ahead = listed[i + _AHEAD]
            prefetch(size, ahead)
            prefetch(spread, ahead)
            prefetch(total, ahead)
            if known.size:
                prefetch(known, ahead)
            for k in range(0, d, 8):
                prefetch(flat, ahead * d + k)
        value[i] = np.inf
        if t == c or (total[c] >= rule.least and total[t] >= rule.least):
            continue
        limit = max(least, known[t]) if known.size else least
        spreads = spread[c] + spread[t]
        if rule.form == WARD:
            most = limit / (2.0 * (size[c] * size[t] / (size[c] + size[t])))
        else:
            most = (limit - spreads) / rule.alpha
        most += _ROUNDED * (abs(most) + abs(spreads) / rule.alpha) + _LEAST
        delta = squared_of_rows(c, t, centroid, most)
        value[i] = between(delta, (size[c], size[t]), spreads, rule.form == WARD, rule.alpha)
        least = min(least, value[i])


@njit
def _farthest(a: int, b: int, members: Members, alpha: float) -> float:
    """Return the distance of the farthest items of the clusters in two slots. O(d) for each pair of items."""
    farthest: float = 0.0
    i = a
    while True:
        j = b
        while True:
            value = alpha * squared(members.centroid[i], members.centroid[j]) + (members.spread[i] + members.spread[j])
            farthest = max(farthest, value)
            j = members.after[j]
            if j == b:
                break
        i = members.after[i]
        if i == a:
            return farthest


@njit
def _join(a: int, b: int, members: Members, rule: Rule) -> None:
    """Let the cluster in slot a hold that of slot b, too. O(d), with a matrix O(n)."""
    members.total[a] += members.total[b]
    if rule.form >= BY_MATRIX:
        _join_rows(a, b, members, rule.form - BY_MATRIX)
        return
    if rule.form == COMPLETE:
        members.after[a], members.after[b] = members.after[b], members.after[a]
        members.size[a] += members.size[b]
        return
    n = members.size[a] + members.size[b]
    share = members.size[b] / n
    delta = squared(members.centroid[a], members.centroid[b])
    members.spread[a] = (members.size[a] * members.spread[a] + members.size[b] * members.spread[b]) / n
    if rule.form == AVERAGE:
        members.spread[a] += rule.alpha * (members.size[a] / n) * share * delta
    for k in range(members.centroid.shape[1]):
        members.centroid[a, k] += share * (members.centroid[b, k] - members.centroid[a, k])
    members.size[a] = n


@njit
def _join_rows(a: int, b: int, members: Members, update: int) -> None:
    """Let row and column a of the matrix hold the distances of the union of the clusters in slots a and b. O(n)."""
    matrix = members.matrix
    least = matrix[a, b]
    combine(matrix[a], matrix[b], least, members.size, members.spread, (a, b, update))
    matrix[:, a] = matrix[a]
    members.size[a] += members.size[b]
    members.spread[a] = least


@njit
def find_nearest(slots: IntArray, network: Network, members: Members, rule: Rule) -> None:
    """Set the nearest neighbour of some slots, of several as near the one with the lowest number. O(edges d)."""
    node = network.node
    for c in slots:
        value = _distances(c, np.empty(0), network, members, rule)
        best = np.inf
        at = -1
        for i in range(value.size):
            t = network.pool[network.first[c] + i]
            if value[i] < best or (value[i] == best and t != c and node[t] < at):
                best = value[i]
                at = node[t]
        network.nearest[c] = at
        network.distance[c] = best
        if stopped():
            break


@njit
def merge_edges(network: Network, members: Members, merges: Merges, rule: Rule) -> int:
    """Make merges until every row of ``merges`` is filled or no edge is left, and return how many were made.

    Of pairs as near, the one comes first whose later cluster was formed first, so that no cluster swallows its
    neighbours one by one. A cluster whose nearest neighbour has merged is searched again only when its bound is the
    least of all. O(neighbours d) for each merge and each search, with a matrix O(n) for each merge.
    """
    heap = _nearest_pairs(network)
    made = 0
    while made < merges.left.size and len(heap) > 0 and not stopped():
        bound, high, low = heapq.heappop(heap)
        a, b = _live_pair(low, high, network)
        if a < 0:
            continue
        value = _distance(a, b, members, rule) if a != b else np.inf
        is_new = network.node[b] != low and network.node[b] != high
        if value > rule.slack * bound or (is_new and value == bound):
            find_nearest(np.array([a]), network, members, rule)
            _push(heap, a, network)
            continue
        merges.left[made] = min(network.node[a], network.node[b])
        merges.right[made] = max(network.node[a], network.node[b])
        merges.height[made] = value
        while len(heap) > 0 and heap[0] == (bound, high, low):  # the same pair, put in by its other cluster
            heapq.heappop(heap)
        merges.tied[made] = len(heap) > 0 and heap[0][0] == bound
        _join(a, b, members, rule)
        _unite(a, b, network)
        _inform_neighbours(a, network, members, heap, rule)
        made += 1
    return made


@njit
def _nearest_pairs(network: Network) -> list[tuple[float, int, int]]:
    """Return each cluster and its nearest neighbour with their distance, or a bound, as a heap. O(n)."""
    heap = [(0.0, 0, 0) for _ in range(0)]
    for c in range(network.node.size):
        if network.node[c] >= 0:
            _push(heap, c, network)
    return heap


@njit
def _push(heap: list[tuple[float, int, int]], c: int, network: Network) -> None:
    """Add a cluster and its nearest neighbour, if there is one, to the heap. O(log n)."""
    low, high = network.node[c], network.nearest[c]
    if high >= 0:
        heapq.heappush(heap, (network.distance[c], max(low, high), min(low, high)))


@njit
def _live_pair(low: int, high: int, network: Network) -> tuple[int, int]:
    """Return the slots of two nodes, of one that has merged the slot it is in; -1 twice if the pair is out of date.

    It is if both have merged, or if the other one has found a nearer neighbour since. O(1) in practice.
    """
    node, nearest = network.node, network.nearest
    a = network.slot[low]
    b = network.slot[high]
    if node[a] != low:
        a, b = b, a
        low, high = high, low
    if node[a] != low or (node[b] != high and nearest[a] != high):
        return -1, -1
    return a, find_root(network.root, b)


@njit
def _unite(a: int, b: int, network: Network) -> None:
    """Let slot a be a new node with the neighbours of the clusters in slots a and b. O(neighbours)."""
    pool, first, degree = network.pool, network.first, network.degree
    new = network.end[1]
    network.end[1] += 1
    network.root[b] = a
    network.node[b] = -1
    network.node[a] = new
    network.slot[new] = a
    if network.end[0] + degree[a] + degree[b] > pool.size:
        _pack(network)
    at = network.end[0]
    for c in (a, b):
        for e in range(first[c], first[c] + degree[c]):
            t = find_root(network.root, pool[e])
            if t != a and network.mark[t] != new:
                network.mark[t] = new
                pool[at] = t
                at += 1
    first[a] = network.end[0]
    degree[a] = at - first[a]
    degree[b] = 0
    network.end[0] = at


@njit
def _pack(network: Network) -> None:
    """Move all lists to the beginning of the pool, in the order in which they lie there. O(pool)."""
    order = np.argsort(network.first)
    at = 0
    for c in order:
        begin = network.first[c]
        network.first[c] = at
        for e in range(begin, begin + network.degree[c]):
            network.pool[at] = network.pool[e]
            at += 1
    network.end[0] = at


@njit
def _inform_neighbours(
    a: int, network: Network, members: Members, heap: list[tuple[float, int, int]], rule: Rule
) -> None:
    """Find the nearest neighbour of a new cluster, and make it that of neighbours that had none as near.

    O(neighbours d).
    """
    node, nearest, distance = network.node, network.nearest, network.distance
    distance[a] = np.inf
    nearest[a] = -1
    value = _distances(a, distance, network, members, rule)
    for i in range(value.size):
        t = network.pool[network.first[a] + i]
        if value[i] < distance[a] or (value[i] == distance[a] and node[t] < nearest[a]):
            distance[a] = value[i]
            nearest[a] = node[t]
        if value[i] < distance[t]:
            distance[t] = value[i]
            nearest[t] = node[a]
            _push(heap, t, network)
    _push(heap, a, network)
