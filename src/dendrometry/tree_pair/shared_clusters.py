"""SharedClusters: the clusters that two trees have in common, found by their spans."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._typing import IntArray
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.spans import spans


class SharedClusters(NamedTuple):
    """The nodes of both trees with the same items: node ``a[i]`` of the first and node ``b[i]`` of the second."""

    a: IntArray
    b: IntArray


def shared_clusters(pair: Pair) -> SharedClusters:
    """Return the clusters in common. O(n) time after the spans of the first tree.

    In pre-order of the first tree, the rows of each of its clusters are contiguous. A cluster of the second tree is
    also one of the first if its rows are contiguous and begin and end where one of the first does (Day 1985). A node
    that shares its begin and its end with others is above all of them at one of the two.
    """
    in_a, n_rows = spans(pair.a), pair.count.size
    node = pair.b.node
    first, last = np.full(pair.b.parent.size, n_rows), np.full(pair.b.parent.size, n_rows)
    np.minimum.at(first, node, in_a.place)
    np.minimum.at(last, node, n_rows - 1 - in_a.place)
    first, last = kernels.accumulate_minimum(pair.b.parent, first), kernels.accumulate_minimum(pair.b.parent, last)
    held = kernels.accumulate_sum(pair.b.parent, np.bincount(node, minlength=pair.b.parent.size))
    whole = np.flatnonzero(n_rows - last - first == held)
    low, high = first[whole], n_rows - last[whole]
    begins, ends = np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows + 1, dtype=np.int64)
    begins[in_a.low] = ends[in_a.high] = np.arange(pair.a.parent.size)  # the last, highest node at each place stays
    match = np.where(in_a.high[begins[low]] == high, begins[low], ends[high])
    found = (in_a.low[match] == low) & (in_a.high[match] == high)
    return SharedClusters(match[found], whole[found])


def proper(tree: Tree, n_items: int) -> IntArray:
    """Return the nodes whose clusters have more than one item and not all of them."""
    return np.flatnonzero((tree.size > 1) & (tree.size < n_items))


def same_clusters(pair: Pair) -> bool:
    """Return whether both trees have the same clusters, and the same items at each."""
    if pair.a.parent.size != pair.b.parent.size or pair.count.size != np.count_nonzero(np.bincount(pair.a.node)):
        return False
    shared = shared_clusters(pair)
    if shared.a.size < pair.a.parent.size:
        return False
    other = np.empty_like(shared.a)
    other[shared.a] = shared.b
    return bool((other[pair.a.node] == pair.b.node).all())
