"""Overlaps between the clusters of two trees, limited to the number that fits on a page."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as walks
from dendrometry._typing import FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy


class Overlaps(NamedTuple):
    """Clusters of one tree in rows and their best matches in another tree in columns.

    Attributes
    ----------
    row_node, column_node : arrays of int
        The clusters, as nodes of the first and of the second tree.
    common : (n_rows, n_columns) array of int
        The number of items in common.
    f : (n_rows, n_columns) array of float
        ``2 common / (size + size)``, 1 for identical clusters.
    best : (n_rows,) array of int
        The column of the best match of each row.
    """

    row_node: IntArray
    column_node: IntArray
    common: IntArray
    f: FloatArray
    best: IntArray


def large_clusters(tree: Hierarchy, size: IntArray, most: int, most_items: int) -> IntArray:
    """Return the largest distinct clusters of two to ``most_items`` items, by size, those of one size in pre-order."""
    several = (size > 1) & (size <= most_items) & ((tree.n_children != 1) | (tree.own_sizes > 0))
    node = np.flatnonzero(several)
    largest = node[np.argsort(-size[node], kind="stable")[:most]]
    return largest[np.lexsort((tree.order.low[largest], -size[largest]))]


def best_match(b: Hierarchy, members: IntArray) -> int:
    """Return the node of ``b`` whose cluster has the greatest F with the given set of its items, in O(n)."""
    common = _common(b, members)
    return int(np.argmax(common / (members.size + b.sizes)))


def overlaps(a: Hierarchy, b: Hierarchy, most: int) -> Overlaps:
    """Return the overlaps of the largest clusters of ``a`` with their best matches in ``b``, ordered near the diagonal.

    O(n) for each of the ``most`` clusters.
    """
    row_node = large_clusters(a, a.sizes, most, a.n_items - 1)
    row_node = row_node[np.argsort(a.order.low[row_node])]
    place = dict(zip(b.items, range(b.n_items), strict=True))
    number = np.fromiter(map(place.__getitem__, a.items), dtype=np.int64, count=a.n_items)
    members = [number[a.order.item[a.order.item_low[v] : a.order.item_high[v]]] for v in row_node.tolist()]
    match = np.array([best_match(b, held) for held in members], dtype=np.int64)
    found, first, inverse = np.unique(match, return_index=True, return_inverse=True)
    by_row = np.argsort(first)
    rank = np.empty(found.size, dtype=np.int64)
    rank[by_row] = np.arange(found.size)
    column_node = found[by_row]
    common = np.array([_common(b, held)[column_node] for held in members]).reshape(row_node.size, found.size)
    f = 2.0 * common / np.maximum(a.sizes[row_node][:, None] + b.sizes[column_node], 1)
    return Overlaps(row_node, column_node, common, f, rank[inverse])


def _common(b: Hierarchy, members: IntArray) -> IntArray:
    """Return the number of the given items at or below each node."""
    return walks.accumulate_sum(b.parent, np.bincount(b.item_node[members], minlength=b.n_nodes))
