"""Loops over items with sets of terms: those above their labels, and what true and predicted sets share."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Graph(NamedTuple):
    """Parents of terms: those of v are ``parent[start[v]:start[v + 1]]``, all > v; ``counts`` is False for the top."""

    start: IntArray
    parent: IntArray
    counts: BoolArray


class Sets(NamedTuple):
    """The terms of each item, ``term[start[i]:start[i + 1]]``, and how many of the ascending thresholds each reaches.

    Terms are in descending order of ``reach``.
    """

    start: IntArray
    term: IntArray
    reach: IntArray


@njit
def count_sets(graph: Graph, given: Sets) -> IntArray:
    """Return how many terms are at or above the labels of each item. O(edges above the labels of each)."""
    n_terms, n_items = graph.start.size - 1, given.start.size - 1
    seen, stack = np.full(n_terms, -1, dtype=np.int64), np.empty(n_terms, dtype=np.int64)
    count = np.zeros(n_items, dtype=np.int64)
    for i in range(n_items):
        for at in range(given.start[i], given.start[i + 1]):
            v = given.term[at]
            if given.reach[at] == 0 or seen[v] == i:
                continue
            stack[0], seen[v], height = v, i, 1
            while height:
                height -= 1
                u = stack[height]
                if graph.counts[u]:
                    count[i] += 1
                for e in range(graph.start[u], graph.start[u + 1]):
                    p = graph.parent[e]
                    if seen[p] != i:
                        seen[p] = i
                        stack[height] = p
                        height += 1
    return count


@njit
def fill_sets(graph: Graph, given: Sets, held: Sets) -> None:
    """Write the terms at or above the labels of each item, each with the reach of the first label below it."""
    n_terms, n_items = graph.start.size - 1, given.start.size - 1
    seen, stack = np.full(n_terms, -1, dtype=np.int64), np.empty(n_terms, dtype=np.int64)
    for i in range(n_items):
        to = held.start[i]
        for at in range(given.start[i], given.start[i + 1]):
            v = given.term[at]
            if given.reach[at] == 0 or seen[v] == i:
                continue
            stack[0], seen[v], height = v, i, 1
            while height:
                height -= 1
                u = stack[height]
                if graph.counts[u]:
                    held.term[to], held.reach[to] = u, given.reach[at]
                    to += 1
                for e in range(graph.start[u], graph.start[u + 1]):
                    p = graph.parent[e]
                    if seen[p] != i:
                        seen[p] = i
                        stack[height] = p
                        height += 1


@njit
def state_of(own: FloatArray, true: FloatArray, state: FloatArray) -> None:
    """Write what one item adds at a threshold, from its counts and weights ``own``: shared, predicted, and weighted.

    ``true`` are the number and the weight of its true terms.
    """
    state[:] = 0.0
    state[0], state[1], state[6], state[7] = own[0], own[1], own[2], own[3]
    if own[1] > 0:
        state[2], state[3] = own[0] / own[1], 1.0
    if true[0] > 0:
        state[4], state[5] = own[0] / true[0], 2.0 * own[0] / (own[1] + true[0])
    if own[3] > 0.0:
        state[8], state[9] = own[2] / own[3], 1.0
    if true[1] > 0.0:
        state[10] = own[2] / true[1]
    if own[0] == own[1] and own[0] == true[0]:
        state[11] = 1.0


@njit
def add_shared(truth: Sets, found: Sets, partner: IntArray, weight: FloatArray, sums: FloatArray) -> None:
    """Add what each item ``i`` of the truth shares with item ``partner[i]`` of the predictions to ``sums[i % groups]``.

    ``sums`` are (groups, thresholds, 12) differences: the sum of those from a threshold on is the value there.
    """
    seen = np.full(weight.size, -1, dtype=np.int64)
    own, true = np.empty(4), np.empty(2)
    before, after = np.empty(12), np.empty(12)
    n_groups, n_thresholds = sums.shape[0], sums.shape[1]
    for i in range(truth.start.size - 1):
        own[:], true[:] = 0.0, 0.0
        for at in range(truth.start[i], truth.start[i + 1]):
            seen[truth.term[at]] = i
            true[0] += 1.0
            true[1] += weight[truth.term[at]]
        group = i % n_groups
        state_of(own, true, before)
        sums[group, n_thresholds - 1] += before
        low, high = found.start[partner[i]], found.start[partner[i] + 1]
        for at in range(low, high):
            v = found.term[at]
            own[1] += 1.0
            own[3] += weight[v]
            if seen[v] == i:
                own[0] += 1.0
                own[2] += weight[v]
            if at + 1 == high or found.reach[at + 1] != found.reach[at]:
                state_of(own, true, after)
                sums[group, found.reach[at] - 1] += after - before
                before[:] = after


@njit
def add_expected(found: Sets, weight: FloatArray, chance: FloatArray, sums: FloatArray) -> None:
    """Add the means over all items of the truth of what each prediction shares, to (thresholds, 6) differences.

    ``chance`` are (terms, 4) sums over the truth, by term: its items, their shares in sets, and the same weighted.
    """
    own = np.zeros(6)
    before, after = np.empty(6), np.empty(6)
    for j in range(found.start.size - 1):
        own[:], before[:] = 0.0, 0.0
        for at in range(found.start[j], found.start[j + 1]):
            v = found.term[at]
            own[0] += 1.0
            own[1] += weight[v]
            for k in range(4):
                own[k + 2] += chance[v, k]
            if at + 1 == found.start[j + 1] or found.reach[at + 1] != found.reach[at]:
                after[0], after[1], after[2] = own[2], own[2] / own[0], own[3]
                after[3], after[5] = own[4], own[5]
                after[4] = own[4] / own[1] if own[1] > 0.0 else 0.0
                sums[found.reach[at] - 1] += after - before
                before[:] = after


@njit
def count_shared(truth: Sets, found: Sets, least: int, shared: IntArray) -> None:
    """Add, for each term, the number of items for which it is true and predicted with at least that reach."""
    seen = np.full(shared.size, -1, dtype=np.int64)
    for i in range(truth.start.size - 1):
        for at in range(truth.start[i], truth.start[i + 1]):
            seen[truth.term[at]] = i
        for at in range(found.start[i], found.start[i + 1]):
            if found.reach[at] >= least and seen[found.term[at]] == i:
                shared[found.term[at]] += 1


@njit
def deepest_shared(truth: Sets, found: Sets, partner: IntArray, least: int, depth: IntArray, deepest: IntArray) -> None:
    """Write the greatest depth of the terms of each item that its partner has, too, with at least that reach."""
    seen = np.full(depth.size, -1, dtype=np.int64)
    for i in range(truth.start.size - 1):
        for at in range(truth.start[i], truth.start[i + 1]):
            seen[truth.term[at]] = i
        for at in range(found.start[partner[i]], found.start[partner[i] + 1]):
            v = found.term[at]
            if found.reach[at] >= least and seen[v] == i and depth[v] > deepest[i]:
                deepest[i] = depth[v]


class Ways(NamedTuple):
    """Room for searches upwards: the distance of each term, the search that set it, and a queue."""

    distance: IntArray
    search: IntArray
    queue: IntArray


@njit
def climb(graph: Graph, ways: Ways, n_queued: int, search: int) -> int:
    """Search upwards from the first terms of the queue, at distance 0; return how many terms are reached."""
    for at in range(n_queued):
        ways.distance[ways.queue[at]], ways.search[ways.queue[at]] = 0, search
    at = 0
    while at < n_queued:
        v = ways.queue[at]
        at += 1
        for e in range(graph.start[v], graph.start[v + 1]):
            p = graph.parent[e]
            if ways.search[p] != search:
                ways.search[p], ways.distance[p] = search, ways.distance[v] + 1
                ways.queue[n_queued] = p
                n_queued += 1
    return n_queued


@njit
def nearest(graph: Graph, far: Ways, near: Ways, start: IntArray, top: IntArray, search: int) -> float:
    """Return the mean number of edges from each of some terms to the nearest of those from which ``far`` climbed.

    ``top`` are the edges from each term to the top, the last of them for the top of ``far``.
    """
    total = 0.0
    for k in range(start.size):
        near.queue[0] = start[k]
        n = climb(graph, near, 1, search)
        best = top[start[k]] + top[-1]
        for at in range(n):
            c = near.queue[at]
            if far.search[c] == search and far.distance[c] + near.distance[c] < best:
                best = far.distance[c] + near.distance[c]
        for at in range(n):
            near.search[near.queue[at]] = -1
        total += best
    return total / start.size


@njit
def lowest(graph: Graph, sets: Sets, i: int, least: int, mark: IntArray, stamp: int) -> IntArray:
    """Return the terms of an item that have at least that reach, and no such term below them."""
    low, high = sets.start[i], sets.start[i + 1]
    for at in range(low, high):
        if sets.reach[at] >= least:
            v = sets.term[at]
            for e in range(graph.start[v], graph.start[v + 1]):
                mark[graph.parent[e]] = stamp
    found = np.empty(high - low, dtype=np.int64)
    n = 0
    for at in range(low, high):
        if sets.reach[at] >= least and mark[sets.term[at]] != stamp:
            found[n] = sets.term[at]
            n += 1
    return found[:n]


@njit
def hops(graph: Graph, truth: Sets, found: Sets, partner: IntArray, least: int, top: IntArray) -> FloatArray:
    """Return the mean edges between the true and predicted terms of each item and the nearest of the other side.

    ``top`` are the edges from each term to the top, where an item without terms stands; one more value is room.
    """
    n_terms, n_items = graph.start.size - 1, truth.start.size - 1
    a = Ways(np.empty(n_terms, np.int64), np.full(n_terms, -1, np.int64), np.empty(n_terms, np.int64))
    b = Ways(np.empty(n_terms, np.int64), np.full(n_terms, -1, np.int64), np.empty(n_terms, np.int64))
    mark = np.full(n_terms, -1, dtype=np.int64)
    result = np.zeros(n_items)
    for i in range(n_items):
        true = lowest(graph, truth, i, 1, mark, 2 * i)
        other = lowest(graph, found, partner[i], least, mark, 2 * i + 1)
        if true.size == 0 or other.size == 0:
            for v in true:
                result[i] += top[v] / true.size
            for v in other:
                result[i] += top[v] / other.size
            continue
        if true.size == 1 and other.size == 1 and true[0] == other[0]:
            continue
        for side in range(2):
            here, there = (true, other) if side == 0 else (other, true)
            a.queue[: there.size] = there
            climb(graph, a, there.size, 2 * i + side)
            top[-1] = top[there].min()
            result[i] += nearest(graph, a, b, here, top, 2 * i + side) / 2.0
    return result


@njit
def count_with_parents(graph: Graph, child_start: IntArray, child: IntArray, held: Sets, counts: IntArray) -> None:
    """Add the number of items that have all parents of a term, for the terms that are listed below one of theirs.

    O(terms listed below those of the items), so that each is best listed below the rarest of its parents.
    """
    seen = np.full(graph.start.size - 1, -1, dtype=np.int64)
    for i in range(held.start.size - 1):
        for at in range(held.start[i], held.start[i + 1]):
            seen[held.term[at]] = i
        for at in range(held.start[i], held.start[i + 1]):
            v = held.term[at]
            for e in range(child_start[v], child_start[v + 1]):
                c = child[e]
                n_above = 0
                for k in range(graph.start[c], graph.start[c + 1]):
                    n_above += seen[graph.parent[k]] == i
                if n_above == graph.start[c + 1] - graph.start[c]:
                    counts[c] += 1
