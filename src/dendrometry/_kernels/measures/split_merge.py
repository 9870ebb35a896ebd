"""The split-merge similarity of two trees at every stage, computed from the meetings of the contraction."""

import math
from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.levels import Joins, Rises
from dendrometry._typing import FloatArray, IntArray

# Columns of _State.edge: its items; whether it was added to another edge; and for either tree the next edge of the same
# vertex. The edges of a vertex are a ring, from which edges that are gone drop out when next met.
_SIZE, _GONE, _AFTER = range(3)
# Columns of _State.vertex: the vertex of which it has become part, or itself; an edge of its ring; the number of its
# edges and of its items; whether it is a cluster, or its items are still alone; its slot, or -1.
_ABOVE, _HEAD, _DEGREE, _ITEMS, _FORMED, _SLOT = range(6)
# Columns of _State.value: the sum of m log m over the overlaps of a vertex, and its score.
_HELD, _SCORE = range(2)
# Places in _State.mark, the first two for either tree: how many slots were used, and how many of them are free again;
# how many vertices are to be scored.
_USED, _FREE, _NOTED = 0, 2, 4


class _State(NamedTuple):
    """The bipartite graph at one stage.

    Edge e starts between vertex e of the first tree and vertex n_edges + e of the second. Vertices with many edges
    have a slot, in which the sum of items times the score at the other end is kept up to date.
    """

    edge: IntArray
    vertex: IntArray
    value: FloatArray
    flow: FloatArray  # (2, n_slots): for each slot, the sum over its edges of items times the score at the other end
    shared: IntArray  # (n_slots, n_slots): items that slots of the two trees have in common
    free: IntArray  # (2, n_slots): slots to use again
    noted: IntArray  # vertices to be scored
    mark: IntArray
    total: FloatArray  # one value: the sum over edges of items times both scores


@njit
def _find(vertex: IntArray, x: int) -> int:
    """Return the vertex of which x has become part, and shorten the way there."""
    while vertex[x, _ABOVE] != x:
        vertex[x, _ABOVE] = vertex[vertex[x, _ABOVE], _ABOVE]
        x = vertex[x, _ABOVE]
    return x


@njit
def _side(state: _State, x: int) -> int:
    """Return the tree of a vertex: 0 or 1."""
    return 1 if x >= len(state.edge) else 0


@njit
def _first(state: _State, side: int, x: int) -> int:
    """Return an edge of a vertex that is not gone."""
    e = state.vertex[x, _HEAD]
    while state.edge[e, _GONE]:
        e = state.edge[e, _AFTER + side]
    state.vertex[x, _HEAD] = e
    return int(e)


@njit
def _next(edge: IntArray, side: int, e: int) -> int:
    """Return the edge after e in its ring that is not gone, and let those between drop out."""
    after = edge[e, _AFTER + side]
    while edge[after, _GONE]:
        after = edge[after, _AFTER + side]
    edge[e, _AFTER + side] = after
    return int(after)


@njit
def _spread(state: _State, x: int, weight: float) -> float:
    """Return the sum over the edges of x of items times the score at the other end. O(degree).

    Slots at the other ends get the items times ``weight`` as well.
    """
    edge, side = state.edge, _side(state, x)
    first = _first(state, side, x)
    e = first
    flow = 0.0
    while True:
        y = _find(state.vertex, e if side else len(edge) + e)
        flow += edge[e, _SIZE] * state.value[y, _SCORE]
        if state.vertex[y, _SLOT] >= 0:
            state.flow[1 - side, state.vertex[y, _SLOT]] += edge[e, _SIZE] * weight
        e = _next(edge, side, e)
        if e == first:
            return float(flow)


@njit
def _add_shared(state: _State, x: int, s: int) -> None:
    """Add the items that the edges of x have in common with slots of the other tree to slot s. O(degree)."""
    edge, side = state.edge, _side(state, x)
    first = _first(state, side, x)
    e = first
    while True:
        other = state.vertex[_find(state.vertex, e if side else len(edge) + e), _SLOT]
        if other >= 0 and side:
            state.shared[other, s] += edge[e, _SIZE]
        elif other >= 0:
            state.shared[s, other] += edge[e, _SIZE]
        e = _next(edge, side, e)
        if e == first:
            return


@njit
def _rescore(state: _State, x: int, score: float) -> None:
    """Give a vertex another score, and bring the total and the flow into slots up to date."""
    change = score - state.value[x, _SCORE]
    if change == 0.0:
        return
    side, s = _side(state, x), state.vertex[x, _SLOT]
    if s < 0:
        flow = _spread(state, x, change)
    else:
        flow = state.flow[side, s]
        for other in range(state.mark[_USED + 1 - side]):
            shared = state.shared[other, s] if side else state.shared[s, other]
            state.flow[1 - side, other] += shared * change
    state.total[0] += change * flow
    state.value[x, _SCORE] = score


@njit
def _give_slot(state: _State, x: int) -> None:
    """Give a vertex with many edges a slot, so that its flow need not be summed again."""
    side, mark = _side(state, x), state.mark
    if mark[_FREE + side] > 0:
        mark[_FREE + side] -= 1
        s = state.free[side, mark[_FREE + side]]
    else:
        s = mark[_USED + side]
        mark[_USED + side] += 1
    state.flow[side, s] = _spread(state, x, 0.0)
    _add_shared(state, x, s)
    state.vertex[x, _SLOT] = s


@njit
def _unite_slots(state: _State, side: int, x: int, y: int) -> None:
    """Add slot x to slot y of the same tree, and free it."""
    state.flow[side, y] += state.flow[side, x]
    state.flow[side, x] = 0.0
    for other in range(state.mark[_USED + 1 - side]):
        if side:
            state.shared[other, y] += state.shared[other, x]
            state.shared[other, x] = 0
        else:
            state.shared[y, other] += state.shared[x, other]
            state.shared[x, other] = 0
    state.free[side, state.mark[_FREE + side]] = x
    state.mark[_FREE + side] += 1


@njit
def _unite(state: _State, x: int, y: int, many: int) -> int:
    """Join two vertices of one tree and return what they become. O(degree of the one with fewer edges)."""
    edge, vertex, side = state.edge, state.vertex, _side(state, x)
    if (vertex[x, _SLOT] >= 0, vertex[x, _DEGREE]) > (vertex[y, _SLOT] >= 0, vertex[y, _DEGREE]):
        x, y = y, x
    _rescore(state, x, state.value[y, _SCORE])
    if vertex[x, _SLOT] >= 0:
        _unite_slots(state, side, vertex[x, _SLOT], vertex[y, _SLOT])
    elif vertex[y, _SLOT] >= 0:
        state.flow[side, vertex[y, _SLOT]] += _spread(state, x, 0.0)
        _add_shared(state, x, vertex[y, _SLOT])
    e, f = vertex[x, _HEAD], vertex[y, _HEAD]
    edge[e, _AFTER + side], edge[f, _AFTER + side] = edge[f, _AFTER + side], edge[e, _AFTER + side]
    vertex[x, _ABOVE] = y
    vertex[y, _DEGREE] += vertex[x, _DEGREE]
    vertex[y, _ITEMS] += vertex[x, _ITEMS]
    state.value[y, _HELD] += state.value[x, _HELD]
    if vertex[y, _SLOT] < 0 and vertex[y, _DEGREE] > many:
        _give_slot(state, y)
    return y


@njit
def _note(state: _State, x: int) -> None:
    """Note a vertex whose score may change at this tick."""
    state.noted[state.mark[_NOTED]] = x
    state.mark[_NOTED] += 1


@njit
def _grow(state: _State, f: int, e: int, rise: float) -> None:
    """Let overlap f grow, by overlap e if there is one, and note both of its clusters."""
    if e >= 0:
        state.edge[e, _GONE] = 1
        state.edge[f, _SIZE] += state.edge[e, _SIZE]
    for side in range(2):
        x = _find(state.vertex, side * len(state.edge) + f)
        state.value[x, _HELD] += rise
        state.vertex[x, _DEGREE] -= 1 if e >= 0 else 0
        _note(state, x)


@njit
def _settle(state: _State) -> None:
    """Score all noted clusters: sum of m log m over size log size, and 1 for a single item."""
    for i in range(state.mark[_NOTED]):
        if stopped():
            break
        x = _find(state.vertex, state.noted[i])
        items = float(state.vertex[x, _ITEMS])
        split = state.vertex[x, _FORMED] and items > 1.0
        _rescore(state, x, state.value[x, _HELD] / (items * math.log(items)) if split else 1.0)
    state.mark[_NOTED] = 0


@njit
def _start(count: IntArray, many: int, n_notes: int) -> _State:
    """Return the graph in which every item is alone, so that every score is 1."""
    n_edges = count.size
    n_slots = n_edges // many + 1
    edge = np.zeros((n_edges, 4), dtype=np.int64)
    vertex = np.zeros((2 * n_edges, 6), dtype=np.int64)
    for e in range(n_edges):
        edge[e, _SIZE] = count[e]
        for side in range(2):
            x = side * n_edges + e
            edge[e, _AFTER + side] = e
            vertex[x, _ABOVE], vertex[x, _HEAD], vertex[x, _DEGREE] = x, e, 1
            vertex[x, _ITEMS], vertex[x, _SLOT] = count[e], -1
    value = np.zeros((2 * n_edges, 2))
    value[:, _SCORE] = 1.0
    return _State(
        edge,
        vertex,
        value,
        np.zeros((2, n_slots)),
        np.zeros((n_slots, n_slots), dtype=np.int64),
        np.zeros((2, n_slots), dtype=np.int64),
        np.zeros(n_notes, dtype=np.int64),
        np.zeros(5, dtype=np.int64),
        np.array([float(count.sum())]),
    )


@njit
def split_merge_curve(count: IntArray, joins: Joins, rises: Rises, n_ticks: int, many: int) -> FloatArray:
    """Return n times the split-merge similarity by entropy at each tick.

    The total is the sum over edges of items times the scores of both ends. A score changes when its cluster
    joins another or one of its overlaps grows: O(n) changes in all, since every overlap that grows ends an edge.
    A change touches the edges of its vertex, or if these are more than ``many``, only the vertices of the other tree
    with as many, of which there are at most n / many: O(n sqrt(n)) at worst if ``many`` is sqrt(n), and
    O(n log n) where clusters have few edges. O(n) space.
    """
    state = _start(count, many, joins.tick.size + 2 * rises.tick.size)
    holder = joins.holder.copy()
    curve = np.empty(n_ticks)
    i = j = 0
    for tick in range(n_ticks):
        while i < joins.tick.size and joins.tick[i] == tick:
            if stopped():
                return curve
            x, y = holder[joins.child[i]], holder[joins.node[i]]
            x = x if y < 0 else _unite(state, x, y, many)
            holder[joins.node[i]] = x
            state.vertex[x, _FORMED] = 1
            _note(state, x)
            i += 1
        while j < rises.tick.size and rises.tick[j] == tick:
            _grow(state, rises.kept[j], rises.gone[j], rises.rise[j])
            j += 1
        _settle(state)
        curve[tick] = state.total[0]
    return curve
