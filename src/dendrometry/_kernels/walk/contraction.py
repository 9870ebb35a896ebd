"""The contraction of two trees: their contingency table as a graph whose edges meet as clusters merge."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit, stopped

__all__ = [
    "Division",
    "Meets",
    "Parts",
    "Side",
    "divide",
    "meetings",
    "moments_of_rows",
    "pairs_in_both",
    "pairs_together",
    "parts_of",
    "resolve",
]

_START, _STOP, _SIDE, _TICK = range(4)  # columns of a part
_ROWS, _LARGEST, _FREE, _WHEN = range(4)  # columns of a node
_MOST = _WHEN


class Side(NamedTuple):
    """One of the two trees: when each node is formed, no later than its parent, and the node of each row."""

    parent: IntArray
    tick: IntArray
    node: IntArray


class Parts(NamedTuple):
    """A tree as the parts that its nodes come apart into, and ``place``, that of every row in an order of the tree.

    The parts of a node are its children and the rows that belong to itself; in the order, the rows of a part are a
    span. Each line of ``part``, one for every part but the largest of its node, has the start and the end of the span,
    its side, which is 0, and the tick at which it joins the largest part.
    """

    place: NDArray[np.int32]
    part: NDArray[np.int32]


class Division(NamedTuple):
    """How edges come apart on the way down: at first all rows are edge 0, at last row r is edge ``edge[r]``.

    ``came[e]`` are the tick at which edge e came apart from another, and that edge; there is none for edge 0.
    """

    edge: NDArray[np.int32]
    came: NDArray[np.int32]


class Meets(NamedTuple):
    """The edges that met, in order of time: at ``tick`` edge ``gone`` was added to edge ``kept``.

    An edge has the number of one of its rows; at the start each row is an edge of its own. ``kept_count`` and
    ``gone_count`` are the items of both just before. Every pair of items, one of each, is from this tick on together in
    both trees. All edges but one are gone in the end.
    """

    tick: IntArray
    kept: IntArray
    gone: IntArray
    kept_count: IntArray
    gone_count: IntArray


@njit
def pairs_together(parent: IntArray, size: IntArray, tick: IntArray, n_ticks: int) -> IntArray:
    """Return the number of pairs of items that are together in a tree from each tick until the next. O(n).

    ``size`` and ``tick`` are the number of items of each node and when it is formed, no later than its parent.
    """
    pairs = np.zeros(n_ticks, dtype=np.int64)
    for v in range(parent.size):
        inside = size[v] * (size[v] - 1) // 2
        pairs[tick[v]] += inside
        if v < parent.size - 1:
            pairs[tick[parent[v]]] -= inside
    for i in range(1, n_ticks):
        pairs[i] += pairs[i - 1]
    return pairs


@njit
def parts_of(side: Side) -> Parts:
    """Return every part but the largest one of each node, and the place of every row in an order of the tree. O(n).

    What is read of a node lies side by side: its rows, its largest child + 1, where its next part starts, and its tick,
    before that the rows of its largest child.
    """
    parent, tick, node = side
    n_nodes = parent.size
    at = np.zeros((n_nodes, 4), dtype=np.int32)
    for r in range(node.size):
        at[node[r], _ROWS] += 1
    for v in range(n_nodes - 1):
        p, rows = parent[v], at[v, _ROWS]
        at[p, _ROWS] += rows
        if rows > at[p, _MOST]:
            at[p, _MOST], at[p, _LARGEST] = rows, v + 1
    part, n_parts = np.zeros((node.size - 1, 4), dtype=np.int32), 0
    at[n_nodes - 1, _WHEN] = tick[n_nodes - 1]
    for v in range(n_nodes - 2, -1, -1):
        p = parent[v]
        at[v, _WHEN] = tick[v]
        at[v, _FREE] = at[p, _FREE]
        at[p, _FREE] += at[v, _ROWS]
        if at[p, _LARGEST] != v + 1:
            part[n_parts, _START], part[n_parts, _STOP] = at[v, _FREE], at[p, _FREE]
            part[n_parts, _TICK] = at[p, _WHEN]
            n_parts += 1
    place = np.empty(node.size, dtype=np.int32)
    for r in range(node.size):
        v = node[r]
        place[r] = at[v, _FREE]
        at[v, _FREE] += 1
        if at[v, _LARGEST] == 0:
            at[v, _LARGEST] = -1  # a leaf, whose largest part is its first row
        else:
            part[n_parts, _START], part[n_parts, _STOP] = place[r], at[v, _FREE]
            part[n_parts, _TICK] = at[v, _WHEN]
            n_parts += 1
    return Parts(place, part)


@njit
def _latest_first(part: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the parts of both trees by tick, the highest first, stably. O(n).

    Counted here: sorting, a maximum and an index of rows would take a second more to compile.
    """
    last = 0
    for i in range(part.shape[0]):
        last = max(last, part[i, _TICK])
    start = np.zeros(last + 2, dtype=np.int32)
    for i in range(part.shape[0]):
        start[last - part[i, _TICK] + 1] += 1
    for tick in range(last):
        start[tick + 1] += start[tick]
    ordered = np.empty(part.shape, dtype=np.int32)
    for i in range(part.shape[0]):
        at = start[last - part[i, _TICK]]
        start[last - part[i, _TICK]] += 1
        for column in range(4):
            ordered[at, column] = part[i, column]
    return ordered


@njit
def _come_apart(  # noqa: C901 - two passes over a span of rows, in one loop
    order: NDArray[np.int32], part: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Take the parts out of both trees one by one; return the edge of every row at last, and how they came apart.

    ``order[side]`` are the rows in the order of each tree; one that is found alone in its edge is taken out, -1. At
    first all rows are one edge, number 0. A part takes its rows out of each edge that has others too; they become the
    edge with the next number, and one line says the tick and from which edge.
    """
    n = order.shape[1]
    edge = np.zeros(n, dtype=np.int32)
    # of each edge: its rows, those inside the part, and the edge to which they go. Inside is 0 between parts; the first
    # pass counts up; where not all are inside, the second goes on with minus how many are still to move, up to 0
    rows, inside, target = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    rows[0] = n
    came, n_edges = np.zeros((n, 2), dtype=np.int32), 1
    for i in range(part.shape[0]):
        if n_edges == n or stopped():
            break
        start, stop, side = part[i, _START], part[i, _STOP], part[i, _SIDE]
        any_left = False
        for j in range(start, stop):
            r = order[side, j]
            if r < 0:
                continue
            e = edge[r]
            if rows[e] > 1:
                inside[e] += 1
                any_left = True
            else:
                order[side, j] = -1
        if not any_left:
            continue
        for j in range(start, stop):
            r = order[side, j]
            if r < 0:
                continue
            e = edge[r]
            moving = inside[e]
            if moving == rows[e]:
                inside[e] = 0  # all of its rows are in the part
            elif moving != 0:
                if moving > 0:
                    rows[e] -= moving
                    rows[n_edges] = moving
                    target[e] = n_edges
                    came[n_edges, 0], came[n_edges, 1] = part[i, _TICK], e
                    n_edges += 1
                    moving = -moving
                edge[r] = target[e]
                inside[e] = moving + 1
    return edge, came


@njit
def divide(a: Parts, b: Parts) -> Division:
    """Walk down both trees, given their parts, and return how the edges came apart.

    When a node comes apart, only the rows of its smaller parts move, so a row moves at most log2 n times for each tree.
    O(n log n) time, O(n) space for n rows. Rows, nodes and ticks are numbered in 32 bits.
    """
    n, n_a = a.place.size, a.part.shape[0]
    order = np.empty((2, n), dtype=np.int32)  # rows are numbered by their place in the first tree
    for r in range(n):
        order[0, r] = r
        order[1, b.place[r]] = a.place[r]
    part = np.concatenate((a.part, b.part))
    part[n_a:, _SIDE] = 1
    edge, came = _come_apart(order, _latest_first(part))
    of_row = np.empty(n, dtype=np.int32)
    for r in range(n):
        of_row[r] = edge[a.place[r]]
    return Division(of_row, came)


@njit
def meetings(division: Division, count: IntArray) -> Meets:
    """Return the edges that met, which is the division read backwards; row r has ``count[r]`` items. O(n)."""
    n = count.size
    row, items = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for r in range(n):
        e = division.edge[r]
        row[e], items[e] = r, count[r]
    met = np.empty((5, n - 1), dtype=np.int64)
    for i in range(n - 1):
        gone = n - 1 - i
        tick, kept = division.came[gone, 0], division.came[gone, 1]
        met[0, i], met[1, i], met[2, i] = tick, row[kept], row[gone]
        met[3, i], met[4, i] = items[kept], items[gone]
        items[kept] += items[gone]
    return Meets(met[0], met[1], met[2], met[3], met[4])


@njit
def pairs_in_both(division: Division, count: IntArray, n_ticks: int) -> IntArray:
    """Return the number of pairs of items of different rows that are together in both trees, at each tick. O(n).

    Two edges that meet bring together every pair of items, one of each.
    """
    items, pairs = np.empty(count.size, dtype=np.int64), np.zeros(n_ticks, dtype=np.int64)
    for r in range(count.size):
        items[division.edge[r]] = count[r]
    for gone in range(count.size - 1, 0, -1):
        tick, kept = division.came[gone, 0], division.came[gone, 1]
        pairs[tick] += items[kept] * items[gone]
        items[kept] += items[gone]
    for i in range(1, n_ticks):
        pairs[i] += pairs[i - 1]
    return pairs


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
