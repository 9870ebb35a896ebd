"""The lowest node of one tree that contains all items of each node of another."""

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._typing import IntArray
from dendrometry.tree_pair.joint import neighbour_joins
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.spans import spans


def lowest_nodes(pair: Pair, tree: Tree, other: Tree) -> IntArray:
    """Return, for each node of a tree of the pair, the lowest node of the other with all of its items. O(n log n) time.

    In pre-order of the other tree, it is the greatest of the lowest common nodes of neighbours between the first row of
    the cluster and the last.
    """
    order, n_rows = spans(other), pair.count.size
    first, last = np.full(tree.parent.size, n_rows), np.full(tree.parent.size, n_rows)
    np.minimum.at(first, tree.node, order.place)
    np.minimum.at(last, tree.node, n_rows - 1 - order.place)
    first = kernels.accumulate_minimum(tree.parent, first)
    n_gaps = n_rows - 1 - kernels.accumulate_minimum(tree.parent, last) - first
    lowest = other.node[order.row[first]]
    greatest, width = neighbour_joins(other, order), 1  # of as many neighbours from each on
    n_bits = np.frexp(n_gaps)[1].astype(np.int64)
    by_bits = np.split(kernels.by_number(n_bits, 64), np.cumsum(np.bincount(n_bits)))
    for at in by_bits[1:]:
        start = first[at]
        lowest[at] = np.maximum(greatest[start], greatest[start + n_gaps[at] - width])
        np.maximum(greatest[:-width], greatest[width:], out=greatest[:-width])
        width *= 2
    return lowest
