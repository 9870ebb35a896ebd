"""The number of triples of items that two trees resolve alike."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

# Columns of a segment of a heavy path: the items coloured 1 and 2 that hang from it, and, for pairs of one colour with
# a single item of the other, the triples resolved inside it, and the coefficients of what lies below it.
_ONES, _TWOS, _INSIDE_1, _CROSS_1, _LIGHT_1, _INSIDE_2, _CROSS_2, _LIGHT_2 = range(8)


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


class _Segments(NamedTuple):
    """The heavy paths of the second tree, each as a perfect binary tree of segments over its nodes.

    The segments of the path with top t are ``total[first[t] : first[t] + 2 * width[t]]``: its whole at 1, the halves of
    segment i at 2i (above) and 2i + 1 (below), and its nodes from ``width[t]`` on.

    Attributes
    ----------
    total : (n_segments, 8) array of int
        The sums of each segment.
    light : (n_nodes, 4) array of int
        For each node, over its light children with x items coloured 1 and y coloured 2: the sum of C(x, 2), and that of
        the triples resolved inside them less C(x, 2) y; then both with colours exchanged.
    """

    total: IntArray
    light: IntArray
    first: IntArray
    width: IntArray


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
def _pairs(x: int) -> int:
    """Return the number of pairs of x items."""
    return x * (x - 1) // 2


@njit
def _make_segments(b: Paths) -> _Segments:
    """Return the segments of a tree without coloured items."""
    n = b.parent.size
    first, width = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    used = 0
    for t in range(n):
        if b.top[t] == t:
            first[t], width[t] = used, 1
            while width[t] < b.length[t]:
                width[t] *= 2
            used += 2 * width[t]
    return _Segments(np.zeros((used, 8), dtype=np.int64), np.zeros((n, 4), dtype=np.int64), first, width)


@njit
def _sum_up(total: IntArray, at: int, upper: int, lower: int) -> None:
    """Compute the sums of a segment from those of its halves.

    At a node with u items of a colour below it on its path, C(u, 2) pairs of that colour are resolved against each
    item of the other colour that hangs from the node; x more below make it C(u, 2) + u x + C(x, 2).
    """
    ones, twos = total[lower, _ONES], total[lower, _TWOS]
    total[at, _ONES] = total[upper, _ONES] + ones
    total[at, _TWOS] = total[upper, _TWOS] + twos
    total[at, _INSIDE_1] = (
        total[upper, _INSIDE_1]
        + total[lower, _INSIDE_1]
        + total[upper, _CROSS_1] * ones
        + total[upper, _TWOS] * _pairs(ones)
        + total[upper, _LIGHT_1] * twos
    )
    total[at, _CROSS_1] = total[upper, _CROSS_1] + total[upper, _TWOS] * ones + total[lower, _CROSS_1]
    total[at, _LIGHT_1] = total[upper, _LIGHT_1] + total[lower, _LIGHT_1]
    total[at, _INSIDE_2] = (
        total[upper, _INSIDE_2]
        + total[lower, _INSIDE_2]
        + total[upper, _CROSS_2] * twos
        + total[upper, _ONES] * _pairs(twos)
        + total[upper, _LIGHT_2] * ones
    )
    total[at, _CROSS_2] = total[upper, _CROSS_2] + total[upper, _ONES] * twos + total[lower, _CROSS_2]
    total[at, _LIGHT_2] = total[upper, _LIGHT_2] + total[lower, _LIGHT_2]


@njit
def _light_terms(total: IntArray, whole: int) -> tuple[int, int, int, int]:
    """Return what a whole path adds to `_Segments.light` of the node it hangs from."""
    ones, twos = total[whole, _ONES], total[whole, _TWOS]
    return (
        _pairs(ones),
        total[whole, _INSIDE_1] - _pairs(ones) * twos,
        _pairs(twos),
        total[whole, _INSIDE_2] - _pairs(twos) * ones,
    )


@njit
def _colour(segments: _Segments, b: Paths, rows: Rows, low: int, high: int, ones: int, twos: int) -> None:
    """Add ``ones`` and ``twos`` times the items of some rows to those coloured 1 and 2."""
    total, light = segments.total, segments.light
    for r in range(low, high):
        if stopped():
            break
        v = rows.node_b[r]
        more_ones, more_twos = ones * rows.items[r], twos * rows.items[r]
        while v >= 0:
            t = b.top[v]
            start, at = segments.first[t], segments.width[t] + b.place[v] - b.place[t]
            whole = start + 1
            before = _light_terms(total, whole)
            leaf = start + at
            total[leaf, _ONES] += more_ones
            total[leaf, _TWOS] += more_twos
            total[leaf, _LIGHT_1], total[leaf, _LIGHT_2] = light[v, 0], light[v, 2]
            total[leaf, _INSIDE_1] = light[v, 0] * total[leaf, _TWOS] + light[v, 1]
            total[leaf, _INSIDE_2] = light[v, 2] * total[leaf, _ONES] + light[v, 3]
            while at > 1:
                at //= 2
                _sum_up(total, start + at, start + 2 * at, start + 2 * at + 1)
            v = b.parent[t]
            if v >= 0:
                after = _light_terms(total, whole)
                for i in range(4):
                    light[v, i] += after[i] - before[i]


@njit
def _recolour(segments: _Segments, b: Paths, rows: Rows, v: int, without: int, ones: int, twos: int) -> None:
    """Change the colours of the items of node v, but for those of one of its children."""
    _colour(segments, b, rows, rows.low[v], rows.low[without], ones, twos)
    _colour(segments, b, rows, rows.high[without], rows.high[v], ones, twos)


@njit
def _count_at(segments: _Segments, a: Paths, rows: Rows, b: Paths, v: int, heavy: int) -> int:
    """Return the shared triples whose three items join at node v of the first tree, and colour all its items 1.

    The items of its heavy child are coloured 1 already.
    """
    root = segments.first[b.parent.size - 1] + 1
    _recolour(segments, b, rows, v, heavy, 0, 1)
    shared: int = segments.total[root, _INSIDE_1]
    if rows.start[v + 1] - rows.start[v] == 2 and rows.n_own[v] == 0:  # the other child is all that is coloured 2
        shared += segments.total[root, _INSIDE_2]
        _recolour(segments, b, rows, v, heavy, 1, -1)
        return shared
    _recolour(segments, b, rows, v, heavy, 1, -1)
    for i in range(rows.start[v], rows.start[v + 1]):
        c = rows.child[i]
        if c != heavy and (rows.high[c] - rows.low[c] > 1 or rows.items[rows.low[c]] > 1):
            _colour(segments, b, rows, rows.low[c], rows.high[c], -1, 1)
            shared += segments.total[root, _INSIDE_2]
            _colour(segments, b, rows, rows.low[c], rows.high[c], 1, -1)
    return shared


@njit
def count_shared(a: Paths, rows: Rows, b: Paths) -> int:
    """Return the number of triples of which both trees join the same two items before the third.

    Each heavy path of the first tree is climbed. The items below are coloured 1, those that join at the next node 2;
    the second tree then tells how many pairs of one colour it joins before an item of the other. The items of a node
    are coloured once for the path that ends there, so there are O(n log n) changes, of O(log**2 n) steps each.
    """
    segments = _make_segments(b)
    node_at = np.empty_like(a.place)
    for v in range(a.place.size):
        node_at[a.place[v]] = v
    shared = 0
    for t in range(a.parent.size):
        if a.top[t] != t or rows.high[t] - rows.low[t] < 2:
            continue
        if stopped():
            break
        leaf = node_at[a.place[t] + a.length[t] - 1]
        _colour(segments, b, rows, rows.low[leaf], rows.high[leaf], 1, 0)
        for k in range(a.length[t] - 2, -1, -1):
            shared += _count_at(segments, a, rows, b, node_at[a.place[t] + k], node_at[a.place[t] + k + 1])
        _colour(segments, b, rows, rows.low[t], rows.high[t], -1, 0)
    return shared


@njit
def count_changes(a: Paths, rows: Rows) -> int:
    """Return the sum of the numbers of rows below the heads of all heavy paths."""
    changes = 0
    for t in range(a.parent.size):
        if a.top[t] == t and rows.high[t] - rows.low[t] > 1:
            changes += rows.high[t] - rows.low[t]
    return changes
