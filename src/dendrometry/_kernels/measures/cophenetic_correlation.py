"""Sums over pairs of items of their values in one tree, at the nodes of another where they join."""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._kernels._jit import IntArray, Values, njit, stopped

__all__ = ["Paths", "Rows", "heavy_paths", "sums_at_nodes"]


class Paths(NamedTuple):
    """A tree as heavy paths: each node goes on to the child with most items below.

    The nodes of a path have consecutive places, from ``place[top[v]]`` down; ``length`` is kept at the tops.
    """

    parent: IntArray
    top: IntArray
    place: IntArray
    length: IntArray


class Rows(NamedTuple):
    """Rows in pre-order of the first tree: their numbers of items and nodes in the second tree, and how they join.

    A row that is alone in a leaf which is a path of its own may as well stand at the parent, or at -1 without one.

    At node v of the first tree join its own ``n_own[v]`` rows from ``low[v]`` on, each for itself, and the rows
    ``low[c]:high[c]`` of each child c in ``child[start[v]:start[v + 1]]``.
    """

    items: IntArray
    node_b: IntArray
    low: IntArray
    high: IntArray
    n_own: IntArray
    start: IntArray
    child: IntArray


@njit
def heavy_paths(parent: IntArray, size: IntArray) -> Paths:
    """Return the heavy paths of a tree; from any node, at most log2 n of them lead to the root. O(n)."""
    n = parent.size
    heavy = np.full(n, -1, dtype=np.int64)
    for v in range(n - 1):
        p = parent[v]
        if heavy[p] < 0 or size[v] > size[heavy[p]]:
            heavy[p] = v
    top, place = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    length = np.zeros(n, dtype=np.int64)
    used = 0
    for t in range(n - 1, -1, -1):
        if t == n - 1 or heavy[parent[t]] != t:
            v = t
            while v >= 0:
                top[v], place[v] = t, used
                used += 1
                length[t] += 1
                v = heavy[v]
    return Paths(parent, top, place, length)


@njit
def _clear(tree: Values, b: Paths, rows: Rows, low: int, high: int) -> None:
    """Forget the items of some rows. Nothing is subtracted, so no rounding error stays behind."""
    for r in range(low, high):
        if stopped():
            break
        v = rows.node_b[r]
        while v >= 0:
            t = b.top[v]
            start, length = b.place[t], b.length[t]
            i = b.place[v] - start + 1
            while i <= length:
                tree[start + i - 1, 0] = 0
                tree[start + i - 1, 1] = 0
                i += i & -i
            tree[start, 2] = 0
            v = b.parent[t]


@njit
def _join(tree: Values, rise: Values, b: Paths, rows: Rows, low: int, high: int) -> Any:
    """Ask for a group of rows against the items that are in, then put the group in; return the sum of the answers.

    The answer for a row is the sum, over the items that are in, of the value of their lowest common node with it. It
    adds up along the paths above the row: an item that branches off a path above v counts with the rise of its own
    place, any other on that path with the rise of v. Each path has Fenwick trees for the number of items and for their
    rises, and their total number at its top.
    """
    zero = tree.dtype.type(0)
    total = zero
    for r in range(low, high):
        if stopped():
            break
        v = rows.node_b[r]
        answer = zero
        while v >= 0:
            start = b.place[b.top[v]]
            i = b.place[v] - start + 1
            n_above = zero
            while i > 0:
                n_above += tree[start + i - 1, 0]
                answer += tree[start + i - 1, 1]
                i -= i & -i
            answer += rise[b.place[v]] * (tree[start, 2] - n_above)
            v = b.parent[b.top[v]]
        total += rows.items[r] * answer
    _put(tree, rise, b, rows, low, high)
    return total


@njit
def _put(tree: Values, rise: Values, b: Paths, rows: Rows, low: int, high: int) -> None:
    """Put the items of some rows in."""
    for r in range(low, high):
        if stopped():
            break
        v, items = rows.node_b[r], rows.items[r]
        while v >= 0:
            t = b.top[v]
            start, length = b.place[t], b.length[t]
            i = b.place[v] - start + 1
            added = items * rise[b.place[v]]
            while i <= length:
                tree[start + i - 1, 0] += items
                tree[start + i - 1, 1] += added
                i += i & -i
            tree[start, 2] += items
            v = b.parent[t]


@njit
def _rises(b: Paths, value: Values) -> Values:
    """Return the value of each place less that of the node to which its path is attached."""
    rise = np.empty_like(value)
    for v in range(value.size):
        above = b.parent[b.top[v]]
        rise[b.place[v]] = value[v] - value[above] if above >= 0 else value[v]
    return rise


@njit
def sums_at_nodes(a: Paths, b: Paths, value_b: Values, rows: Rows) -> Values:
    """Return, for each node of a, the sum of the values in b of the pairs of items of different rows that join there.

    The value of a pair in b is that of its lowest common node. Sums of whole numbers are exact, if they fit in 63 bits.

    Each heavy path of a is walked from its foot up: what hangs from a node of the path is asked against all that
    came before (their lowest common node in a is that node) and then put in. The answers come from Fenwick trees
    along the heavy paths of b. An item is asked once for each path of a above it: O(n log n) questions of
    O(log**2 n) steps at the very worst, O(n) space.
    """
    rise = _rises(b, value_b)
    tree = np.zeros((b.parent.size, 3), dtype=value_b.dtype)
    total = np.zeros(a.parent.size, dtype=value_b.dtype)
    node_at = np.empty_like(a.place)
    for v in range(node_at.size):
        node_at[a.place[v]] = v
    for t in range(a.parent.size):
        if a.top[t] != t or rows.high[t] - rows.low[t] < 2 or stopped():
            continue
        for k in range(a.length[t] - 1, -1, -1):
            v = node_at[a.place[t] + k]
            for i in range(rows.low[v], rows.low[v] + rows.n_own[v]):
                total[v] += _join(tree, rise, b, rows, i, i + 1)
            for c in rows.child[rows.start[v] : rows.start[v + 1]]:
                if a.top[c] != t:
                    total[v] += _join(tree, rise, b, rows, rows.low[c], rows.high[c])
        _clear(tree, b, rows, rows.low[t], rows.high[t])
    return total
