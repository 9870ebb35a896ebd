"""The greedy build of group average on sparse sums: products through an inverted index, short lists of near ones."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.merges import Merges, next_alive
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Index(NamedTuple):
    """The sums of the clusters that a stage began with, by cluster and by term (the inverted index).

    Of an entry of ``row_*`` the place is a term, of one of ``term_*`` a cluster. By term, only the largest weights of
    every sum may be there.
    """

    row_start: IntArray
    row_place: NDArray[np.int32]
    row_value: FloatArray
    term_start: IntArray
    term_place: NDArray[np.uint32]
    term_value: FloatArray


class Pool(NamedTuple):
    """Clusters in slots, in ascending order of node number, with room for those to come.

    ``square`` is the squared length of a cluster's sum, ``own`` the sum of its items' squared lengths. Its
    members among the clusters of the index are ``first[c]`` and on along ``following``; ``root`` leads back.

    Every pair is kept by its higher slot alone: ``near[c]`` are the nearest of the slots below c when c was last asked,
    the lowest first where they tie, at ``distance[c]``, and no other below c is nearer than ``reach[c]``. The first of
    them that still lives is ``best[c]`` at ``key[c]``; where none does, it is -1 and the key is the reach. Dead slots
    have the key inf, and ``after`` leads from them to the next live one: see `next_alive`.
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
    best: IntArray
    key: FloatArray
    after: IntArray


class Scratch(NamedTuple):
    """Room for one question: a sum written out, its terms, its products with the index, its distances to all slots."""

    query: FloatArray
    marked: BoolArray
    term: IntArray
    product: FloatArray
    value: FloatArray


@njit
def _least_kept(weight: FloatArray, n_terms: int) -> tuple[float, int]:
    """Return the least of the ``n_terms`` largest weights, and how many equal to it are among them. O(n)."""
    least = np.partition(weight, weight.size - n_terms)[weight.size - n_terms]
    return least, n_terms - int((weight > least).sum())


@njit
def keep_largest(row_start: IntArray, row_value: FloatArray, n_terms: int) -> BoolArray:
    """Return which entries are among the ``n_terms`` largest weights of their row, of equal ones the first. O(nnz)."""
    kept = np.ones(row_value.size, dtype=np.bool_)
    for c in range(row_start.size - 1):
        if row_start[c + 1] - row_start[c] > n_terms:
            weight = np.abs(row_value[row_start[c] : row_start[c + 1]])
            least, spare = _least_kept(weight, n_terms)
            for i in range(weight.size):
                kept[row_start[c] + i] = weight[i] > least or (weight[i] == least and spare > 0)
                spare -= weight[i] == least
    return kept


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
    least, spare = _least_kept(weight, n_terms)
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
def _add_postings(t: int, weight: float, index: Index, product: FloatArray) -> None:
    """Add what one term brings to the products with the first clusters of the index. O(postings)."""
    place = index.term_place[index.term_start[t] : index.term_start[t + 1]]
    value = index.term_value[index.term_start[t] : index.term_start[t + 1]]
    size = np.searchsorted(place, product.size) if product.size < index.row_start.size - 1 else place.size
    for at in range(size):
        product[place[at]] += weight * value[at]


@njit
def _fill_products(c: int, index: Index, pool: Pool, n_terms: int, scratch: Scratch) -> tuple[float, float]:
    """Set ``value`` to the product of cluster c with every slot below, from the largest ``n_terms`` weights of its sum.

    Returns the squared length of the sum, and that of the weights left out. O(postings of the weights + n).
    """
    query, marked, term, _, value = scratch
    count = _write_out(c, index, pool, scratch)
    square = 0.0
    for i in range(count):
        square += query[term[i]] * query[term[i]]
    kept = _largest(n_terms, count, scratch)
    lost = 0.0
    for i in range(kept, count):
        lost += query[term[i]] * query[term[i]]
    product = scratch.product[:c]  # all of the index if c is above: then any of it may belong to a slot below
    product[:] = 0.0
    for i in range(kept):
        _add_postings(term[i], query[term[i]], index, product)
    for i in range(count):
        query[term[i]] = 0.0
        marked[term[i]] = False
    value[:c] = 0.0
    for s in range(product.size):
        if pool.root[s] < c:
            value[pool.root[s]] += product[s]
    return square, lost


@njit
def _fill_distances(c: int, pool: Pool, top: float, value: FloatArray) -> None:
    """Turn the products of cluster c with the slots below into distances; inf for dead ones. O(n)."""
    size, square, own = pool.size, pool.square, pool.own
    for s in range(c):
        if pool.alive[s]:
            m = size[c] + size[s]
            inside = (square[c] + square[s] + 2.0 * value[s]) - (own[c] + own[s])
            value[s] = top - inside / (m * (m - 1.0))
        else:
            value[s] = np.inf


@njit
def _set_list(c: int, pool: Pool, value: FloatArray) -> None:
    """Keep the nearest slots below c, by distance, then by slot. O(n) and more where many come closer."""
    near, distance = pool.near[c], pool.distance[c]
    near[:] = -1
    distance[:] = np.inf
    last = near.size - 1
    reach = np.inf
    for s in range(c):
        if value[s] < reach:
            if near[last] >= 0:
                reach = max(value[s], distance[last])
            if value[s] < distance[last]:
                at = last
                while at > 0 and distance[at - 1] > value[s]:
                    near[at] = near[at - 1]
                    distance[at] = distance[at - 1]
                    at -= 1
                near[at] = s
                distance[at] = value[s]
    pool.reach[c] = reach
    _set_best(c, pool)


@njit
def _set_best(c: int, pool: Pool) -> None:
    """Let the first live cluster of its list be the best of c. O(k)."""
    pool.best[c] = -1
    pool.key[c] = pool.reach[c]
    for at in range(pool.near.shape[1]):
        s = pool.near[c, at]
        if s >= 0 and pool.alive[s]:
            pool.best[c] = s
            pool.key[c] = pool.distance[c, at]
            return


@njit
def find_lists(slots: IntArray, index: Index, pool: Pool, top: float, n_terms: int, scratch: Scratch) -> None:
    """Set the lists of some clusters from their distances to all slots below. O(postings + n) for each."""
    for c in slots:
        _fill_products(c, index, pool, n_terms, scratch)
        _fill_distances(c, pool, top, scratch.value)
        _set_list(c, pool, scratch.value)
        if stopped():
            break


@njit
def fill_matrix(rows: IntArray, index: Index, matrix: FloatArray) -> None:
    """Add the products of some clusters of the index with all of them to rows of zeros. O(postings)."""
    n = index.row_start.size - 1
    for c in rows:
        for at in range(index.row_start[c], index.row_start[c + 1]):
            _add_postings(index.row_place[at], index.row_value[at], index, matrix[c * n : c * n + n])
        if stopped():
            break


@njit
def merge_nearest(
    n_slots: int, index: Index, pool: Pool, merges: Merges, options: tuple[int, float, int], scratch: Scratch
) -> tuple[float, float, int]:
    """Make merges until every row of ``merges`` is filled, each in a free slot from ``n_slots`` on.

    ``options`` are the node number of the first merge, the similarity at height 0, and the weights to keep. Heights are
    those of the merged clusters, whatever was left out in looking for them. Returns the squared lengths of all sums
    formed, how much of it was left out, and how often a list was used up. O(postings + n) for each merge and each
    question.
    """
    first, top, n_terms = options
    total = 0.0
    lost = 0.0
    n_searches = 0
    one = np.empty(1, dtype=np.int64)
    for step in range(merges.left.size):
        m = n_slots + step
        c = _closest(m, pool)
        while pool.best[c] < 0:
            if stopped():
                return total, lost, n_searches
            n_searches += 1
            one[0] = c
            find_lists(one, index, pool, top, n_terms, scratch)
            c = _closest(m, pool)
        if stopped():
            break
        merges.tied[step], more = _is_tied(m, c, index, pool, (top, n_terms), scratch)
        n_searches += more
        b = pool.best[c]
        merges.left[step] = pool.node[b]
        merges.right[step] = pool.node[c]
        _join(pool, b, c, m)
        pool.node[m] = first + step
        square, left_out = _fill_products(m, index, pool, n_terms, scratch)
        pool.square[m] = square
        total += square
        lost += left_out
        merges.height[step] = top - (square - pool.own[m]) / (pool.size[m] * (pool.size[m] - 1.0))
        pool.alive[m] = True
        _fill_distances(m, pool, top, scratch.value)
        _set_list(m, pool, scratch.value)
        for s in range(m):
            if pool.best[s] == b or pool.best[s] == c:
                _set_best(s, pool)
    return total, lost, n_searches


@njit
def _closest(n_slots: int, pool: Pool) -> int:
    """Return the slot that keeps the nearest pair of all, of equal ones the lowest, or else one to be asked. O(n)."""
    least = np.inf
    for s in range(n_slots):
        least = min(least, pool.key[s])
    c = 0
    lowest = pool.after.size
    for s in range(n_slots):
        if pool.key[s] == least:
            b = _first_place(pool, s)
            if b < lowest:
                lowest = b
                c = s
    return c


@njit
def _first_place(pool: Pool, c: int) -> int:
    """Return the best of c; if all of its list are gone, the lowest slot that may be as near as its reach. O(1)."""
    if pool.best[c] >= 0:
        return int(pool.best[c])
    last = pool.near.shape[1] - 1
    beyond = pool.near[c, last] >= 0 and pool.distance[c, last] == pool.reach[c]
    return next_alive(pool.after, pool.near[c, last] if beyond else 0)


@njit
def _is_tied(
    n_slots: int, c: int, index: Index, pool: Pool, options: tuple[float, int], scratch: Scratch
) -> tuple[bool, int]:
    """Return whether another pair of clusters is as near as slot c and its best, and how often that was asked.

    ``options`` are the similarity at height 0, and the weights to keep. O(n), and O(postings + n) for each question.
    """
    top, n_terms = options
    least = pool.key[c]
    for s in range(n_slots):
        if s != c and pool.key[s] == least and pool.best[s] >= 0:
            return True, 0
    n_searches = 0
    one = np.array([c])
    if _second(pool, c) > least and pool.reach[c] == least:
        n_searches += 1
        find_lists(one, index, pool, top, n_terms, scratch)
    for s in range(n_slots):
        if _second(pool, c) == least or stopped():
            return True, n_searches
        if s != c and pool.key[s] == least:
            n_searches += 1
            one[0] = s
            find_lists(one, index, pool, top, n_terms, scratch)
            if pool.key[s] == least:
                return True, n_searches
    return False, n_searches


@njit
def _second(pool: Pool, c: int) -> float:
    """Return the distance of the second live cluster in the list of c, inf if there is none. O(k)."""
    for at in range(pool.near.shape[1]):
        s = pool.near[c, at]
        if s >= 0 and s != pool.best[c] and pool.alive[s]:
            return float(pool.distance[c, at])
    return np.inf


@njit
def _join(pool: Pool, i: int, j: int, m: int) -> None:
    """Make slot m the union of slots i and j, which die. O(members)."""
    pool.size[m] = pool.size[i] + pool.size[j]
    pool.own[m] = pool.own[i] + pool.own[j]
    for c in (i, j):
        pool.alive[c] = False
        pool.best[c] = -1
        pool.key[c] = np.inf
        pool.after[c] = c + 1
    pool.first[m] = pool.first[i]
    last = pool.first[i]
    while pool.following[last] >= 0:
        last = pool.following[last]
    pool.following[last] = pool.first[j]
    s = pool.first[m]
    while s >= 0:
        pool.root[s] = m
        s = pool.following[s]
