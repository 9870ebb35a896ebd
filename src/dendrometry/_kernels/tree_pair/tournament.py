"""The best match of every cluster on a long path of one tree, by a tournament of the clusters of the other.

On the way up the path the class grows, and with it the number of items that it shares with each cluster k. A class of s
items and a cluster of z items, x of which it has, have ``F = 2 x / (s + z)``. A binary tree over the clusters holds the
winner of every stretch, and how long it stays the winner: w is ahead of another cluster o by the margin
``x_w (s + z_o) - x_o (s + z_w)``. If both get d more items and the class e more, the margin changes by
``e (x_w - x_o) - d (z_w - z_o)``, without a mixed term. So only a larger winner can lose by additions to both, only one
with fewer items by the growth of the class, and each stretch has two limits, below which nothing in it changes.
"""

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.clusters import Classes, Clusters, Joints, ancestor_table, joints
from dendrometry._typing import BoolArray, FloatArray, IntArray

ON_PATH = -2  # the way of classes that are matched here

FAR = 2**30  # beyond all sizes; the products of two such numbers are whole numbers of 64 bits
_STEPS = 6  # for each row of a path and each halving of their number

# The columns of a tournament: the winner of the stretch (items shared, size, number), how much may still be added to
# the items of all clusters, how large the class may become, and what is still to be added to the parts.
_SHARED, _SIZE, _NUMBER, _ROOM, _UNTIL, _LATER = range(6)


@njit
def _decide(tournament: IntArray, v: int, s: int) -> None:
    """Find the winner of a stretch from those of its two parts, and how long it stays; of equals the lower number."""
    w, o = 2 * v, 2 * v + 1
    margin = tournament[w, _SHARED] * (s + tournament[o, _SIZE]) - tournament[o, _SHARED] * (s + tournament[w, _SIZE])
    in_order = tournament[w, _NUMBER] < tournament[o, _NUMBER]
    if margin < 0 or (margin == 0 and not in_order):
        w, o, margin, in_order = o, w, -margin, not in_order
    margin -= not in_order
    larger = tournament[w, _SIZE] - tournament[o, _SIZE]
    behind = tournament[o, _SHARED] - tournament[w, _SHARED]
    room = min(tournament[w, _ROOM], tournament[o, _ROOM])
    until = min(tournament[w, _UNTIL], tournament[o, _UNTIL])
    if larger > 0 and room * larger > margin:
        room = margin // larger
    if behind > 0 and (until - s) * behind > margin:
        until = s + margin // behind
    for column in (_SHARED, _SIZE, _NUMBER):
        tournament[v, column] = tournament[w, column]
    tournament[v, _ROOM], tournament[v, _UNTIL] = room, until


@njit
def _add(tournament: IntArray, v: int, items: int) -> None:
    """Add items to all clusters of a stretch."""
    tournament[v, _SHARED] += items
    tournament[v, _ROOM] -= items
    tournament[v, _LATER] += items


@njit
def _hand_down(tournament: IntArray, v: int) -> None:
    """Add to the two parts of a stretch what is still to be added."""
    items = tournament[v, _LATER]
    if items > 0:
        _add(tournament, 2 * v, items)
        _add(tournament, 2 * v + 1, items)
        tournament[v, _LATER] = 0


@njit
def _add_between(tournament: IntArray, height: int, first: int, last: int, items: int, s: int) -> None:
    """Add items to the clusters at some places, the last included."""
    left, right = first + (1 << height), last + (1 << height) + 1
    for k in range(height, 0, -1):
        for edge in (left, right):
            if edge >> k << k != edge:
                _hand_down(tournament, edge >> k)
    i, j = left, right
    while i < j:
        if i & 1:
            _add(tournament, i, items)
            i += 1
        if j & 1:
            j -= 1
            _add(tournament, j, items)
        i >>= 1
        j >>= 1
    _settle(tournament, height, left, right, s)


@njit
def _settle(tournament: IntArray, height: int, left: int, right: int, s: int) -> None:
    """Find the winners of all stretches of which only a part has changed: an edge lies inside, not at the start."""
    for k in range(1, height + 1):
        for edge in (left, right):
            if edge >> k << k != edge:
                _decide(tournament, edge >> k, s)


@njit
def _decide_anew(tournament: IntArray, s: int, stack: IntArray) -> None:
    """Find the winners for a class of s items wherever they may have changed: parts before the whole."""
    stack[0], n = 1, 1
    while n > 0:
        v = stack[n - 1]
        if v < 0:
            _decide(tournament, -v, s)
            n -= 1
        elif tournament[v, _ROOM] >= 0 and tournament[v, _UNTIL] >= s:
            n -= 1
        else:
            _hand_down(tournament, v)
            stack[n - 1], stack[n], stack[n + 1] = -v, 2 * v, 2 * v + 1
            n += 2


@njit
def _places(found: Joints, whole: BoolArray) -> tuple[IntArray, IntArray, int]:
    """Give the joints places, in which those of a heavy path lie side by side from its top down; whole ones get none.

    Return the place of each joint or -1, the top of its path, and the number of places.
    """
    place, top = np.full(found.node.size, -1, dtype=np.int64), np.full(found.node.size, -1, dtype=np.int64)
    n = 0
    for i in range(found.order.size - 1, -1, -1):
        v = found.order[i]
        if found.parent[v] >= 0 and found.heavy[found.parent[v]] == v:
            continue
        first = v
        while v >= 0 and not whole[v]:
            place[v], top[v] = n, first
            n += 1
            v = found.heavy[v]
    return place, top, n


@njit
def _whole(found: Joints, row: IntArray, clusters: Clusters) -> BoolArray:
    """Return which joints have a single row, with all of their items."""
    whole = np.zeros(found.node.size, dtype=np.bool_)
    for i in range(row.size):
        v = found.of_row[i]
        whole[v] = found.n_rows[v] == 1 and clusters.items[row[i]] == clusters.size[found.node[v]]
    return whole


@njit
def _start(found: Joints, place: IntArray, n_places: int, clusters: Clusters) -> tuple[IntArray, int]:
    """Return the tournament of joints that share no items yet with a class, and its height."""
    height = 0
    while 1 << height < n_places:
        height += 1
    tournament = np.zeros((2 << height, 6), dtype=np.int64)
    tournament[:, _SIZE:_LATER] = FAR
    for v in range(found.node.size):
        if place[v] >= 0:
            tournament[(1 << height) + place[v], _SIZE] = clusters.size[found.node[v]]
            tournament[(1 << height) + place[v], _NUMBER] = found.node[v]
    for v in range((1 << height) - 1, 0, -1):
        _decide(tournament, v, 0)
    return tournament, height


@njit
def _match_path(
    path: IntArray,
    classes: Classes,
    row: IntArray,
    sorted_row: IntArray,
    clusters: Clusters,
    table: NDArray[np.int32],
    match: IntArray,
    common: IntArray,
) -> None:
    """Set the match of every class on a path of the first tree, given from the bottom up, and the items of both.

    ``row`` holds the rows of all classes, ``sorted_row`` those of the last class on the path, in pre-order. Each row
    adds its items to the joints above it, which lie on few heavy paths: O(m log² m) steps for m rows, besides the
    changes of winners, which are few. A joint of one row that has all of its items is whole as soon as it is reached:
    of these only the largest counts, and no tournament is needed.
    """
    found = joints(sorted_row, clusters, table)
    whole = _whole(found, sorted_row, clusters)
    place, top, n_places = _places(found, whole)
    tournament, height = _start(found, place, n_places, clusters)
    stack = np.empty(2 * height + 3, dtype=np.int64)
    low = high = classes.low[path[0]]
    s, largest, number = 0, 0, FAR
    for c in path:
        if stopped():
            break
        for i in range(classes.low[c], classes.high[c] - (high - low)):
            r = row[i if i < low else i + high - low]  # new rows lie on both sides of those of the class before
            v, items = found.of_row[np.searchsorted(sorted_row, r)], clusters.items[r]
            if whole[v]:
                if items > largest or (items == largest and found.node[v] < number):
                    largest, number = items, found.node[v]
                v = found.parent[v]
            while v >= 0:
                _add_between(tournament, height, place[top[v]], place[v], items, s)
                v = found.parent[top[v]]
        low, high, s = classes.low[c], classes.high[c], classes.size[c]
        _decide_anew(tournament, s, stack)
        margin = tournament[1, _SHARED] * (s + largest) - largest * (s + tournament[1, _SIZE])
        if margin > 0 or (margin == 0 and tournament[1, _NUMBER] < number):
            match[c], common[c] = tournament[1, _NUMBER], tournament[1, _SHARED]
        else:
            match[c], common[c] = number, largest


@njit
def _heavy(classes: Classes) -> IntArray:
    """Return the child of each node with the most rows, or -1."""
    parent, low, high = classes.parent, classes.low, classes.high
    heavy = np.full(parent.size, -1, dtype=np.int64)
    for v in range(parent.size - 1):
        p = parent[v]
        if heavy[p] < 0 or high[v] - low[v] > high[heavy[p]] - low[heavy[p]]:
            heavy[p] = v
    return heavy


@njit
def choose_paths(way: IntArray, classes: Classes, steps: FloatArray) -> IntArray:
    """Return the ways of all classes where those of some paths are matched here: where that takes fewer steps.

    ``steps`` has those of each class on its own; they are replaced by those of its path, at the upper end. A list of
    rows that begins below a path, which lies below classes with lists, is made in a later turn than theirs.
    """
    heavy, last = _heavy(classes), classes.parent.size - 1
    chosen = way.copy()
    for end in range(last + 1):
        if end < last and heavy[classes.parent[end]] == end:
            continue
        v, total, n_rows = end, 0.0, classes.high[end] - classes.low[end]
        while v >= 0:
            total += steps[v]
            v = heavy[v]
        most = _STEPS * n_rows * (np.log2(n_rows) + 1)
        v = end if total > most else -1
        while v >= 0:
            chosen[v], steps[v] = ON_PATH, 0.0
            v = heavy[v]
        if total > most:
            steps[end] = most
    turns = np.zeros(last + 1, dtype=np.int64)
    for v in range(last - 1, -1, -1):
        p = classes.parent[v]
        turns[v] = turns[p] + (chosen[p] >= 0 > chosen[v])
        if chosen[v] >= 0:
            chosen[v] = turns[v]
    return chosen


@njit
def match_paths(
    way: IntArray, classes: Classes, row: IntArray, clusters: Clusters, match: IntArray, common: IntArray
) -> None:
    """Set the matches of the classes of this way, which are whole paths, and the items of both.

    ``row`` is the place of each row in the other tree. O(n log² n) to O(n log³ n) time by experience, O(n log n) space.
    """
    table, heavy, last = ancestor_table(clusters.common), _heavy(classes), classes.parent.size - 1
    nodes = np.empty(last + 1, dtype=np.int64)
    for end in range(last + 1):
        if stopped():
            break
        if way[end] != ON_PATH or (end < last and heavy[classes.parent[end]] == end):
            continue
        v, start = end, nodes.size
        while v >= 0:
            start -= 1
            nodes[start] = v
            v = heavy[v]
        sorted_row = np.sort(row[classes.low[end] : classes.high[end]])
        _match_path(nodes[start:], classes, row, sorted_row, clusters, table, match, common)
