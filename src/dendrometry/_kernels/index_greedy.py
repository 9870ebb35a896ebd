"""The greedy build of group average on sparse sums: products through an inverted index, short lists of near ones."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit
from dendrometry._kernels.merges import Merges

__all__ = ["Index", "Pool", "Scratch", "find_lists", "merge_nearest"]


class Index(NamedTuple):
    """The sums of the clusters that a stage began with, by cluster and by term (the inverted index).

    Of an entry of ``row_*`` the place is a term, of one of ``term_*`` a cluster.
    """

    row_start: IntArray
    row_place: NDArray[np.int32]
    row_value: FloatArray
    term_start: IntArray
    term_place: NDArray[np.int32]
    term_value: FloatArray


class Pool(NamedTuple):
    """Clusters in slots, in ascending order of node number, with room for those to come.

    ``square`` is the squared length of a cluster's sum, ``own`` the sum of its items' squared lengths. Its
    members among the clusters of the index are ``first[c]`` and on along ``following``; ``root`` leads back.
    ``near[c]`` are the nearest slots known, the lowest first where they tie, at ``distance[c]``; no other live one is
    nearer than ``reach[c]``.
    """

    size: FloatArray
    square: FloatArray
    own: FloatArray
    node: IntArray
    first: IntArray
    following: IntArray
    root: IntArray
    alive: BoolArray
    near: NDArray[np.int32]
    distance: FloatArray
    reach: FloatArray


class Scratch(NamedTuple):
    """Room for one question: a sum written out, its terms, and the products with all slots."""

    query: FloatArray
    marked: BoolArray
    term: IntArray
    product: FloatArray


@njit
def _write_out(c: int, index: Index, pool: Pool, scratch: Scratch) -> int:
    """Write the sum of cluster c out with its zeros, and return the number of its terms. O(entries of its members)."""
    count = 0
    s = pool.first[c]
    while s >= 0:
        for at in range(index.row_start[s], index.row_start[s + 1]):
            t = index.row_place[at]
            if not scratch.marked[t]:
                scratch.marked[t] = True
                scratch.term[count] = t
                count += 1
            scratch.query[t] += index.row_value[at]
        s = pool.following[s]
    return count


@njit
def _largest(n_terms: int, count: int, scratch: Scratch) -> int:
    """Move the terms of the ``n_terms`` largest weights to the front, and return how many there are. O(count)."""
    if count <= n_terms:
        return count
    weight = np.abs(scratch.query[scratch.term[:count]])
    least = np.partition(weight, count - n_terms)[count - n_terms]
    spare = n_terms - (weight > least).sum()
    kept = 0
    for i in range(count):
        if weight[i] > least or (weight[i] == least and spare > 0):
            spare -= weight[i] == least
            t = scratch.term[kept]
            scratch.term[kept] = scratch.term[i]
            scratch.term[i] = t
            kept += 1
    return kept


@njit
def _fill_products(c: int, index: Index, pool: Pool, n_terms: int, scratch: Scratch) -> tuple[float, float]:
    """Set the product of cluster c with every cluster, from the largest ``n_terms`` weights of its sum.

    Returns the squared length of the sum, and that of the weights left out. O(postings of the weights + n).
    """
    query, marked, term, product = scratch
    count = _write_out(c, index, pool, scratch)
    square = 0.0
    for i in range(count):
        square += query[term[i]] * query[term[i]]
    kept = _largest(n_terms, count, scratch)
    lost = 0.0
    for i in range(kept, count):
        lost += query[term[i]] * query[term[i]]
    product[:] = 0.0
    for i in range(kept):
        w = query[term[i]]
        for at in range(index.term_start[term[i]], index.term_start[term[i] + 1]):
            product[pool.root[index.term_place[at]]] += w * index.term_value[at]
    for i in range(count):
        query[term[i]] = 0.0
        marked[term[i]] = False
    return square, lost


@njit
def _fill_distances(c: int, n_slots: int, pool: Pool, top: float, product: FloatArray) -> None:
    """Turn the products of cluster c into distances; inf for dead slots and itself. O(n)."""
    for s in range(n_slots):
        if pool.alive[s] and s != c:
            m = pool.size[c] + pool.size[s]
            inside = (pool.square[c] + pool.square[s] + 2.0 * product[s]) - (pool.own[c] + pool.own[s])
            product[s] = top - inside / (m * (m - 1.0))
        else:
            product[s] = np.inf


@njit
def _set_list(c: int, n_slots: int, pool: Pool, value: FloatArray) -> None:
    """Keep the nearest slots of cluster c, by distance, then by slot. O(n) and more where many come closer."""
    near = pool.near[c]
    near[:] = -1
    pool.distance[c, :] = np.inf
    pool.reach[c] = np.inf
    for s in range(n_slots):
        if value[s] < pool.reach[c]:
            _insert(c, s, value[s], pool)


@njit
def _insert(c: int, s: int, value: float, pool: Pool) -> None:
    """Put slot s, higher than all in it, into the list of c; what falls out sets how far the list reaches. O(k)."""
    near = pool.near[c]
    distance = pool.distance[c]
    last = near.size - 1
    if near[last] >= 0:
        pool.reach[c] = min(pool.reach[c], max(value, distance[last]))
        if value >= distance[last]:
            return
    at = last
    while at > 0 and (near[at - 1] < 0 or distance[at - 1] > value):
        near[at] = near[at - 1]
        distance[at] = distance[at - 1]
        at -= 1
    near[at] = s
    distance[at] = value


@njit
def find_lists(slots: IntArray, index: Index, pool: Pool, top: float, n_terms: int, scratch: Scratch) -> None:
    """Set the lists of some clusters from their distances to all. O(postings + n) for each."""
    for c in slots:
        _fill_products(c, index, pool, n_terms, scratch)
        _fill_distances(c, pool.size.size, pool, top, scratch.product)
        _set_list(c, pool.size.size, pool, scratch.product)


@njit
def merge_nearest(
    n_slots: int, index: Index, pool: Pool, merges: Merges, options: tuple[int, float, int], scratch: Scratch
) -> tuple[float, float]:
    """Make merges until every row of ``merges`` is filled, each in a free slot from ``n_slots`` on.

    ``options`` are the node number of the first merge, the similarity at height 0, and the weights to keep. Heights are
    those of the merged clusters, whatever was left out in looking for them. Returns the squared lengths of all sums
    formed, and how much of it was left out. O(postings + n) for each merge and each question.
    """
    first, top, n_terms = options
    total = 0.0
    lost = 0.0
    for step in range(merges.left.size):
        i = _closest(index, pool, top, n_terms, scratch)
        j = pool.near[i, 0]
        least = pool.distance[i, 0]
        merges.left[step] = min(pool.node[i], pool.node[j])
        merges.right[step] = max(pool.node[i], pool.node[j])
        merges.tied[step] = _rivals(pool, least) > 2 or _second(pool, i) == least or _second(pool, j) == least
        m = n_slots + step
        _join(pool, i, j, m)
        pool.node[m] = first + step
        square, left_out = _fill_products(m, index, pool, n_terms, scratch)
        pool.square[m] = square
        total += square
        lost += left_out
        merges.height[step] = top - (square - pool.own[m]) / (pool.size[m] * (pool.size[m] - 1.0))
        pool.alive[m] = True
        _fill_distances(m, m, pool, top, scratch.product)
        _set_list(m, m, pool, scratch.product)
        for s in range(m):
            if scratch.product[s] < pool.reach[s]:
                _insert(s, m, scratch.product[s], pool)
    return total, lost


@njit
def _closest(index: Index, pool: Pool, top: float, n_terms: int, scratch: Scratch) -> int:
    """Return the first slot whose nearest cluster is the nearest of all, its list led by that one."""
    one = np.empty(1, dtype=np.int64)
    while True:
        best = np.inf
        c = -1
        for s in range(pool.size.size):
            if pool.alive[s]:
                _drop_dead(s, pool)
                key = pool.distance[s, 0] if pool.near[s, 0] >= 0 else pool.reach[s]
                if key < best or c < 0:
                    best = key
                    c = s
        if pool.near[c, 0] >= 0:
            return c
        one[0] = c
        find_lists(one, index, pool, top, n_terms, scratch)


@njit
def _drop_dead(c: int, pool: Pool) -> None:
    """Take clusters that are gone from the head of a list. O(k)."""
    near = pool.near[c]
    gone = 0
    while gone < near.size and near[gone] >= 0 and not pool.alive[near[gone]]:
        gone += 1
    if gone:
        distance = pool.distance[c]
        for at in range(near.size):
            inside = at + gone < near.size
            near[at] = near[at + gone] if inside else -1
            distance[at] = distance[at + gone] if inside else np.inf


@njit
def _second(pool: Pool, c: int) -> float:
    """Return the distance of the second live cluster in the list of c, inf if there is none. O(k)."""
    for at in range(1, pool.near.shape[1]):
        s = pool.near[c, at]
        if s >= 0 and pool.alive[s]:
            return float(pool.distance[c, at])
    return np.inf


@njit
def _rivals(pool: Pool, least: float) -> int:
    """Return how many clusters have their nearest one at the least distance."""
    count = 0
    for s in range(pool.size.size):
        if pool.alive[s] and pool.near[s, 0] >= 0 and pool.distance[s, 0] == least:
            count += 1
    return count


@njit
def _join(pool: Pool, i: int, j: int, m: int) -> None:
    """Make slot m the union of slots i and j, which die. O(members)."""
    pool.size[m] = pool.size[i] + pool.size[j]
    pool.own[m] = pool.own[i] + pool.own[j]
    pool.alive[i] = False
    pool.alive[j] = False
    pool.first[m] = pool.first[i]
    last = pool.first[i]
    while pool.following[last] >= 0:
        last = pool.following[last]
    pool.following[last] = pool.first[j]
    s = pool.first[m]
    while s >= 0:
        pool.root[s] = m
        s = pool.following[s]
