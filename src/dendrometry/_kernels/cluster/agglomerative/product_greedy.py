"""The greedy build of group average on a square matrix of products: those of a union are the sum of two rows."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit, stopped
from dendrometry._kernels.cluster.agglomerative.merges import Merges

__all__ = ["Products", "find_nearest", "merge_nearest"]


class Products(NamedTuple):
    """Clusters in slots, with the square matrix of the products of their sums as one flat array, row after row.

    ``square`` is the squared length of a cluster's sum, ``own`` the sum of its items' squared lengths. Every pair is
    kept by its younger cluster alone, the one of higher node number: ``nearest`` is the nearest of the older ones, at
    ``distance``, or that is a lower bound if ``nearest`` is gone (-1); ``tied`` says that another was as near. The
    distance is inf if there are no older ones, and for dead slots.
    """

    matrix: FloatArray
    size: FloatArray
    square: FloatArray
    own: FloatArray
    node: IntArray
    nearest: IntArray
    distance: FloatArray
    tied: BoolArray
    alive: BoolArray


@njit
def find_nearest(slots: IntArray, products: Products, top: float) -> None:
    """Set the nearest older cluster of some slots, of several the oldest. O(n) for each."""
    n = products.size.size
    size, square, own, node = products.size, products.square, products.own, products.node
    for c in slots:
        row = products.matrix[c * n : c * n + n]
        best = np.inf
        at = -1
        tied = False
        for s in range(n):
            if node[s] < node[c] and products.alive[s]:
                m = size[c] + size[s]
                inside = (square[c] + square[s] + 2.0 * row[s]) - (own[c] + own[s])
                value = top - inside / (m * (m - 1.0))
                if value < best:
                    best = value
                    at = s
                    tied = False
                elif value == best:
                    tied = True
                    if node[s] < node[at]:
                        at = s
        products.nearest[c] = at
        products.distance[c] = best
        products.tied[c] = tied
        if stopped():
            break


@njit
def merge_nearest(products: Products, merges: Merges, first: int, top: float) -> None:
    """Make merges until every row of ``merges`` is filled; ``first`` is the node number of the first of them.

    A cluster whose nearest one is gone is asked again only when its lower bound is the least of all. O(n) for each
    merge and each question.
    """
    distance, nearest = products.distance, products.nearest
    one = np.empty(1, dtype=np.int64)
    for step in range(merges.left.size):
        c = _closest(products)
        asked = False
        while nearest[c] < 0 or (products.tied[c] and not asked):  # of those that tied, some may be gone
            if stopped():
                return
            asked = nearest[c] >= 0
            one[0] = c
            find_nearest(one, products, top)
            c = _closest(products)
        if stopped():
            break
        b = nearest[c]
        merges.left[step] = products.node[b]
        merges.right[step] = products.node[c]
        merges.height[step] = distance[c]
        merges.tied[step] = products.tied[c] or _rivals(products, distance[c]) > 1
        _join(products, b, c)
        products.node[c] = first + step
        one[0] = c
        find_nearest(one, products, top)
        for s in range(nearest.size):
            if s != c and (nearest[s] == b or nearest[s] == c):
                nearest[s] = -1


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
    for s in range(n):
        total = matrix[c * n + s] + matrix[b * n + s]
        matrix[c * n + s] = total
        matrix[s * n + c] = total


@njit
def _closest(products: Products) -> int:
    """Return the slot that keeps the nearest pair of all, of equal ones the oldest, or else one to be asked. O(n)."""
    distance, nearest, node = products.distance, products.nearest, products.node
    c = 0
    for s in range(distance.size):
        if distance[s] < distance[c]:
            c = s
        elif distance[s] == distance[c] and nearest[c] >= 0:
            if nearest[s] < 0 or (node[nearest[s]], node[s]) < (node[nearest[c]], node[c]):
                c = s
    return c


@njit
def _rivals(products: Products, least: float) -> int:
    """Return how many clusters keep a pair at the least distance. O(n)."""
    count = 0
    for s in range(products.distance.size):
        if products.distance[s] == least:
            count += 1
    return count
