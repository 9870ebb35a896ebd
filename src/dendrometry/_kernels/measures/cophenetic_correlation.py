"""Sums over pairs of items of their values in one tree, at the nodes of another where they join."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray, Values


class Order(NamedTuple):
    """The rows of a tree in an order in which those of every node are adjacent, its largest part first.

    The parts of a node are its children and each row of its own. ``place[r]`` is the place of row r, and ``join[j]`` is
    the lowest common node of the rows at places j - 1 and j; ``join[0]`` is 0. Every place j is the foot of a path that
    goes on up while it is in the largest part. Other parts that join it on its way begin at the places
    ``cut[first[j] : first[j + 1]]``, in ascending order.
    """

    place: NDArray[np.int32]
    join: NDArray[np.int32]
    first: NDArray[np.int32]
    cut: NDArray[np.int32]


class _Lists(NamedTuple):
    """Places in one tree by their order in the other, of a span of places at a time, and room to work in.

    A span of n places has the n numbers that begin at the same index of ``place[side]``, of ``join[side]`` the lowest
    common nodes in the other tree of each place and the one before it (the first is any node). ``items`` and ``weight``
    are of each place: its number of items, and their sum of values with any place before the part that has it.
    """

    place: NDArray[np.int32]
    join: NDArray[np.int32]
    items: IntArray
    weight: NDArray[np.float64] | IntArray
    open_node: NDArray[np.int32]
    open_items: IntArray
    open_weight: NDArray[np.float64] | IntArray


@njit
def _largest_children(parent: IntArray, node: IntArray) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the number of rows at and below each node, and its child with most of them, or -1. O(n)."""
    rows, largest = np.zeros(parent.size, dtype=np.int32), np.full(parent.size, -1, dtype=np.int32)
    for r in range(node.size):
        rows[node[r]] += 1
    for v in range(parent.size - 1):
        p = parent[v]
        rows[p] += rows[v]
        if largest[p] < 0 or rows[v] > rows[largest[p]]:
            largest[p] = v
    return rows, largest


@njit
def _cuts(foot: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the places from 1 on by the foot of the path that their parts join, and where each foot has its own."""
    n = foot.size
    first, cut = np.zeros(n + 1, dtype=np.int32), np.empty(n - 1, dtype=np.int32)
    for j in range(1, n):
        first[foot[j]] += 1
    for j in range(n):
        first[j + 1] += first[j]
    for j in range(n - 1, 0, -1):
        first[foot[j]] -= 1
        cut[first[foot[j]]] = j
    return first, cut


@njit
def order_by_paths(parent: IntArray, node: IntArray) -> Order:
    """Return the order of the rows of a tree, given the node of each; every leaf has a row. O(n)."""
    n = node.size
    start, free = np.zeros(parent.size, dtype=np.int32), np.zeros(parent.size, dtype=np.int32)
    join, foot = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    rows, largest = _largest_children(parent, node)
    for v in range(parent.size - 1, -1, -1):
        p = parent[v]
        if p >= 0 and largest[p] == v:
            start[v] = start[p]
        elif p >= 0:
            start[v] = free[p]
            free[p] += rows[v]
            join[start[v]], foot[start[v]] = p, start[p]
        free[v] = start[v] if largest[v] < 0 else start[v] + rows[largest[v]]
    place = np.empty(n, dtype=np.int32)
    for r in range(n):
        v = node[r]
        place[r] = free[v]
        free[v] += 1
        if place[r] > start[v]:
            join[place[r]], foot[place[r]] = v, start[v]
    first, cut = _cuts(foot)
    return Order(place, join, first, cut)


@njit
def _nearest(cut: NDArray[np.int32], first: int, last: int, place: int) -> int:
    """Return the number of the cut that is nearest to a place, of those from first to before last. O(log n)."""
    low, high = first, last - 1
    while low < high:
        middle = (low + high) // 2
        if cut[middle] < place:
            low = middle + 1
        else:
            high = middle
    if low > first and place - cut[low - 1] < cut[low] - place:
        low -= 1
    return low


@njit
def _weigh(lists: _Lists, a: Order, value: Values, lo: int, hi: int) -> None:
    """Set the weights of the places of a path, from its foot to before ``hi``."""
    for k in range(a.first[lo], a.first[lo + 1]):
        stop = a.cut[k + 1] if k + 1 < a.first[lo + 1] else hi
        for j in range(a.cut[k], stop):
            lists.weight[j] = lists.items[j] * value[a.join[a.cut[k]]]


@njit
def _cross(total: Values, lists: _Lists, side: int, lo: int, hi: int, middle: int) -> None:
    """Add the values of the pairs of items on both sides of the middle of a span to the nodes where these join.

    The places below the middle and those from it on become lists on the other side. A node is open until all of its
    places have come; the greatest of the joins between two places is their lowest common node. O(hi - lo).
    """
    before, after = side, 1 - side
    low, high = lo, middle
    join_low, join_high = np.int32(0), np.int32(0)
    items, weight = lists.items[lo] * 0, lists.weight[lo] * 0
    depth = 0
    for i in range(lo, hi):
        x = lists.join[before, i]
        while depth > 0 and lists.open_node[depth - 1] < x:
            depth -= 1
            n, w = lists.open_items[depth], lists.open_weight[depth]
            total[lists.open_node[depth]] += items * w + n * weight
            items += n
            weight += w
        if depth > 0 and lists.open_node[depth - 1] == x:
            n, w = lists.open_items[depth - 1], lists.open_weight[depth - 1]
            total[x] += items * w + n * weight
            lists.open_items[depth - 1] = n + items
            lists.open_weight[depth - 1] = w + weight
        else:
            lists.open_node[depth], lists.open_items[depth], lists.open_weight[depth] = x, items, weight
            depth += 1
        join_low, join_high = max(join_low, x), max(join_high, x)
        j = lists.place[before, i]
        if j < middle:
            items, weight = lists.items[j], lists.weight[lo] * 0
            lists.place[after, low], lists.join[after, low] = j, join_low
            low += 1
            join_low = np.int32(0)
        else:
            items, weight = lists.items[lo] * 0, lists.weight[j]
            lists.place[after, high], lists.join[after, high] = j, join_high
            high += 1
            join_high = np.int32(0)
    while depth > 0:
        depth -= 1
        n, w = lists.open_items[depth], lists.open_weight[depth]
        total[lists.open_node[depth]] += items * w + n * weight
        items += n
        weight += w


@njit
def sums_at_nodes(a: Order, b: Order, count: IntArray, value: Values, n_nodes: int) -> Values:
    """Return, for each node of b, the sum of the values in a of the pairs of items of different rows that join there.

    The value of a pair in a is that of its lowest common node. Sums of whole numbers are exact, if they fit in 63 bits.

    The rows of a path of a are cut in two near their middle, where a part of the path begins: the value of a pair on
    both sides is that of the node where the upper row joins the path. So the pairs of a node of b are counted by one
    product of sums of either side, in a list of the rows in the order of b. Both sides are cut in the same way, until
    a part is alone, which is a path of its own with at most half of the rows: O(n log n) time, O(n) space.
    """
    n = count.size
    lists = _Lists(
        np.empty((2, n), dtype=np.int32),
        np.empty((2, n), dtype=np.int32),
        np.empty(n, dtype=np.int64),
        np.zeros(n, dtype=value.dtype),
        np.empty(n + 1, dtype=np.int32),
        np.empty(n + 1, dtype=np.int64),
        np.empty(n + 1, dtype=value.dtype),
    )
    for r in range(n):
        lists.items[a.place[r]] = count[r]
        lists.place[0, b.place[r]] = a.place[r]
        lists.join[0, r] = b.join[r]
    total = np.zeros(n_nodes, dtype=value.dtype)
    span = np.zeros((n + 1, 5), dtype=np.int32)  # to be cut: from, to, cuts from and to, side
    span[0, 1] = n
    n_spans = 1
    while n_spans > 0 and not stopped():
        n_spans -= 1
        lo, hi, first, last = span[n_spans, 0], span[n_spans, 1], span[n_spans, 2], span[n_spans, 3]
        side = span[n_spans, 4]
        if hi - lo < 2:
            continue
        if hi - lo == 2:
            total[lists.join[side, lo + 1]] += lists.items[lo] * lists.items[lo + 1] * value[a.join[lo + 1]]
            continue
        if first == last:  # a single part, which is a path itself
            _weigh(lists, a, value, lo, hi)
            first, last = a.first[lo], a.first[lo + 1]
        k = _nearest(a.cut, first, last, (lo + hi) // 2)
        middle = a.cut[k]
        _cross(total, lists, side, lo, hi, middle)
        span[n_spans, 0], span[n_spans, 1], span[n_spans, 2], span[n_spans, 3] = lo, middle, first, k
        n_spans += 1
        span[n_spans, 0], span[n_spans, 1], span[n_spans, 2], span[n_spans, 3] = middle, hi, k + 1, last
        n_spans += 1
        span[n_spans - 2 : n_spans, 4] = 1 - side
    return total
