"""How alike the clusters of each item are in many partitions, over all pairs of these."""

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree import by_number
from dendrometry._typing import FloatArray, IntArray


@njit
def add_pairs(
    code: NDArray[np.int32], size: IntArray, first: IntArray, pairs: IntArray, item: FloatArray
) -> FloatArray:
    """Add to each item its similarity in each pair of partitions; return the mean over the items for each pair.

    Row p of ``code`` is partition p, cluster c of which has ``size[first[p] + c]`` items. An item whose clusters of s
    and t items have m in common counts ``m / max(s, t)``. O(items + clusters x clusters) for each pair: the overlaps
    are counted in a table.
    """
    n_items = code.shape[1]
    n_clusters = np.diff(first)
    most = 0
    for p in range(pairs.shape[0]):
        most = max(most, n_clusters[pairs[p, 0]] * n_clusters[pairs[p, 1]])
    table = np.zeros(most, dtype=np.int32)
    share = np.zeros(table.size)
    mean = np.zeros(pairs.shape[0])
    for p in range(pairs.shape[0]):
        if stopped():
            break
        a, b = pairs[p]
        n_a, n_b = n_clusters[a], n_clusters[b]
        table[: n_a * n_b] = 0
        for i in range(n_items):
            table[code[a, i] * n_b + code[b, i]] += 1
        total = 0.0
        for c in range(n_a):
            for d in range(n_b):
                at = c * n_b + d
                share[at] = table[at] / max(size[first[a] + c], size[first[b] + d])
                total += share[at] * table[at]
        mean[p] = total / n_items
        for i in range(n_items):
            item[i] += share[code[a, i] * n_b + code[b, i]]
    return mean


@njit
def add_pairs_of_many(
    code: NDArray[np.int32], size: IntArray, first: IntArray, pairs: IntArray, item: FloatArray
) -> FloatArray:
    """Do as `add_pairs`, in O(items + clusters) for each pair: the overlaps of one cluster at a time are counted.

    Items are listed by the clusters of the first partition of a pair, once for all pairs in a row that share it.
    """
    n_items = code.shape[1]
    order, own = np.arange(n_items), np.zeros(n_items)
    count = np.zeros(np.diff(first).max(), dtype=np.int32)
    mean = np.zeros(pairs.shape[0])
    listed = -1
    for p in range(pairs.shape[0]):
        if stopped():
            break
        a, b = pairs[p]
        size_a, size_b = size[first[a] : first[a + 1]], size[first[b] : first[b + 1]]
        if a != listed:
            _move(own, order, item)
            order = by_number(code[a], size_a.size)
            listed = a
        mean[p] = _add_pair(code[b][order], size_a, size_b, count, own) / n_items
    _move(own, order, item)
    return mean


@njit
def _add_pair(
    beside: NDArray[np.int32], size_a: IntArray, size_b: IntArray, count: NDArray[np.int32], own: FloatArray
) -> float:
    """Add to each item its similarity, and return the sum; items are in the order of the clusters of a."""
    total, low = 0.0, 0
    for s in size_a:
        for at in range(low, low + s):
            count[beside[at]] += 1
        for at in range(low, low + s):
            share = count[beside[at]] / max(s, size_b[beside[at]])
            own[at] += share
            total += share
        for at in range(low, low + s):
            count[beside[at]] = 0
        low += s
    return total


@njit
def _move(own: FloatArray, order: IntArray, item: FloatArray) -> None:
    """Add numbers in some order to those of the items, and set them to 0."""
    for at in range(own.size):
        item[order[at]] += own[at]
        own[at] = 0.0
