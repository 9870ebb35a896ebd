"""SharedClusters: the clusters that two trees have in common, found by their spans."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._kernels._jit import IntArray
from dendrometry.walk.pair import Pair, Tree
from dendrometry.walk.spans import spans

__all__ = ["SharedClusters", "proper", "shared_clusters"]


class SharedClusters(NamedTuple):
    """The nodes of both trees with the same items: node ``a[i]`` of the first and node ``b[i]`` of the second."""

    a: IntArray
    b: IntArray


def shared_clusters(pair: Pair) -> SharedClusters:
    """Return the clusters in common. O(n log n) time.

    In pre-order of the first tree, the rows of each of its clusters are contiguous. A cluster of the second tree is
    also one of the first if its rows are contiguous and begin and end where one of the first does (Day 1985).
    """
    in_a, n_rows = spans(pair.a), pair.count.size
    node = pair.b.node
    first, last = np.full(pair.b.parent.size, n_rows), np.full(pair.b.parent.size, n_rows)
    np.minimum.at(first, node, in_a.place)
    np.minimum.at(last, node, n_rows - 1 - in_a.place)
    first, last = kernels.accumulate_minimum(pair.b.parent, first), kernels.accumulate_minimum(pair.b.parent, last)
    end = n_rows - last
    held = kernels.accumulate_sum(pair.b.parent, np.bincount(node, minlength=pair.b.parent.size))
    whole = np.flatnonzero(end - first == held)
    key_a, key_b = in_a.low * (n_rows + 1) + in_a.high, (first * (n_rows + 1) + end)[whole]
    order = np.argsort(key_a, kind="stable")
    at = np.minimum(np.searchsorted(key_a[order], key_b), order.size - 1)
    found = key_a[order][at] == key_b
    return SharedClusters(order[at[found]], whole[found])


def proper(tree: Tree, n_items: int) -> IntArray:
    """Return the nodes whose clusters have more than one item and not all of them."""
    return np.flatnonzero((tree.size > 1) & (tree.size < n_items))
