"""The greedy build of group average on a square matrix of products: those of a union are the sum of two rows."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.merges import Merges, next_alive
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Products(NamedTuple):
    """Clusters in slots, with the square matrix of the products of their sums as one flat array, row after row.

    ``square`` is the squared length of a cluster's sum, ``own`` the sum of its items' squared lengths. Every pair is
    kept by its younger cluster alone, the one of higher ``number``: ``nearest`` is the nearest of the older ones, at
    ``distance``, of several the oldest, whose number is ``oldest``. If it is gone (-1), the distance is a lower bound,
    and none that is older was as near; ``tied`` says that another was as near. The distance is inf if there are no
    older ones, and for dead slots. ``after`` leads from the number of a dead cluster onwards: see `next_alive`.
    """

    matrix: FloatArray
    size: FloatArray
    square: FloatArray
    own: FloatArray
    number: IntArray
    nearest: IntArray
    oldest: IntArray
    distance: FloatArray
    tied: BoolArray
    alive: BoolArray
    after: IntArray


@njit
def find_nearest(slots: IntArray, products: Products, top: float) -> None:
    """Set the nearest older cluster of some slots, of several the oldest. O(n) for each."""
    n = products.size.size
    size, square, own, number = products.size, products.square, products.own, products.number
    for c in slots:
        row = products.matrix[c * n : c * n + n]
        best = np.inf
        at = -1
        tied = False
        for s in range(n):
            if number[s] < number[c] and products.alive[s]:
                m = size[c] + size[s]
                inside = (square[c] + square[s] + 2.0 * row[s]) - (own[c] + own[s])
                value = top - inside / (m * (m - 1.0))
                if value < best:
                    best = value
                    at = s
                    tied = False
                elif value == best:
                    tied = True
                    if number[s] < number[at]:
                        at = s
        products.nearest[c] = at
        products.oldest[c] = number[at] if at >= 0 else -1
        products.distance[c] = best
        products.tied[c] = tied
        if stopped():
            break


@njit
def merge_nearest(products: Products, merges: Merges, first: int, top: float) -> int:
    """Make merges until every row of ``merges`` is filled; ``first`` is the number of the first of them.

    Parts are written by their numbers. A cluster whose nearest one is gone is asked again only when the nearest pair
    that it may still have is the first of all. Returns how many were asked. O(n) for each merge and each question.
    """
    n_searches = 0
    nearest = products.nearest
    one = np.empty(1, dtype=np.int64)
    for step in range(merges.left.size):
        c = _closest(products)
        while nearest[c] < 0:
            if stopped():
                return n_searches
            n_searches += 1
            one[0] = c
            find_nearest(one, products, top)
            c = _closest(products)
        if stopped():
            break
        merges.tied[step], more = _is_tied(products, c, top)
        n_searches += more
        b = nearest[c]
        merges.left[step] = products.number[b]
        merges.right[step] = products.number[c]
        merges.height[step] = products.distance[c]
        _join(products, b, c)
        products.number[c] = first + step
        one[0] = c
        find_nearest(one, products, top)
        for s in range(nearest.size):
            if s != c and (nearest[s] == b or nearest[s] == c):
                nearest[s] = -1
    return n_searches


@njit
def _join(products: Products, b: int, c: int) -> None:
    """Let slot c hold the union of slots b and c, of which b dies. O(n)."""
    n = products.size.size
    matrix = products.matrix
    products.square[c] += products.square[b] + 2.0 * matrix[c * n + b]
    products.size[c] += products.size[b]
    products.own[c] += products.own[b]
    products.alive[b] = False
    products.distance[b] = np.inf
    for s in (b, c):
        products.after[products.number[s]] = products.number[s] + 1
    for s in range(n):
        total = matrix[c * n + s] + matrix[b * n + s]
        matrix[c * n + s] = total
        matrix[s * n + c] = total


@njit
def _closest(products: Products) -> int:
    """Return the slot that keeps the nearest pair of all, of equal ones the oldest, or else one to be asked. O(n)."""
    least = np.inf
    for s in range(products.distance.size):
        least = min(least, products.distance[s])
    c = 0
    first = (products.after.size, products.after.size)
    for s in range(products.distance.size):
        if products.distance[s] == least:
            pair = (next_alive(products.after, products.oldest[s]), int(products.number[s]))
            if pair < first:
                first = pair
                c = s
    return c


@njit
def _is_tied(products: Products, c: int, top: float) -> tuple[bool, int]:
    """Return whether another pair of clusters is as near as slot c and its nearest, and how many were asked.

    O(n), and O(n) for each question; what a question finds is kept.
    """
    distance, nearest = products.distance, products.nearest
    for s in range(distance.size):
        if s != c and distance[s] == distance[c] and nearest[s] >= 0:
            return True, 0
    n_searches = 0
    one = np.array([c])
    if products.tied[c]:  # of those that tied, some may be gone
        n_searches += 1
        find_nearest(one, products, top)
    for s in range(distance.size):
        if products.tied[c] or stopped():
            return True, n_searches
        if s != c and distance[s] == distance[c]:
            n_searches += 1
            one[0] = s
            find_nearest(one, products, top)
            if distance[s] == distance[c]:
                return True, n_searches
    return False, n_searches
