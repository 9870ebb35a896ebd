"""The greedy build on centroids: merge the nearest pair, compare the new cluster with all others, go on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import Tiles, fill_squared
from dendrometry._kernels.cluster.merges import Merges, next_alive
from dendrometry._typing import BoolArray, FloatArray, IntArray

FORMS = ("ward", "average", "group_average", "centroid", "median")
WARD, AVERAGE, _GROUP, _CENTROID, _MEDIAN = range(5)
_BLOCK = 64  # distances that are looked at one by one only if the least of them is near enough


class Pool(NamedTuple):
    """Clusters in slots, in ascending order of their node numbers, with room for those to come.

    ``tiles`` are the centroids, that of a dead slot infinitely far away; ``scatter`` is the sum of squared distances
    from it, ``own`` the sum of what every item adds by itself. Every pair is kept by its higher slot alone:
    ``nearest`` is the nearest of the slots below, at ``distance``, of several the lowest; if it is gone, the distance
    is a lower bound, and no lower slot is as near. ``tied`` says that another was as near. The distance is inf for slot
    0, which has none below, and for dead slots. ``after`` leads from a dead slot to the next live one: see
    `next_alive`. ``near`` and ``away`` are the first slots below, by distance and then by slot, that were alive at the
    last search, and -1 and inf where there are fewer. No slot below ever comes to life or moves, so those that live are
    still the first. Any other slot below is at least ``reach`` away: inf if there was none.
    """

    tiles: Tiles
    size: FloatArray
    scatter: FloatArray
    own: FloatArray
    node: IntArray
    nearest: IntArray
    distance: FloatArray
    tied: BoolArray
    alive: BoolArray
    after: IntArray
    near: NDArray[np.int32]
    away: FloatArray
    reach: FloatArray


@njit
def _fill_distances(c: int, pool: Pool, form: int, alpha: float, out: FloatArray) -> None:
    """Set ``out[s]`` to the distance of slot c from every live slot below, and to inf for dead ones. O(n d)."""
    width = pool.tiles.points.shape[2]
    query = np.empty(pool.tiles.points.shape[1])
    query[:] = pool.tiles.points[c // width, :, c % width]
    for t in range((c + width - 1) // width):
        fill_squared(query, pool.tiles, t, out[t * width : (t + 1) * width])
    _from_squared(c, pool, form, alpha, out)


@njit
def _from_squared(c: int, pool: Pool, form: int, alpha: float, out: FloatArray) -> None:
    """Turn squared distances of centroids into distances of clusters; centroid and median leave them. O(n)."""
    size = pool.size
    n = size[c]
    if form == WARD:
        for s in range(c):
            out[s] = 2.0 * np.divide(n * size[s], n + size[s]) * out[s]  # several at a time, as nothing is raised
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
    """Let the lowest slot of the least value be the nearest of slot c, and keep those after it. O(n)."""
    near = pool.near[c]
    away = pool.away[c]
    near[:] = -1
    away[:] = np.inf
    last = away.size - 1
    bits = values.view(np.int64)
    away_bits = away.view(np.int64)
    for start in range(0, c, _BLOCK):
        stop = min(start + _BLOCK, c)
        if _least(bits[start:stop]) >= away_bits[last]:
            continue
        for s in range(start, stop):
            if values[s] < away[last]:
                at = last
                while at > 0 and values[s] < away[at - 1]:
                    near[at] = near[at - 1]
                    away[at] = away[at - 1]
                    at -= 1
                near[at] = s
                away[at] = values[s]
    pool.reach[c] = away[last]
    pool.nearest[c] = near[0]
    pool.distance[c] = away[0]
    pool.tied[c] = away[1] == away[0] and near[1] >= 0


@njit
def _least(bits: IntArray) -> int:
    """Return the bits of the least of some distances: integers, which are compared several at a time. O(n).

    Of numbers that are not negative, the least has the least bits.
    """
    least: int = bits[0]
    for x in bits:
        least = x if x < least else least
    return least


@njit
def _renew(c: int, pool: Pool, form: int, alpha: float) -> int:
    """Set the nearest of slot c again, from those kept if they tell, and return how often all were searched. O(n d)."""
    first = -1
    second = -1
    for at in range(pool.near.shape[1]):
        if pool.near[c, at] >= 0 and pool.alive[pool.near[c, at]]:
            if first >= 0:
                second = at
                break
            first = at
    if first >= 0 and (second >= 0 or pool.away[c, first] < pool.reach[c]):
        pool.nearest[c] = pool.near[c, first]
        pool.distance[c] = pool.away[c, first]
        pool.tied[c] = second >= 0 and pool.away[c, second] == pool.away[c, first]
        return 0
    find_nearest(np.array([c]), pool, form, alpha)
    return 1


@njit
def find_nearest(slots: IntArray, pool: Pool, form: int, alpha: float) -> None:
    """Set the nearest cluster below some slots, the lowest slot where several are as near. O(m n d)."""
    values = np.empty(pool.tiles.points.shape[0] * pool.tiles.points.shape[2])
    for c in slots:
        _fill_distances(c, pool, form, alpha, values)
        _set_nearest(c, pool, values)
        if stopped():
            break


@njit
def merge_nearest(n_slots: int, pool: Pool, merges: Merges, first: int, form: int, alpha: float) -> int:
    """Make merges until every row of ``merges`` is filled; ``first`` is the node number of the first of them.

    Needs a free slot for each. A cluster whose nearest one is gone is asked again only when the nearest pair that it
    may still have is the first of all. Returns how many were searched for among all. O(n d) for each merge and search.
    """
    n_searches = 0
    one = np.empty(1, dtype=np.int64)
    for step in range(merges.left.size):
        m = n_slots + step
        c = _closest(m, pool)
        while not pool.alive[pool.nearest[c]]:
            if stopped():
                return n_searches
            n_searches += _renew(c, pool, form, alpha)
            c = _closest(m, pool)
        if stopped():
            break
        merges.tied[step], more = _is_tied(m, c, pool, form, alpha)
        n_searches += more
        b = pool.nearest[c]
        merges.left[step] = pool.node[b]
        merges.right[step] = pool.node[c]
        merges.height[step] = pool.distance[c]
        _join(pool, b, c, m, form)
        pool.node[m] = first + step
        pool.alive[m] = True
        one[0] = m
        find_nearest(one, pool, form, alpha)
    return n_searches


@njit
def _closest(n_slots: int, pool: Pool) -> int:
    """Return the slot that keeps the nearest pair of all, of equal ones the lowest, or else one to be asked. O(n)."""
    bits = pool.distance.view(np.int64)
    least = _least(bits[:n_slots])
    c = 0
    lowest = pool.after.size
    for s in range(n_slots):
        if bits[s] == least:
            b = next_alive(pool.after, pool.nearest[s])
            if b < lowest:
                lowest = b
                c = s
    return c


@njit
def _is_tied(n_slots: int, c: int, pool: Pool, form: int, alpha: float) -> tuple[bool, int]:
    """Return whether another pair of live clusters is as near as slot c and its nearest, and how many were searched.

    O(n) if a cluster is known to have such a pair, O(n d) for each search. What a search finds is kept, so that it
    need not be made later.
    """
    least = pool.distance[c]
    for s in range(n_slots):
        if s != c and pool.distance[s] == least and pool.alive[pool.nearest[s]]:
            return True, 0
    n_searches = 0
    if pool.tied[c]:  # of those that tied, some may be gone
        n_searches += _renew(c, pool, form, alpha)
    for s in range(n_slots):
        if pool.tied[c] or stopped():
            return True, n_searches
        if s != c and pool.distance[s] == least:
            n_searches += _renew(s, pool, form, alpha)
            if pool.distance[s] == least:
                return True, n_searches
    return False, n_searches


@njit
def _join(pool: Pool, i: int, j: int, m: int, form: int) -> None:
    """Make slot m the union of slots i and j, which die."""
    points, used = pool.tiles
    width = points.shape[2]
    n_i = pool.size[i]
    n_j = pool.size[j]
    n = n_i + n_j
    share = 0.5 if form == _MEDIAN else n_j / n
    delta = 0.0
    for k in range(points.shape[1]):
        x = points[i // width, k, i % width]
        y = points[j // width, k, j % width]
        delta += (x - y) * (x - y)
        mean = x + share * (y - x)
        points[m // width, k, m % width] = mean
        if mean != 0.0 and k // 4 < used.shape[1]:
            used[m // width, k // 4] = True
    for s in (i, j):
        points[s // width, 0, s % width] = np.inf
        used[s // width, :1] = True
    pool.size[m] = n
    pool.scatter[m] = (pool.scatter[i] + pool.scatter[j]) + n_i * n_j / n * delta
    pool.own[m] = pool.own[i] + pool.own[j]
    pool.alive[i] = False
    pool.alive[j] = False
    pool.distance[i] = np.inf
    pool.distance[j] = np.inf
    pool.after[i] = i + 1
    pool.after[j] = j + 1
