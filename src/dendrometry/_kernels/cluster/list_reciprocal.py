"""Rounds on short lists for linkages that need all members: complete, average, weighted."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared
from dendrometry._kernels.cluster.half_matrix import row_start
from dendrometry._kernels.cluster.neighbours import Lists, sort_near
from dendrometry._kernels.cluster.products import product
from dendrometry._typing import FloatArray, IntArray


class Members(NamedTuple):
    """The items of every cluster as a chain: the first is the slot itself, ``next`` follows, ``last`` ends it.

    ``weight`` is the share of an item in the mean over its cluster; ``own`` its own part of a distance. ``top[s]`` is
    the cluster that slot s now belongs to, and ``node`` the number of each cluster, higher than those of its parts.
    Items are points, or, if ``half`` is not empty, clusters whose distances (or their squares) are stored there.
    """

    points: FloatArray
    own: FloatArray
    half: NDArray[Any]
    weight: FloatArray
    next: IntArray
    last: IntArray
    node: IntArray
    top: IntArray


class Known(NamedTuple):
    """The distances of each cluster from those in its list, all of nodes below ``bound`` when they were computed."""

    value: FloatArray
    bound: IntArray


@njit
def _is_clear(x: FloatArray, y: FloatArray) -> bool:
    """Whether the distance of two items can be had from their product, as in `fill_square`. O(d)."""
    both = product(x, x) + product(y, y)
    return both - 2.0 * product(x, y) >= 0.01 * both


@njit
def _fill_distances(
    c: int, found: NDArray[np.int32], value: FloatArray, members: Members, form: tuple[float, bool, float, bool]
) -> None:
    """Set the unknown distances of a cluster, which are nan: the greatest or the mean of its items. O(n m d) each."""
    alpha, root, top, farthest = form
    points = members.points
    own = members.own
    half = members.half
    weight = members.weight
    following = members.next
    for at in range(found.size):
        if value[at] == value[at]:
            continue
        low = min(c, found[at])
        high = max(c, found[at])
        total = 0.0
        i = low
        while i >= 0:
            j = high
            while j >= 0:
                if half.size:
                    distance: float = np.float64(half[row_start(max(i, j)) + min(i, j)])
                elif top > 0.0 and _is_clear(points[i], points[j]):
                    distance = top - product(points[i], points[j])
                else:
                    distance = alpha * squared(points[i], points[j]) + (own[i] + own[j])
                    distance = np.sqrt(distance) if root and not farthest else distance
                total = max(total, distance) if farthest else total + weight[i] * weight[j] * distance
                j = following[j]
            i = following[i]
        value[at] = np.sqrt(total) if root and farthest else total  # the greatest root is the root of the greatest
        if stopped():
            break


@njit
def evaluate(
    slots: IntArray,
    partner: IntArray,
    members: Members,
    lists: Lists,
    known: Known,
    form: tuple[float, bool, float, bool],
) -> None:
    """Find the nearest of some clusters among those their lists lead to, and whether it is certain.

    ``partner[c]`` is the slot that c has just swallowed, or -1: its list counts too. ``form`` is that of `fill_square`.
    """
    k = lists.near.shape[1]
    found = np.empty(2 * k + 1, dtype=np.int32)
    value = np.empty(2 * k + 1)
    seen = np.full(lists.reach.size, -1, dtype=np.int32)  # by which cluster
    for c in slots:
        n_found = 0
        seen[c] = c
        for at in range(k if partner[c] < 0 else 2 * k):
            near = lists.near[c, at] if at < k else lists.near[partner[c], at - k]
            s = members.top[near] if near >= 0 else c
            if seen[s] != c:
                seen[s] = c
                same = s == near and max(members.node[c], members.node[s]) < known.bound[c]
                found[n_found] = s
                value[n_found] = known.value[c, at] if same else np.nan
                n_found += 1
        _fill_distances(c, found[:n_found], value[:n_found], members, form)
        if stopped():
            break
        n_found = _drop_far(found[:n_found], value[:n_found], lists.reach[c])
        if n_found > k:
            sort_near(found[:n_found], value[:n_found], members.node)
            lists.reach[c] = value[k]
            n_found = k
        found[n_found:] = -1
        value[n_found:] = np.inf
        lists.near[c] = found[:k]
        known.value[c] = value[:k]
        at = _nearest_of(found[:n_found], value[:n_found], members.node)
        lists.nearest[c] = found[at]
        lists.distance[c] = value[at]
        lists.sure[c] = value[at] < lists.reach[c]
        lists.tied[c] = False
        for other in range(n_found):
            lists.tied[c] |= other != at and value[other] == value[at]


@njit
def _drop_far(found: NDArray[np.int32], value: FloatArray, reach: float) -> int:
    """Keep only what is nearer than all that is not in the list, in order, and return how many. O(k)."""
    n_kept = 0
    for at in range(found.size):
        if value[at] < reach:
            found[n_kept] = found[at]
            value[n_kept] = value[at]
            n_kept += 1
    return n_kept


@njit
def _nearest_of(found: NDArray[np.int32], value: FloatArray, node: IntArray) -> int:
    """Return the place of the nearest cluster, the one with the lowest node where several are as near. O(k)."""
    nearest = 0
    for at in range(1, found.size):
        least = value[nearest]
        if value[at] < least or (value[at] == least and node[found[at]] < node[found[nearest]]):
            nearest = at
    return nearest


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
