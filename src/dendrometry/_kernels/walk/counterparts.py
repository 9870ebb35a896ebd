"""Counterparts of the nodes of one tree among the nodes of another, by the items that they share."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit, stopped

__all__ = [
    "Bounds",
    "Others",
    "Rows",
    "Sought",
    "Spans",
    "common_counts",
    "counts_within",
    "counterparts",
    "majorities",
]

_LEVELS = 64  # above a node of twice the size, looked through for the same name


class Rows(NamedTuple):
    """Items counted together, in the pre-order of the first tree: their number, and their node in the second tree."""

    n_items: IntArray
    node: IntArray


class Sought(NamedTuple):
    """Nodes of the first tree: their rows are ``low`` to ``high``; names are numbers, 0 for none.

    ``known`` says whether the second tree has a node of the same name.
    """

    low: IntArray
    high: IntArray
    size: IntArray
    name: IntArray
    known: BoolArray


class Others(NamedTuple):
    """The second tree: the nearest candidate at each node or above it, and strictly above it, or -1.

    ``known`` says whether the first tree has a node of the same name.
    """

    first: IntArray
    up: IntArray
    size: IntArray
    name: IntArray
    known: BoolArray


class Spans(NamedTuple):
    """The second tree: the parent of each node, and its span in the pre-order of the nodes."""

    parent: IntArray
    low: IntArray
    high: IntArray


@njit
def _count(sought: Sought, u: int, rows: Rows, others: Others, count: IntArray, met: IntArray) -> tuple[int, int]:
    """Add the items of a node to all candidates at or above them; return how many candidates, and how many steps.

    Sizes grow upwards, so that a node of twice the size ends the search, unless a name is sought.
    """
    n_met, steps = 0, 0
    for row in range(sought.low[u], sought.high[u]):
        v, above = others.first[rows.node[row]], 0
        while v >= 0 and above <= _LEVELS:
            steps += 1
            if others.size[v] >= 2 * sought.size[u]:
                above += _LEVELS + 1 if sought.name[u] == 0 else 1
            if count[v] == 0:
                met[n_met] = v
                n_met += 1
            count[v] += rows.n_items[row]
            v = others.up[v]
    return n_met, steps


@njit
def _score(sought: Sought, u: int, others: Others, v: int, shared: int) -> float:
    """Return the score of a candidate; 0 if it is none."""
    jaccard = float(shared / (sought.size[u] + others.size[v] - shared))
    if sought.name[u] != 0 and sought.name[u] == others.name[v]:
        return jaccard + 0.5
    if jaccard <= 0.5:
        return 0.0
    return jaccard - (0.5 if sought.known[u] or others.known[v] else 0.0)


@njit
def counterparts(sought: Sought, rows: Rows, others: Others, most_steps: int) -> tuple[IntArray, FloatArray, int]:
    """Return the best candidate for each node, or -1, its score, and how many steps were taken.

    A candidate shares more than half of the items of either node, or has the same name and shares an item. Its score
    is the Jaccard index, and one half more if the names are the same; one half less if they differ although the
    name of one is also in the other tree. O(rows of all nodes x candidates above them); nodes that would take more than
    ``most_steps`` are left without a candidate.
    """
    best = np.full(sought.low.size, -1, dtype=np.int64)
    score = np.zeros(sought.low.size, dtype=np.float64)
    count = np.zeros(others.up.size, dtype=np.int64)
    met = np.empty(others.up.size, dtype=np.int64)
    steps = 0
    for u in range(sought.low.size):
        if stopped() or steps > most_steps:
            break
        n_met, taken = _count(sought, u, rows, others, count, met)
        steps += taken
        for i in range(n_met):
            v = met[i]
            found = _score(sought, u, others, v, count[v])
            count[v] = 0
            if found > score[u] or (found == score[u] > 0.0 and v < best[u]):
                score[u], best[u] = found, v
    return best, score, steps


@njit
def common_counts(parent: IntArray, first: IntArray, second: IntArray, n_items: IntArray) -> IntArray:
    """Return, at each node, the items whose lowest common node of the two given ones it is. O(levels between them)."""
    count = np.zeros(parent.size, dtype=np.int64)
    for row in range(first.size):
        u, v = first[row], second[row]
        while u != v:
            if u < v:
                u = parent[u]
            else:
                v = parent[v]
        count[u] += n_items[row]
    return count


@njit
def majorities(sought: Sought, rows: Rows, order: Spans, most_steps: int) -> IntArray:
    """Return, for each node, the deepest node of the second tree that holds more than half of its items.

    Such a node lies above the median of the items in the pre-order of the second tree. O(m log m) for a node of m rows,
    and the levels between; -1 after too many steps.
    """
    found = np.full(sought.low.size, -1, dtype=np.int64)
    steps = 0
    for u in range(sought.low.size):
        if stopped() or steps > most_steps:
            break
        start, stop = sought.low[u], sought.high[u]
        place = order.low[rows.node[start:stop]]
        by_place = np.argsort(place)
        place = place[by_place]
        before = np.zeros(place.size + 1, dtype=np.int64)
        for i in range(place.size):
            before[i + 1] = before[i] + rows.n_items[start + by_place[i]]
        half = sought.size[u] // 2
        i = np.searchsorted(before, half, side="right") - 1
        v = rows.node[start + by_place[i]]
        steps += place.size
        while True:
            first, last = np.searchsorted(place, order.low[v]), np.searchsorted(place, order.high[v])
            steps += 1
            if before[last] - before[first] > half or order.parent[v] < 0:
                break
            v = order.parent[v]
        found[u] = v
    return found


class Bounds(NamedTuple):
    """Of the first ``time`` rows, those with a place from ``low`` to below ``high`` are wanted; by ascending time."""

    time: IntArray
    low: IntArray
    high: IntArray


@njit
def counts_within(place: IntArray, n_items: IntArray, n_places: int, bounds: Bounds) -> IntArray:
    """Return the number of items within each of some bounds. One sweep with a Fenwick tree, O(n log n)."""
    tree = np.zeros(n_places + 1, dtype=np.int64)
    found = np.zeros(bounds.time.size, dtype=np.int64)
    done = 0
    for q in range(bounds.time.size):
        if stopped():
            break
        while done < bounds.time[q]:
            i = place[done] + 1
            while i <= n_places:
                tree[i] += n_items[done]
                i += i & -i
            done += 1
        i = bounds.high[q]
        while i > 0:
            found[q] += tree[i]
            i -= i & -i
        i = bounds.low[q]
        while i > 0:
            found[q] -= tree[i]
            i -= i & -i
    return found
