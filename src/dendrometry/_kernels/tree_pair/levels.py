"""What joins what in two trees at every stage, which clusters have formed, and how their overlaps grow."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.contraction import Meets
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Joins(NamedTuple):
    """The merges of vertices, in order of time: at ``tick`` the vertex held by ``child`` joins that of ``node``.

    Places of ``holder`` stand for rows and nodes of both trees; it says which vertex each holds, -1 for none yet.
    """

    tick: IntArray
    child: IntArray
    node: IntArray
    holder: IntArray


class Rises(NamedTuple):
    """The growth of overlaps, in order of time: ``gone`` (-1 for none) is added to ``kept``.

    ``rise`` is by how much the sum of m log m over all overlaps rises.
    """

    tick: IntArray
    kept: IntArray
    gone: IntArray
    rise: FloatArray


class Merges(NamedTuple):
    """The clusters of one tree: the nodes that merge, ``formed``, in order of their ``tick``.

    The children of node v are ``child[start[v]:start[v + 1]]``; ``own`` and ``size`` count the items of each node
    itself and of its whole cluster; ``row_node`` is the node of each row.
    """

    formed: IntArray
    tick: IntArray
    child: IntArray
    start: IntArray
    own: IntArray
    size: IntArray
    row_node: IntArray


class Rows(NamedTuple):
    """The rows of several items, in order of the ``tick`` at which these are together in both trees."""

    row: IntArray
    tick: IntArray
    n_items: IntArray


class Query(NamedTuple):
    """Nodes from which to look up, what is looked for, and the ``order`` in which ``least`` ascends."""

    start: IntArray
    least: IntArray
    order: IntArray


class _State(NamedTuple):
    """The clusters at one tick: the node of which each has become part, sums of m m and the largest m of its overlaps.

    ``shares`` holds one value, the sum of m m / size over all clusters, ``items`` that of the largest m.
    """

    link: IntArray
    squares: IntArray
    largest: IntArray
    shares: FloatArray
    items: IntArray


@njit
def _form(state: _State, merges: Merges, v: int) -> None:
    """Join the parts of a node: its children, and its own items, which were alone."""
    squares, largest = merges.own[v], 1
    state.shares[0] -= merges.own[v]
    state.items[0] -= merges.own[v]
    for i in range(merges.start[v], merges.start[v + 1]):
        c = merges.child[i]
        state.link[c] = v
        state.shares[0] -= state.squares[c] / merges.size[c]
        state.items[0] -= state.largest[c]
        squares += state.squares[c]
        largest = max(largest, state.largest[c])
    state.squares[v], state.largest[v] = squares, largest
    state.shares[0] += squares / merges.size[v]
    state.items[0] += largest


@njit
def _grow(state: _State, merges: Merges, row: int, squares: int, count: int) -> None:
    """Add to the sum of squares of the cluster of a row, in which an overlap now has this count."""
    link, v = state.link, merges.row_node[row]
    while link[v] != v:
        link[v] = link[link[v]]
        v = link[v]
    state.squares[v] += squares
    state.shares[0] += squares / merges.size[v]
    if count > state.largest[v]:
        state.items[0] += count - state.largest[v]
        state.largest[v] = count


@njit
def overlap_sums(merges: Merges, rows: Rows, meets: Meets, n_ticks: int) -> tuple[FloatArray, IntArray]:
    """Return two sums over the clusters of a tree at each tick: of m m / size over their overlaps, of their largest m.

    O(n log n) time. Overlaps have m items; at first, every item is an overlap and a cluster of its own.
    """
    n_nodes, n_items = merges.own.size, merges.size[merges.size.size - 1]
    ones = np.ones(n_nodes, dtype=np.int64)
    state = _State(np.arange(n_nodes), ones, ones.copy(), np.full(1, float(n_items)), np.full(1, n_items))
    shares, items = np.zeros(n_ticks), np.zeros(n_ticks, dtype=np.int64)
    f, r, m = 0, 0, 0
    for now in range(n_ticks):
        while f < merges.formed.size and merges.tick[f] == now:
            _form(state, merges, merges.formed[f])
            f += 1
        while r < rows.row.size and rows.tick[r] == now:
            _grow(state, merges, rows.row[r], rows.n_items[r] * (rows.n_items[r] - 1), rows.n_items[r])
            r += 1
        while m < meets.tick.size and meets.tick[m] == now:
            kept, gone = meets.kept_count[m], meets.gone_count[m]
            _grow(state, merges, meets.kept[m], 2 * kept * gone, kept + gone)
            m += 1
        shares[now], items[now] = state.shares[0], state.items[0]
    return shares, items


@njit
def tops(parent: IntArray, formed: BoolArray) -> IntArray:
    """Return the topmost formed node over each node, or the node itself if its parent has not formed. O(n)."""
    top = np.arange(parent.size)
    for v in range(parent.size - 2, -1, -1):
        if formed[parent[v]]:
            top[v] = top[parent[v]]
    return top


@njit
def first_at_least(parent: IntArray, value: IntArray, by_value: IntArray, query: Query) -> IntArray:
    """Return the first node, from each start upwards, with a value of at least ``least``. O(n log n).

    Values do not decrease towards the root, whose value is great enough for all; ``by_value`` are the nodes in
    ascending order of them. When a start is searched, every node with a smaller value leads on to its parent.
    """
    start, least, order = query
    link, found = np.arange(parent.size), np.empty(start.size, dtype=np.int64)
    k = 0
    for i in order:
        while value[by_value[k]] < least[i]:
            link[by_value[k]] = parent[by_value[k]]
            k += 1
        v = start[i]
        while link[v] != v:
            link[v] = link[link[v]]
            v = link[v]
        found[i] = v
    return found
