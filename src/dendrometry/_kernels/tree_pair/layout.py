"""The rows of two trees in orders in which every part is a span, and the parts in the order in which they come apart.

Where a kernel takes arrays to fill, they come from NumPy, which asks for large pages: of the small pages that compiled
code gets, the first touch takes four times as long.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import AHEAD, MANY, prefetch, stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

START, STOP = range(2)  # columns of a part
_ROWS, _LARGEST, _FREE, _SLOT = range(4)  # columns of a node
_PARTS, _MOST = _FREE, _SLOT  # which two hold other numbers while parts are counted
_START_OF = _ROWS  # where the node starts, once it has its place


class Side(NamedTuple):
    """One of the two trees: when each node is formed, no later than its parent, and the node of each row.

    The first ``n_first`` nodes are leaves of one item each. Of them there is nothing to note, so they have no place in
    the tables of nodes, which halves the tables of a dendrogram whose leaves come first.
    """

    parent: IntArray
    tick: NDArray[np.int32]
    node: IntArray
    n_first: int


class Parts(NamedTuple):
    """The parts of both trees, those that come apart last first: where the rows of each start and stop.

    ``before[t]`` is the number of parts of later ticks than t.
    """

    part: NDArray[np.int32]
    before: NDArray[np.int32]


@njit
def count_parts(  # noqa: C901 - rows, and nodes from below, in two loops
    side: Side, at: NDArray[np.int32], n_parts: NDArray[np.int32]
) -> None:
    """Count the parts of a tree at each tick, and of each node the rows and the parts; find its largest child. O(n).

    The parts of a node are its children and the rows that belong to itself. They come apart from the largest one, which
    is not counted in ``n_parts``. What is read of a node lies side by side, in ``at``; all is 0 at first.
    """
    parent, tick, node, n_first = side
    n_nodes = parent.size
    are_many = n_nodes > MANY
    for r in range(node.size):
        if node[r] >= n_first:
            at[node[r] - n_first, _ROWS] += 1
            at[node[r] - n_first, _PARTS] += 1
    for v in range(n_nodes):
        if stopped():
            break
        if are_many:
            prefetch(at, parent[min(v + AHEAD, n_nodes - 2)] - n_first)
        rows = 1
        if v >= n_first:
            rows = at[v - n_first, _ROWS]
            if at[v - n_first, _PARTS] > 1:
                n_parts[tick[v]] += at[v - n_first, _PARTS] - 1
        if v < n_nodes - 1:
            p = parent[v] - n_first
            at[p, _ROWS] += rows
            at[p, _PARTS] += 1
            most, largest = at[p, _MOST], at[p, _LARGEST]
            is_largest = rows > most  # no branch: which way it goes is seen late, when the line has come from memory
            at[p, _MOST] = rows if is_largest else most
            at[p, _LARGEST] = v + 1 if is_largest else largest


@njit
def lay_out(  # noqa: C901 - children and rows of nodes with two parts and with more
    side: Side,
    at: NDArray[np.int32],
    slot: NDArray[np.int32],
    start: int,
    part: NDArray[np.int32],
    place: NDArray[np.int32],
) -> None:
    """Fill in the place of every row in an order of the tree, from ``start`` on, and its parts. O(n).

    In the order, the rows of a part are a span; that of the largest comes first, so that the other one of two parts is
    known with the node. The line of a part in ``part``, one of those for its tick from ``slot`` on, has where the span
    starts and stops. ``at`` and ``slot`` are used up. The second line of ``place`` has room for the first leaves.
    """
    parent, tick, node, n_first = side
    root, are_many = parent.size - 1, parent.size > MANY
    for v in range(root, -1, -1):
        if stopped():
            return
        if are_many:
            prefetch(at, parent[max(v - AHEAD, 0)] - n_first)
        rows = at[v - n_first, _ROWS] if v >= n_first else 1
        if v < root:
            p = parent[v] - n_first
            is_largest = at[p, _LARGEST] == v + 1
            first, free, slots = at[p, _START_OF], at[p, _FREE], at[p, _SLOT]
            start = first if is_largest else free
            at[p, _FREE] = free if is_largest else free + rows
            if slots >= 0 and not is_largest:
                part[slots, START], part[slots, STOP] = free, free + rows
                at[p, _SLOT] += 1
        if v < n_first:
            place[1, v] = start
            continue
        u = v - n_first
        n_parts, most = at[u, _PARTS], max(at[u, _MOST], 1)  # the largest part of a leaf is its first row
        at[u, _START_OF], at[u, _FREE], at[u, _SLOT] = start, start + most, -1
        if n_parts > 1:
            line = slot[tick[v]]
            slot[tick[v]] += n_parts - 1
            if n_parts == 2:
                part[line, START], part[line, STOP] = start + most, start + rows
            else:
                at[u, _SLOT] = line
    for r in range(node.size):
        if stopped():
            return
        u = node[r] - n_first
        if u < 0:
            place[0, r] = place[1, node[r]]
        elif at[u, _LARGEST] == 0:
            at[u, _LARGEST], place[0, r] = -1, at[u, _START_OF]
        else:
            place[0, r] = at[u, _FREE]
            at[u, _FREE] += 1
            if at[u, _SLOT] >= 0:
                part[at[u, _SLOT], START], part[at[u, _SLOT], STOP] = place[0, r], at[u, _FREE]
                at[u, _SLOT] += 1
