"""Best matches between the clusters of two trees.

A match has ``F = 2 x / (s + z)``: x of the s items of a class are among the z of a cluster. Of all clusters with the
same share of a class the smallest is best, so only the lowest common nodes of its rows count: at most twice as many as
rows. They are found with a stack from the rows in pre-order of the other tree, of which each class has a list.

If every row is a cluster of its own, it has at least ``2 / (s + 1)``, and a cluster of more than s² items is no match.
So a list is in pieces, each shorter than such a cluster, and most small classes of unlike trees have nothing on it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.clusters import Classes, Ranked, Rows, common_ancestor
from dendrometry._kernels.tree_pair.large_classes import CLOSE, Found, Ways, match_large
from dendrometry._typing import IntArray


class Order(NamedTuple):
    """The rows in pre-order of the other tree, whose `ancestor_table` has ranks; ``log[i]`` is that of i, rounded."""

    row: IntArray
    log: IntArray
    table: NDArray[np.int32]


class _Lists(NamedTuple):
    """The rows of each class in the order of the other tree, from ``low`` to ``end``, and room to work in.

    ``join`` is the rank of the lowest common node of a row and the next, or the number of ranks after the last row of a
    piece. Rows that are pieces of their own are left out, if they are clusters of their own.
    """

    row: IntArray
    join: IntArray
    end: IntArray
    old_row: IntArray
    old_join: IntArray
    stack: IntArray
    parts: IntArray


@njit
def _make_lists(n_rows: int, low: IntArray) -> _Lists:
    """Return empty lists."""
    return _Lists(
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows, dtype=np.int64),
        low.copy(),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows, dtype=np.int64),
        np.empty((n_rows, 2), dtype=np.int64),
        np.empty((64, 4), dtype=np.int64),
    )


@njit
def _fill(lists: _Lists, turn: int, way: IntArray, classes: Classes, order: Order, far: int) -> None:
    """Make the lists of all classes of a turn whose parents have none. O(n)."""
    row, join, end, low, table, log = lists.row, lists.join, lists.end, classes.low, order.table, order.log
    part, last, root = np.full(row.size, -1, dtype=np.int64), np.empty(low.size, dtype=np.int64), low.size - 1
    for v in range(root + 1):
        if way[v] == turn and (v == root or way[classes.parent[v]] != turn):
            for r in range(low[v], classes.high[v]):
                part[r] = v
    for i in range(row.size):
        r = order.row[i]
        v = part[r]
        if v >= 0:
            at = end[v]
            if at > low[v]:
                join[at - 1] = common_ancestor(last[v], i, log, table)
            row[at], join[at] = r, far
            end[v], last[v] = at + 1, i


@njit
def _take(lists: _Lists, n: int, low: int, high: int, limit: int, far: int) -> int:
    """Make the list of the rows from low to high out of the old list of n rows; return where it ends.

    The join of two rows is the greatest of the joins between them.
    """
    row, join, old_row, old_join = lists.row, lists.join, lists.old_row, lists.old_join
    end, last, stays, since = low, -1, False, far
    for i in range(n):
        r = old_row[i]
        if low <= r < high:
            if since < limit:
                if not stays:
                    row[end] = last
                    end += 1
                join[end - 1] = since
            stays = since < limit or limit == far
            if stays:
                row[end], join[end] = r, far
                end += 1
            last, since = r, 0
        since = max(since, old_join[i])
    return end


@njit
def _divide(lists: _Lists, v: int, classes: Classes, far: int) -> None:
    """Divide the list of a class among its children. O(m) for m rows, with a factor of log k for k > 2 children."""
    child, low, high, parts, n_parts = classes.child, classes.low, classes.high, lists.parts, 1
    parts[0, 0], parts[0, 1], parts[0, 2], parts[0, 3] = classes.start[v], classes.start[v + 1], low[v], lists.end[v]
    while n_parts > 0:
        n_parts -= 1
        i, stop, start, n = parts[n_parts, 0], parts[n_parts, 1], parts[n_parts, 2], 0
        for at in range(start, parts[n_parts, 3]):
            lists.old_row[n], lists.old_join[n] = lists.row[at], lists.join[at]
            n += 1
        j = (i + stop + 1) // 2
        while i < j:
            c, last = child[i], child[j - 1]
            if c == last:
                lists.end[c] = _take(lists, n, low[c], high[c], classes.limit[c], far)
            else:
                end = _take(lists, n, low[c], high[last], classes.limit[v], far)
                parts[n_parts, 0], parts[n_parts, 1], parts[n_parts, 2], parts[n_parts, 3] = i, j, low[c], end
                n_parts += 1
            i, j = j, stop


@njit
def _best(lists: _Lists, v: int, classes: Classes, rows: Rows, other: Ranked, best: int, both: int) -> tuple[int, int]:
    """Return the best match on the list of a class, if it is better than one that is given; and the items of both.

    The stack has the common nodes that are open, from the top of the tree down, with the items seen so far. Before
    the next row all nodes below its common node with the last one close and hand their items up.
    """
    row, join, stack, at, items = lists.row, lists.join, lists.stack, rows.at, rows.items
    size, number, s, far = other.size, other.number, classes.size[v], other.size.size
    low, top, alone = classes.low[v], 0, both == 0
    if alone:
        best, both = at[row[low]], items[row[low]]
    best_f = 2.0 * both / (s + size[best])
    for i in range(low, lists.end[v]):
        x, meet, k, looks = items[row[i]], join[i], at[row[i]], alone
        while True:
            if looks and 2.0 * x >= CLOSE * best_f * (s + size[k]):
                f = 2.0 * x / (s + size[k])
                if f > best_f or (f == best_f and number[k] < number[best]):
                    best, both, best_f = k, x, f
            if top == 0 or stack[top - 1, 0] >= meet:
                break
            top -= 1
            k, x, looks = stack[top, 0], x + stack[top, 1], True
        if top == 0 or stack[top - 1, 0] > meet:
            stack[top, 0], stack[top, 1] = meet, 0
            top += meet < far
        stack[top - (meet < far), 1] += x
    return best, both


@njit
def best_matches(ways: Ways, classes: Classes, rows: Rows, order: Order, other: Ranked, found: Found) -> None:
    """Set, for each class, the rank of the cluster with the greatest F, and how many items both have.

    If every row is a cluster, classes with lists come with the best of their rows. O(n) time for each turn and each
    doubling of large classes, for each class with a list as many steps as it has rows at most; O(n) space.
    """
    match_large(ways, classes, rows, other, found)
    match, common = found
    lists, far = _make_lists(order.row.size, classes.low), other.size.size
    for turn in range(ways.n_turns):
        _fill(lists, turn, ways.of, classes, order, far)
        for v in range(match.size - 1, -1, -1):
            if ways.of[v] == turn and lists.end[v] > classes.low[v] and not stopped():
                match[v], common[v] = _best(lists, v, classes, rows, other, match[v], common[v])
                _divide(lists, v, classes, far)
