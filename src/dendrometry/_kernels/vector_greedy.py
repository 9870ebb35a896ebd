"""The greedy build on centroids: merge the nearest pair, compare the new cluster with all others, go on."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit
from dendrometry._kernels.differences import fill_squared

__all__ = ["AVERAGE", "CENTROID", "GROUP", "MEDIAN", "WARD", "Merges", "Pool", "find_nearest", "merge_nearest"]

WARD, AVERAGE, GROUP, CENTROID, MEDIAN = range(5)


class Pool(NamedTuple):
    """Clusters in slots, in ascending order of their node numbers, with room for those to come.

    ``tiles[t, :, j]`` is the centroid of slot ``t * T + j``; ``scatter`` the sum of squared distances from it,
    ``own`` the sum of what every item adds by itself. ``distance`` is that of ``nearest``, or a lower bound if
    ``nearest`` is gone; inf marks a dead slot.
    """

    tiles: FloatArray
    size: FloatArray
    scatter: FloatArray
    own: FloatArray
    node: IntArray
    nearest: IntArray
    distance: FloatArray
    tied: BoolArray
    alive: BoolArray


class Merges(NamedTuple):
    """The columns that are filled merge by merge."""

    left: IntArray
    right: IntArray
    height: FloatArray
    tied: BoolArray


@njit
def _value(form: int, alpha: float, delta: float, pool: Pool, a: int, b: int) -> float:
    """Return the distance of two clusters whose centroids are ``delta`` apart (squared). O(1)."""
    n_a = pool.size[a]
    n_b = pool.size[b]
    n = n_a + n_b
    if form == WARD:
        return float(2.0 * (n_a * n_b / n) * delta)
    if form == AVERAGE:
        own = pool.own[a] / n_a + pool.own[b] / n_b
        return float(alpha * (delta + (pool.scatter[a] / n_a + pool.scatter[b] / n_b)) + own)
    if form == GROUP:
        scatter = (pool.scatter[a] + pool.scatter[b]) + n_a * n_b / n * delta
        return float(2.0 * (alpha * scatter / (n - 1.0) + (pool.own[a] + pool.own[b]) / n))
    return delta


@njit
def find_nearest(slots: IntArray, n_slots: int, pool: Pool, form: int, alpha: float) -> None:
    """Set the nearest cluster of some slots, the lowest slot where several are as near. O(m n d)."""
    width = pool.tiles.shape[2]
    delta = np.empty(width)
    query = np.empty(pool.tiles.shape[1])
    for c in slots:
        query[:] = pool.tiles[c // width, :, c % width]
        pool.distance[c] = np.inf
        for t in range((n_slots + width - 1) // width):
            fill_squared(query, pool.tiles[t], delta)
            for j in range(min(width, n_slots - t * width)):
                s = t * width + j
                if pool.alive[s] and s != c:
                    _note(pool, c, s, _value(form, alpha, delta[j], pool, c, s))


@njit
def merge_nearest(n_slots: int, pool: Pool, merges: Merges, first: int, form: int, alpha: float) -> None:
    """Make merges until every row of ``merges`` is filled; ``first`` is the node number of the first of them.

    Needs a free slot for each. A cluster whose nearest one is gone is asked again only when its lower bound is
    the least of all. O(n d) for each merge and each question.
    """
    width = pool.tiles.shape[2]
    delta = np.empty(width)
    centroid = np.empty(pool.tiles.shape[1])
    for step in range(merges.left.size):
        i = _closest(n_slots, pool, form, alpha)
        j = pool.nearest[i]
        least = pool.distance[i]
        merges.left[step] = min(pool.node[i], pool.node[j])
        merges.right[step] = max(pool.node[i], pool.node[j])
        merges.height[step] = least
        merges.tied[step] = pool.tied[i] or pool.tied[j] or _rivals(n_slots, pool, least) > 2
        m = n_slots
        n_slots += 1
        _join(pool, i, j, m, form)
        pool.node[m] = first + step
        centroid[:] = pool.tiles[m // width, :, m % width]
        pool.distance[m] = np.inf
        for t in range((m + width - 1) // width):
            fill_squared(centroid, pool.tiles[t], delta)
            for k in range(min(width, m - t * width)):
                if pool.alive[t * width + k]:
                    value = _value(form, alpha, delta[k], pool, m, t * width + k)
                    _note(pool, m, t * width + k, value)
                    _note(pool, t * width + k, m, value)
        pool.alive[m] = True


@njit
def _note(pool: Pool, c: int, s: int, value: float) -> None:
    """Let slot s be the nearest of slot c if it is nearer than the one so far."""
    if value < pool.distance[c]:
        pool.distance[c] = value
        pool.nearest[c] = s
        pool.tied[c] = False
    elif value == pool.distance[c]:
        pool.tied[c] = True


@njit
def _closest(n_slots: int, pool: Pool, form: int, alpha: float) -> int:
    """Return the first slot whose nearest cluster is the nearest of all, asking again where that one is gone."""
    one = np.empty(1, dtype=np.int64)
    while True:
        c = 0
        for s in range(n_slots):
            if pool.distance[s] < pool.distance[c]:
                c = s
        if pool.alive[pool.nearest[c]]:
            return c
        one[0] = c
        find_nearest(one, n_slots, pool, form, alpha)


@njit
def _rivals(n_slots: int, pool: Pool, least: float) -> int:
    """Return how many clusters have their nearest one at the least distance."""
    count = 0
    for s in range(n_slots):
        if pool.distance[s] == least:
            count += 1
    return count


@njit
def _join(pool: Pool, i: int, j: int, m: int, form: int) -> None:
    """Make slot m the union of slots i and j, which die."""
    width = pool.tiles.shape[2]
    n_i = pool.size[i]
    n_j = pool.size[j]
    n = n_i + n_j
    share = 0.5 if form == MEDIAN else n_j / n
    delta = 0.0
    for k in range(pool.tiles.shape[1]):
        x = pool.tiles[i // width, k, i % width]
        y = pool.tiles[j // width, k, j % width]
        delta += (x - y) * (x - y)
        pool.tiles[m // width, k, m % width] = x + share * (y - x)
    pool.size[m] = n
    pool.scatter[m] = (pool.scatter[i] + pool.scatter[j]) + n_i * n_j / n * delta
    pool.own[m] = pool.own[i] + pool.own[j]
    pool.alive[i] = False
    pool.alive[j] = False
    pool.distance[i] = np.inf
    pool.distance[j] = np.inf
