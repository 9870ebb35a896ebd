"""Sums over pairs of items of their values in one tree, at the nodes of another where they join."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import AHEAD, MANY, prefetch, stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray, Values

NODE, FOOT = range(2)  # columns of a joint
_ROWS, _LARGEST, _FREE, _START = range(4)  # columns of a node
_MOST = _FREE  # which holds the rows of the largest child while these are counted


class Order(NamedTuple):
    """The rows of a tree in an order in which those of every node are adjacent, its largest part first.

    The parts of a node are its children and each row of its own. ``place[r]`` is the place of row r. Every place j is
    the foot of a path that goes on up while it is in the largest part. Other parts that join it on its way begin at the
    places ``cut[first[j] : first[j + 1]]``, in ascending order. ``joint[j]`` has the lowest common node of the rows at
    places j - 1 and j, and the foot of the path that the part which begins at j joins; ``joint[0]`` is 0.
    """

    place: NDArray[np.int32]
    joint: NDArray[np.int32]
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
def order_by_paths(  # noqa: C901 - nodes from below, nodes from above, rows
    parent: IntArray, node: IntArray, at: NDArray[np.int32], start: NDArray[np.int32], order: Order
) -> None:
    """Fill in the order of the rows of a tree, given the node of each; every leaf has a row. O(n).

    ``at`` has a line for each node but the first leaves, of one row each, and ``start`` has room for these. What is
    read of a node lies side by side. ``at``, ``joint`` and ``first`` are all 0 at first. The arrays come from NumPy,
    which asks for large pages.
    """
    place, joint = order.place, order.joint
    root, n_first, are_many = parent.size - 1, start.size, parent.size > MANY
    for r in range(node.size):
        if node[r] >= n_first:
            at[node[r] - n_first, _ROWS] += 1
    for v in range(root):
        if are_many:
            prefetch(at, parent[min(v + AHEAD, root - 1)] - n_first)
        rows = at[v - n_first, _ROWS] if v >= n_first else 1
        p = parent[v] - n_first
        most, largest = at[p, _MOST], at[p, _LARGEST]
        is_largest = rows > most  # no branch: which way it goes is seen late, when the line has come from memory
        at[p, _ROWS] += rows
        at[p, _MOST] = rows if is_largest else most
        at[p, _LARGEST] = v + 1 if is_largest else largest
    for v in range(root, -1, -1):
        if are_many:
            prefetch(at, parent[max(v - AHEAD, 0)] - n_first)
        rows, begin = at[v - n_first, _ROWS] if v >= n_first else 1, 0
        if v < root:
            p = parent[v] - n_first
            foot, free = at[p, _START], at[p, _FREE]
            is_largest = at[p, _LARGEST] == v + 1
            begin = foot if is_largest else free
            at[p, _FREE] = free if is_largest else free + rows
            if not is_largest:
                joint[begin, NODE], joint[begin, FOOT] = parent[v], foot
        if v < n_first:
            start[v] = begin
        else:
            at[v - n_first, _FREE] += begin
            at[v - n_first, _START] = begin
    for r in range(node.size):
        u = node[r] - n_first
        if u < 0:
            place[r] = start[node[r]]
            continue
        place[r] = at[u, _FREE]
        at[u, _FREE] += 1
        if place[r] > at[u, _START]:
            joint[place[r], NODE], joint[place[r], FOOT] = node[r], at[u, _START]
    _list_cuts(order)


@njit
def _list_cuts(order: Order) -> None:
    """List the places from 1 on by the foot of the path that their parts join. O(n)."""
    _, joint, first, cut = order
    n = joint.shape[0]
    for j in range(1, n):
        first[joint[j, FOOT]] += 1
    for j in range(n):
        first[j + 1] += first[j]
    for j in range(n - 1, 0, -1):
        foot = joint[j, FOOT]
        first[foot] -= 1
        cut[first[foot]] = j


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
            lists.weight[j] = lists.items[j] * value[a.joint[a.cut[k], NODE]]


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
    depth, are_many, is_long = 0, lists.items.size > MANY, hi - lo > MANY
    for i in range(lo, hi):
        if are_many:
            prefetch(total, lists.join[before, min(i + AHEAD, hi - 1)])
        if is_long:
            ahead = lists.place[before, min(i + AHEAD, hi - 1)]
            prefetch(lists.items, ahead)
            prefetch(lists.weight, ahead)
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
        if n > MANY:
            ahead = min(r + AHEAD, n - 1)
            prefetch(lists.items, a.place[ahead])
            prefetch(lists.place[0], b.place[ahead])
        lists.items[a.place[r]] = count[r]
        lists.place[0, b.place[r]] = a.place[r]
        lists.join[0, r] = b.joint[r, NODE]
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
            total[lists.join[side, lo + 1]] += lists.items[lo] * lists.items[lo + 1] * value[a.joint[lo + 1, NODE]]
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
