"""The pairs of items that are together in the cuts of two trees, for some numbers of clusters."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


class Merges(NamedTuple):
    """A tree to be cut: how many clusters there are once each node is formed, and the node of each item."""

    parent: IntArray
    formed: IntArray
    node: IntArray


@njit
def _fill_labels(tree: Merges, n_clusters: int, top: IntArray, number: IntArray, label: IntArray) -> None:
    """Set ``label`` to the cluster of each item, from 0 on, in the coarsest cut with at least so many clusters. O(n).

    A cluster is the highest node formed, or an item whose node is not. ``top`` and ``number`` are room for each node.
    """
    root = tree.parent.size - 1
    for v in range(root, -1, -1):
        above = top[tree.parent[v]] if v < root else -1
        top[v] = -1 if tree.formed[v] < n_clusters else (v if above < 0 else above)
        number[v] = -1
    n = 0
    for i in range(label.size):
        v = top[tree.node[i]]
        if v >= 0 and number[v] >= 0:
            label[i] = number[v]
            continue
        if v >= 0:
            number[v] = n
        label[i] = n
        n += 1


@njit
def _sort(label: IntArray, start: IntArray, order: IntArray) -> None:
    """Set ``order`` to the items by label, from 0 on. O(n). ``start`` is room for one number more than items."""
    start[:] = 0
    for i in range(label.size):
        start[label[i] + 1] += 1
    for c in range(label.size):
        start[c + 1] += start[c]
    for i in range(label.size):
        order[start[label[i]]] = i
        start[label[i]] += 1


@njit
def _count_pairs(first: IntArray, second: IntArray, order: IntArray, met: IntArray) -> tuple[int, int, int]:
    """Return the number of pairs with the same first label, the same second, and both; ``met`` is 0. O(n).

    ``order`` has the items by their first label. Those of each are counted by the second.
    """
    in_first, in_second, in_both, low = 0, 0, 0, 0
    for i in range(second.size):
        in_second += met[second[i]]
        met[second[i]] += 1
    met[:] = 0
    for high in range(order.size):
        if first[order[high]] != first[order[low]]:
            for i in range(low, high):
                met[second[order[i]]] = 0
            low = high
        in_first += high - low
        in_both += met[second[order[high]]]
        met[second[order[high]]] += 1
    met[:] = 0
    return in_first, in_second, in_both


@njit
def pairs_together(a: Merges, b: Merges, n_clusters: IntArray) -> IntArray:
    """Return the number of pairs together in each cut of a first tree, of a second, and in both: three rows.

    O(n) for each cut.
    """
    n, n_nodes = a.node.size, max(a.parent.size, b.parent.size)
    found = np.zeros((3, n_clusters.size), dtype=np.int64)
    top, number = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    first, second, order = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    start, met = np.zeros(n + 1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for cut in range(n_clusters.size):
        if stopped():
            break
        _fill_labels(a, n_clusters[cut], top, number, first)
        _fill_labels(b, n_clusters[cut], top, number, second)
        _sort(first, start, order)
        found[0, cut], found[1, cut], found[2, cut] = _count_pairs(first, second, order, met)
    return found
