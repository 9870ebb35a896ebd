"""Counterparts of the nodes of one tree among the nodes of another, by the items that they share."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


class Rows(NamedTuple):
    """Items counted together, in the pre-order of the first tree: their number, and their node in the second tree."""

    n_items: IntArray
    node: IntArray


class Spans(NamedTuple):
    """The second tree: the parent of each node, and its span in the pre-order of the nodes."""

    parent: IntArray
    low: IntArray
    high: IntArray


@njit
def common_counts(parent: IntArray, first: IntArray, second: IntArray, n_items: IntArray) -> IntArray:
    """Return, at each node, the items whose lowest common node of the two given ones it is. O(levels between them)."""
    count = np.zeros(parent.size, dtype=np.int64)
    for row in range(first.size):
        u, v = first[row], second[row]
        while u != v:
            if u < v:
                u = parent[u]
            else:
                v = parent[v]
        count[u] += n_items[row]
    return count


@njit
def _zeros(place: IntArray, n_places: int) -> NDArray[np.int32]:
    """Sort places by one bit after the other, the highest first; return, for bit b, how many of the first i lack it.

    The order of places with the same bit stays, so that those of a stretch are found again after each sort: a wavelet
    matrix. O(n log n_places).
    """
    n_bits = 1
    while 1 << n_bits < n_places:
        n_bits += 1
    zeros = np.zeros((n_bits, place.size + 1), dtype=np.int32)
    before, after = place.copy(), place.copy()
    for b in range(n_bits - 1, -1, -1):
        for i in range(before.size):
            zeros[b, i + 1] = zeros[b, i] + (before[i] >> b & 1 == 0)
        zero, one = 0, zeros[b, before.size]
        for i in range(before.size):
            if before[i] >> b & 1:
                after[one] = before[i]
                one += 1
            else:
                after[zero] = before[i]
                zero += 1
        before, after = after, before
    return zeros


@njit
def _place_at(table: NDArray[np.int32], low: int, high: int, k: int) -> int:
    """Return the place number k, from 0, of those from low to high in ascending order. O(log n)."""
    place, last = 0, table.shape[1] - 1
    for b in range(table.shape[0] - 1, -1, -1):
        zeros = table[b]
        n_zeros = zeros[high] - zeros[low]
        if k < n_zeros:
            low, high = zeros[low], zeros[high]
        else:
            k -= n_zeros
            place |= 1 << b
            low, high = zeros[last] + low - zeros[low], zeros[last] + high - zeros[high]
    return place


@njit
def _n_below(table: NDArray[np.int32], low: int, high: int, place: int) -> int:
    """Return how many of those from low to high have a lower place. O(log n)."""
    if place >> table.shape[0]:
        return high - low
    n, last = 0, table.shape[1] - 1
    for b in range(table.shape[0] - 1, -1, -1):
        if low == high:
            break
        zeros = table[b]
        if place >> b & 1:
            n += zeros[high] - zeros[low]
            low, high = zeros[last] + low - zeros[low], zeros[last] + high - zeros[high]
        else:
            low, high = zeros[low], zeros[high]
    return n


@njit
def _n_within(table: NDArray[np.int32], low: int, high: int, order: Spans, v: int) -> int:
    """Return how many of the items from low to high a node of the second tree holds. O(log n)."""
    return _n_below(table, low, high, order.high[v]) - _n_below(table, low, high, order.low[v])


@njit
def _leaps(parent: IntArray) -> IntArray:
    """Return a node further up for each node, so that O(log n) leaps and single steps reach any node above it.

    A leap is as long as the two before it together, if these are equal (Myers 1983). The root leaps to itself.
    """
    root = parent.size - 1
    depth = np.zeros(parent.size, dtype=np.int64)
    leap = np.full(parent.size, root, dtype=np.int64)
    for v in range(root - 1, -1, -1):
        p = parent[v]
        depth[v] = depth[p] + 1
        q = leap[p]
        leap[v] = leap[q] if depth[p] - depth[q] == depth[q] - depth[leap[q]] else p
    return leap


@njit
def majorities(low: IntArray, high: IntArray, place: IntArray, order: Spans) -> IntArray:
    """Return the deepest node of the second tree that holds more than half of the items from each low to its high.

    ``place`` is that of the node of each item in the pre-order of the second tree. The node sought lies above the
    median of the places, and all nodes above it hold more than half as well. O(log² n) for each; O(n log n) space.
    """
    found = np.full(low.size, -1, dtype=np.int64)
    table, leap = _zeros(place, order.low.size), _leaps(order.parent)
    in_order = np.empty(order.low.size, dtype=np.int64)
    for v in range(order.low.size):
        in_order[order.low[v]] = v
    for u in range(low.size):
        if stopped():
            break
        half = (high[u] - low[u]) // 2
        v = in_order[_place_at(table, low[u], high[u], half)]
        while True:
            if _n_within(table, low[u], high[u], order, v) > half:
                break
            further = _n_within(table, low[u], high[u], order, leap[v]) <= half
            v = leap[v] if further else order.parent[v]
        found[u] = v
    return found


class Bounds(NamedTuple):
    """Of the first ``time`` rows, those with a place from ``low`` to below ``high`` are wanted; by ascending time."""

    time: IntArray
    low: IntArray
    high: IntArray


@njit
def counts_within(place: IntArray, n_items: IntArray, n_places: int, bounds: Bounds) -> IntArray:
    """Return the number of items within each of some bounds. One sweep with a Fenwick tree, O(n log n)."""
    tree = np.zeros(n_places + 1, dtype=np.int64)
    found = np.zeros(bounds.time.size, dtype=np.int64)
    done = 0
    for q in range(bounds.time.size):
        if stopped():
            break
        while done < bounds.time[q]:
            i = place[done] + 1
            while i <= n_places:
                tree[i] += n_items[done]
                i += i & -i
            done += 1
        i = bounds.high[q]
        while i > 0:
            found[q] += tree[i]
            i -= i & -i
        i = bounds.low[q]
        while i > 0:
            found[q] -= tree[i]
            i -= i & -i
    return found
