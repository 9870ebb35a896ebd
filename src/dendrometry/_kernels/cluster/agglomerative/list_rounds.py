"""Rounds on short lists for linkages that need all members: complete, average, weighted."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit, stopped
from dendrometry._kernels.cluster.distances.differences import squared
from dendrometry._kernels.cluster.distances.neighbours import Lists, insert
from dendrometry._kernels.cluster.distances.products import product

__all__ = ["Members", "evaluate", "merge_pairs"]


class Members(NamedTuple):
    """The items of every cluster as a chain: the first is the slot itself, ``next`` follows, ``last`` ends it.

    ``weight`` is the share of an item in the mean over its cluster; ``own`` its own part of a distance.
    """

    points: FloatArray
    own: FloatArray
    weight: FloatArray
    next: IntArray
    last: IntArray
    node: IntArray


@njit
def _point_distance(i: int, j: int, members: Members, form: tuple[float, bool, float, bool]) -> float:
    """Return the distance of two items, as `fill_square` does. O(d)."""
    alpha, root, top, _ = form
    x = members.points[i]
    y = members.points[j]
    if top > 0.0:
        both = product(x, x) + product(y, y)
        between = product(x, y)
        if both - 2.0 * between >= 0.01 * both:
            return top - between
    value = alpha * squared(x, y) + (members.own[i] + members.own[j])
    return float(np.sqrt(value)) if root else value


@njit
def _distance(a: int, b: int, members: Members, form: tuple[float, bool, float, bool]) -> float:
    """Return the greatest or the mean distance of the items of two clusters. O(n m d)."""
    farthest = form[3]
    total = 0.0
    i = a
    while i >= 0:
        j = b
        while j >= 0:
            value = _point_distance(i, j, members, form)
            if not farthest:
                total += members.weight[i] * members.weight[j] * value
            elif value > total:
                total = value
            j = members.next[j]
        i = members.next[i]
    return total


@njit
def evaluate(
    slots: IntArray,
    partner: IntArray,
    top: IntArray,
    members: Members,
    lists: Lists,
    form: tuple[float, bool, float, bool],
) -> None:
    """Find the nearest of some clusters among those their lists lead to, and whether it is certain.

    ``top[s]`` is the cluster that slot s now belongs to, ``partner[c]`` the slot that c has just swallowed, or -1: its
    list counts too. ``form`` is that of `fill_square`.
    """
    k = lists.near.shape[1]
    found = np.empty(2 * k, dtype=np.int32)
    best = np.empty(2 * k)
    for c in slots:
        found[:] = -1
        best[:] = np.inf
        n_found = 0
        n_near = k if partner[c] < 0 else 2 * k
        for at in range(n_near):
            s = lists.near[c, at] if at < k else lists.near[partner[c], at - k]
            s = top[s] if s >= 0 else c
            if s == c or (found[:n_found] == s).any():
                continue
            low = min(c, s)
            value = _distance(low, c + s - low, members, form)
            if stopped():
                return
            n_found += 1
            insert(found, best, n_found, s, value, members.node)
        lists.near[c] = found[:k]
        lists.reach[c] = min(lists.reach[c], best[k])
        lists.nearest[c] = found[0]
        lists.distance[c] = best[0]
        lists.sure[c] = best[0] < lists.reach[c]
        lists.tied[c] = best[1] == best[0]


@njit
def merge_pairs(
    low: IntArray, high: IntArray, share: FloatArray, members: Members, lists: Lists, farthest: bool
) -> None:
    """Let each cluster ``low[p]`` swallow ``high[p]``, which gets a ``share[p]`` of the mean. O(items of the pairs).

    What is at least r from one part and s from the other is at least max(r, s), or their mean, from the union.
    """
    for p in range(low.size):
        i = low[p]
        j = high[p]
        if farthest:
            lists.reach[i] = max(lists.reach[i], lists.reach[j])
        else:
            lists.reach[i] = ((1.0 - share[p]) * lists.reach[i] + share[p] * lists.reach[j]) * (1 - 1e-12)
        item = i
        while item >= 0:
            members.weight[item] *= 1.0 - share[p]
            item = members.next[item]
        item = j
        while item >= 0:
            members.weight[item] *= share[p]
            item = members.next[item]
        members.next[members.last[i]] = j
        members.last[i] = members.last[j]
