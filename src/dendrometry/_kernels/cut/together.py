"""The pairs of items that are together in the cuts of two trees, for some numbers of clusters."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import IntArray, njit

__all__ = ["Merges", "pairs_together"]


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
def pairs_together(a: Merges, b: Merges, n_clusters: IntArray) -> IntArray:
    """Return the number of pairs together in each cut of a first tree, of a second, and in both: three rows.

    Items are sorted by their first cluster, and those of each counted by the second. O(n) for each cut.
    """
    n = a.node.size
    found = np.zeros((3, n_clusters.size), dtype=np.int64)
    n_nodes = max(a.parent.size, b.parent.size)
    top, number = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    first, second, order = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    start, met = np.zeros(n + 1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for cut in range(n_clusters.size):
        _fill_labels(a, n_clusters[cut], top, number, first)
        _fill_labels(b, n_clusters[cut], top, number, second)
        start[:] = 0
        for i in range(n):
            found[0, cut] += start[first[i] + 1]
            start[first[i] + 1] += 1
            found[1, cut] += met[second[i]]
            met[second[i]] += 1
        met[:] = 0
        for c in range(n):
            start[c + 1] += start[c]
        for i in range(n - 1, -1, -1):
            start[first[i] + 1] -= 1
            order[start[first[i] + 1]] = i
        low = 0
        for high in range(n):
            if first[order[high]] != first[order[low]]:
                for i in range(low, high):
                    met[second[order[i]]] = 0
                low = high
            c = second[order[high]]
            found[2, cut] += met[c]
            met[c] += 1
        met[:] = 0
    return found
