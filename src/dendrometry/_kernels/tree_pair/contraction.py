"""The contraction of two trees: their contingency table as a graph whose edges meet as clusters merge."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import AHEAD, MANY, prefetch, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.layout import START, STOP, Parts, Side
from dendrometry._typing import FloatArray, IntArray, Values

_FEW_CELLS = 16  # rows of a pair for each cell of the table by which the largest parts are taken out at once


class Edges(NamedTuple):
    """The edges while they come apart: that of each row, and columns of the edges.

    ``inside`` counts the rows in the part that is taken out, and is 0 between parts; these go to the edge ``target``.
    ``parted`` is as in a `Division`.
    """

    edge: NDArray[np.int32]
    rows: NDArray[np.int32]
    inside: NDArray[np.int32]
    target: NDArray[np.int32]
    parted: NDArray[np.int32]


class Division(NamedTuple):
    """How edges come apart on the way down: at first all rows are edge 0, at last row r is edge ``edge[r]``.

    ``parted[e]`` are the tick at which edge e came apart from another, and that edge; there is none for edge 0.
    """

    edge: NDArray[np.int32]
    parted: NDArray[np.int32]


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
def keep_last_of_ties(moment: FloatArray | IntArray, value: IntArray) -> None:
    """Set each value to that of the last entry with the same moment; moments are in ascending order. O(n)."""
    for i in range(moment.size - 2, -1, -1):
        if moment[i] == moment[i + 1]:
            value[i] = value[i + 1]


@njit
def sum_together(side: Side, size: IntArray, length: int, one: Any, joined: Values, total: Values) -> None:
    """Fill ``total``, which is 0, with the numbers of tuples of items in one cluster, from each tick to the next. O(n).

    The tuples are ordered, and ``length`` is 2 or 3; ``one`` is 1, or 1.0 for numbers that do not fit in 63 bits. Of
    the tuples of a node, ``joined``, with a place for each but the first leaves, keeps what its children have not.
    """
    parent, tick, _, n_first = side
    for u in range(joined.size):
        joined[u] = _count_tuples(size[n_first + u], length, one)
    are_many = parent.size > MANY
    for v in range(n_first, parent.size):
        if stopped():
            break
        if are_many:
            prefetch(joined, parent[min(v + AHEAD, parent.size - 2)] - n_first)
        value = _count_tuples(size[v], length, one)
        if value != 0:
            total[tick[v]] += joined[v - n_first]
            if v < parent.size - 1:
                joined[parent[v] - n_first] -= value
    for i in range(1, total.size):
        total[i] += total[i - 1]


@njit
def _count_tuples(size: int, length: int, one: Any) -> Any:
    """Return the number of ordered tuples of different items in a cluster."""
    pairs = one * size * (size - 1)
    return pairs * (size - 2) if length == 3 else pairs


@njit
def _come_apart(  # noqa: C901 - two passes over a span of rows, in one loop
    order: NDArray[np.int32], part: NDArray[np.int32], first: int, edges: Edges, n_edges: int
) -> int:
    """Take the parts out of both trees one by one, from ``first`` on; return the number of edges after that.

    ``order`` are the rows in the order of the first tree, then in that of the second; one that is found alone in its
    edge is taken out, -1. A part takes its rows out of each edge that has others too; they become the edge with the
    next number, and one line says which part it was and from which edge.
    """
    (edge, rows, inside, target, parted), last, are_many = edges, part.shape[0] - 1, order.size > MANY
    # the first pass counts up; where not all are inside, the second goes on with minus how many are still to move
    for i in range(first, part.shape[0]):
        if n_edges == edge.size or stopped():
            break
        start, stop = part[i, START], part[i, STOP]
        any_left = False
        if are_many:
            prefetch(order, part[min(i + AHEAD, last), START])
            prefetch(edge, order[part[min(i + AHEAD // 2, last), START]])
        for j in range(start, stop):
            if are_many:
                prefetch(edge, order[min(j + AHEAD, stop - 1)])
            r = order[j]
            if r < 0:
                continue
            e = edge[r]
            if rows[e] > 1:
                inside[e] += 1
                any_left = True
            else:
                order[j] = -1
        if not any_left:
            continue
        for j in range(start, stop):
            r = order[j]
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
                    parted[n_edges, 0], parted[n_edges, 1] = i, e
                    n_edges += 1
                    moving = -moving
                edge[r] = target[e]
                inside[e] = moving + 1
    return n_edges


@njit
def _n_at_once(part: NDArray[np.int32], n: int) -> int:
    """Return how many of the first parts are taken out at once: with few cells, and only if they have many rows."""
    n_a, n_b, n_rows = 1, 1, 0
    for i in range(part.shape[0]):
        if part[i, START] < n:
            n_a += 1
        else:
            n_b += 1
        if n_a * n_b * _FEW_CELLS > n:
            return i if n_rows > n else 0
        n_rows += part[i, STOP] - part[i, START]
    return 0


@njit
def _cells(  # noqa: C901 - one pass over the rows for each order, and one over the parts
    order: NDArray[np.int32], part: NDArray[np.int32], cell: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Fill in the cell of every row, and return the cells in the order of the first tree, then in that of the second.

    The spans of the parts cut each order into sections; the rows of a section of the first tree and of one of the
    second are a cell. In each section, cells are in the order of their first row. In ``part``, spans of rows become
    spans of cells. O(n).
    """
    n = cell.size
    place = np.zeros(2 * n + 1, dtype=np.int32)  # where a section starts: not 0; then how many cells come before
    place[0] = place[n] = 1
    for i in range(part.shape[0]):
        place[part[i, START]] = place[part[i, STOP]] = 1
    section, n_sections, n_cells = -1, 0, 0
    for r in range(n):
        section += place[r]
        cell[r] = section
        n_sections += place[n + r]
    table = np.full((section + 1) * n_sections, -1, dtype=np.int32)
    section = -1
    for j in range(n, 2 * n):
        if place[j] != 0:
            section += 1
            place[j] = n_cells
        at = cell[order[j]] * n_sections + section
        if table[at] < 0:
            table[at] = n_cells
            n_cells += 1
        cell[order[j]] = table[at]
    place[2 * n] = n_cells
    small, found, n_found = np.empty(2 * n_cells, dtype=np.int32), np.zeros(n_cells, dtype=np.bool_), 0
    for r in range(n):
        if place[r] != 0:
            place[r] = n_found
        c = cell[r]
        if not found[c]:
            found[c] = True
            small[n_found], small[n_cells + c] = c, c
            n_found += 1
    for i in range(part.shape[0]):
        start, stop = part[i, START], part[i, STOP]
        before = 0 if start < n else n_cells
        part[i, START] = before + place[start]
        part[i, STOP] = n_cells if stop == n else before + place[stop]
    return small


@njit
def divide(
    places: tuple[NDArray[np.int32], NDArray[np.int32]], parts: Parts, order: NDArray[np.int32], edges: Edges
) -> Division:
    """Walk down both trees, given the places of the rows and the parts, and return how the edges came apart.

    When a node comes apart, only the rows of its smaller parts move, so a row moves at most log2 n times for each tree.
    The first parts, with many rows each, are taken out of cells: see `_cells`. O(n log n) time, O(n) space for n rows.
    Rows, nodes and ticks are numbered in 32 bits. ``order`` has room for two numbers of each row; ``edges`` is all 0.
    """
    (place_a, place_b), (part, before), (edge, rows, inside, target, parted) = places, parts, edges
    n = edge.size
    for r in range(n):
        order[r] = r  # rows are numbered by their place in the first tree
        order[place_b[r]] = place_a[r]
    rows[0], n_edges, n_top = n, 1, _n_at_once(part, n)
    if n_top > 0:
        small = _cells(order, part[:n_top], edge)
        of_cell = np.zeros(small.size // 2, dtype=np.int32)
        rows[0] = of_cell.size
        n_edges = _come_apart(small, part[:n_top], 0, Edges(of_cell, rows, inside, target, parted), 1)
        rows[:n_edges] = 0
        for r in range(n):
            edge[r] = of_cell[edge[r]]
            rows[edge[r]] += 1
    n_edges = _come_apart(order, part, n_top, edges, n_edges)
    tick = before.size - 1
    for e in range(1, n_edges):
        while tick > 0 and parted[e, 0] >= before[tick - 1]:
            tick -= 1
        parted[e, 0] = tick
    for r in range(n):
        target[r] = edge[place_a[r]]
    return Division(target, parted)


@njit
def meetings(division: Division, count: IntArray) -> Meets:
    """Return the edges that met, which is the division read backwards; row r has ``count[r]`` items. O(n)."""
    n = count.size
    row, items = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for r in range(n):
        if n > MANY:
            ahead = division.edge[min(r + AHEAD, n - 1)]
            prefetch(row, ahead)
            prefetch(items, ahead)
        e = division.edge[r]
        row[e], items[e] = r, count[r]
    met = np.empty((5, n - 1), dtype=np.int64)
    for i in range(n - 1):
        gone = n - 1 - i
        if n > MANY:
            ahead = division.parted[max(gone - AHEAD, 0), 1]
            prefetch(row, ahead)
            prefetch(items, ahead)
        tick, kept = division.parted[gone, 0], division.parted[gone, 1]
        met[0, i], met[1, i], met[2, i] = tick, row[kept], row[gone]
        met[3, i], met[4, i] = items[kept], items[gone]
        items[kept] += items[gone]
    return Meets(met[0], met[1], met[2], met[3], met[4])


@njit
def pairs_in_both(division: Division, count: IntArray, items: IntArray, pairs: IntArray) -> None:
    """Fill in the number of pairs of items of different rows that are together in both trees, at each tick. O(n).

    Two edges that meet bring together every pair of items, one of each. ``pairs`` is 0 at first; ``items`` has room for
    the items of each edge.
    """
    for r in range(count.size):
        items[division.edge[r]] = count[r]
    for gone in range(count.size - 1, 0, -1):
        tick, kept = division.parted[gone, 0], division.parted[gone, 1]
        pairs[tick] += items[kept] * items[gone]
        items[kept] += items[gone]
    for i in range(1, pairs.size):
        pairs[i] += pairs[i - 1]


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
