"""The greedy build on centroids: merge the nearest pair, compare the new cluster with all others, go on."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit, stopped
from dendrometry._kernels.cluster.agglomerative.merges import Merges
from dendrometry._kernels.cluster.distances.differences import fill_squared

__all__ = ["AVERAGE", "FORMS", "WARD", "Pool", "find_nearest", "merge_nearest"]

FORMS = ("ward", "average", "group_average", "centroid", "median")
WARD, AVERAGE, _GROUP, _CENTROID, _MEDIAN = range(5)


class Pool(NamedTuple):
    """Clusters in slots, in ascending order of their node numbers, with room for those to come.

    ``tiles[t, :, j]`` is the centroid of slot ``t * T + j``; ``scatter`` the sum of squared distances from it,
    ``own`` the sum of what every item adds by itself. Every pair is kept by its higher slot alone: ``nearest`` is the
    nearest of the slots below, at ``distance``, or that is a lower bound if ``nearest`` is gone; ``tied`` says that
    another was as near. The distance is inf for slot 0, which has none below, and for dead slots.
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


@njit
def _fill_distances(c: int, pool: Pool, form: int, alpha: float, out: FloatArray) -> None:
    """Set ``out[s]`` to the distance of slot c from every live slot below, and to inf for dead ones. O(n d)."""
    width = pool.tiles.shape[2]
    query = np.empty(pool.tiles.shape[1])
    query[:] = pool.tiles[c // width, :, c % width]
    for t in range((c + width - 1) // width):
        fill_squared(query, pool.tiles[t], out[t * width : (t + 1) * width])
    _from_squared(c, pool, form, alpha, out)
    for s in range(c):
        if not pool.alive[s]:
            out[s] = np.inf


@njit
def _from_squared(c: int, pool: Pool, form: int, alpha: float, out: FloatArray) -> None:
    """Turn squared distances of centroids into distances of clusters; centroid and median leave them. O(n)."""
    size = pool.size
    n = size[c]
    if form == WARD:
        for s in range(c):
            out[s] = 2.0 * (n * size[s] / (n + size[s])) * out[s]
    elif form == AVERAGE:
        mean = pool.scatter[c] / n
        own = pool.own[c] / n
        for s in range(c):
            out[s] = alpha * (out[s] + (mean + pool.scatter[s] / size[s])) + (own + pool.own[s] / size[s])
    elif form == _GROUP:
        for s in range(c):
            m = n + size[s]
            scatter = (pool.scatter[c] + pool.scatter[s]) + n * size[s] / m * out[s]
            out[s] = 2.0 * (alpha * scatter / (m - 1.0) + (pool.own[c] + pool.own[s]) / m)
    elif form not in (_CENTROID, _MEDIAN):
        raise ValueError("the form must be one that centroids give; got an unknown code")


@njit
def _set_nearest(c: int, pool: Pool, values: FloatArray) -> None:
    """Let the lowest slot of the least value be the nearest of slot c. O(n)."""
    best = np.inf
    at = -1
    tied = False
    for s in range(c):
        if values[s] <= best and values[s] < np.inf:
            tied = values[s] == best
            if not tied:
                best = values[s]
                at = s
    pool.nearest[c] = at
    pool.distance[c] = best
    pool.tied[c] = tied


@njit
def find_nearest(slots: IntArray, pool: Pool, form: int, alpha: float) -> None:
    """Set the nearest cluster below some slots, the lowest slot where several are as near. O(m n d)."""
    values = np.empty(pool.tiles.shape[0] * pool.tiles.shape[2])
    for c in slots:
        _fill_distances(c, pool, form, alpha, values)
        _set_nearest(c, pool, values)
        if stopped():
            break


@njit
def merge_nearest(n_slots: int, pool: Pool, merges: Merges, first: int, form: int, alpha: float) -> None:
    """Make merges until every row of ``merges`` is filled; ``first`` is the node number of the first of them.

    Needs a free slot for each. A cluster whose nearest one is gone is asked again only when its lower bound is
    the least of all. O(n d) for each merge and each question.
    """
    one = np.empty(1, dtype=np.int64)
    for step in range(merges.left.size):
        m = n_slots + step
        c = _closest(m, pool)
        asked = False
        while not pool.alive[pool.nearest[c]] or (pool.tied[c] and not asked):  # of those that tied, some may be gone
            if stopped():
                return
            asked = pool.alive[pool.nearest[c]]
            one[0] = c
            find_nearest(one, pool, form, alpha)
            c = _closest(m, pool)
        if stopped():
            break
        b = pool.nearest[c]
        merges.left[step] = pool.node[b]
        merges.right[step] = pool.node[c]
        merges.height[step] = pool.distance[c]
        merges.tied[step] = pool.tied[c] or _rivals(m, pool, pool.distance[c]) > 1
        _join(pool, b, c, m, form)
        pool.node[m] = first + step
        pool.alive[m] = True
        one[0] = m
        find_nearest(one, pool, form, alpha)


@njit
def _closest(n_slots: int, pool: Pool) -> int:
    """Return the slot that keeps the nearest pair of all, of equal ones the lowest, or else one to be asked. O(n)."""
    distance, nearest, alive = pool.distance, pool.nearest, pool.alive
    c = 0
    for s in range(n_slots):
        if distance[s] < distance[c]:
            c = s
        elif distance[s] == distance[c] and nearest[c] >= 0 and alive[nearest[c]]:
            if not alive[nearest[s]] or nearest[s] < nearest[c]:
                c = s
    return c


@njit
def _rivals(n_slots: int, pool: Pool, least: float) -> int:
    """Return how many clusters keep a pair at the least distance. O(n)."""
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
    share = 0.5 if form == _MEDIAN else n_j / n
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
