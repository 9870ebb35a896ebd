"""The clusters of all cuts of a tree up to a number of clusters, and their squared errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._kernels.cut.moments import moments
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cut.cut import undo_steps
from dendrometry.hierarchy import Hierarchy


class Splits(NamedTuple):
    """Clusters as spans ``low`` to ``high`` of the items in pre-order, and which cluster splits into which others.

    ``node`` is the node of each cluster, -1 for a single item of an inner node. Cluster 0 holds all items; split s
    replaces cluster ``split[s]`` by those from ``first[s]`` to before ``first[s + 1]``. ``n_clusters[s]`` is the number
    of clusters before it, and ``is_reached[s]`` whether a cut at some height has them, rather than one through a tie.
    """

    node: IntArray
    low: IntArray
    high: IntArray
    split: IntArray
    first: IntArray
    n_clusters: IntArray
    is_reached: BoolArray


def splits_of(tree: Hierarchy, max_clusters: int, what: str) -> Splits:
    """Return the cuts of a tree into at most ``max_clusters`` clusters, those of `cut_count`."""
    steps = undo_steps(tree, what)
    count = int(np.searchsorted(steps.n_clusters, max_clusters, side="right")) - 1
    low, high = tree.order.item_low, tree.order.item_high
    spans, nodes, split, first = [(0, tree.n_items)], [tree.root], [], [1]
    number = {spans[0]: 0}
    for v in steps.node[:count].tolist():
        split.append(number[int(low[v]), int(high[v])])
        own = range(int(low[v]), int(low[v] + tree.own_sizes[v]))
        below = tree.children.node[tree.children.start[v] : tree.children.start[v + 1]].tolist()
        parts = [(at, at + 1) for at in own] + [(int(low[c]), int(high[c])) for c in below]
        number |= {span: len(spans) + i for i, span in enumerate(parts)}
        spans += parts
        nodes += [-1] * len(own) + below
        first.append(len(spans))
    edge = np.append(steps.height, -np.inf)
    reached = np.append(True, edge[1:] != edge[:-1])[: count + 1]
    start, stop = np.array(spans).T
    n_clusters = steps.n_clusters[: count + 1]
    return Splits(np.array(nodes), start, stop, np.array(split, dtype=np.int64), np.array(first), n_clusters, reached)


class Parts(NamedTuple):
    """The centroid of each cluster, and the sum of the squared distances of its items from it."""

    centroid: FloatArray
    scatter: FloatArray


def parts_of(tree: Hierarchy, splits: Splits, points: FloatArray) -> Parts:
    """Return the centroids and squared errors of the clusters, by sums from the leaves up. O(n d)."""
    found = moments(tree.parent, tree.item_node, points)
    alone = splits.node < 0
    centroid, scatter = found.centroid[splits.node], np.where(alone, 0.0, found.scatter[splits.node])
    centroid[alone] = points[tree.order.item[splits.low[alone]]]
    return Parts(centroid, scatter)


def within_squares(splits: Splits, scatter: FloatArray) -> FloatArray:
    """Return the squared error of every cut, from that of each cluster; summed from the finest cut up."""
    finest = np.ones(scatter.size, dtype=bool)
    finest[splits.split] = False
    new = np.add.reduceat(scatter, splits.first[:-1]) if splits.split.size else np.zeros(0)
    joined = np.maximum(scatter[splits.split] - new, 0.0)
    total: FloatArray = np.cumsum(np.append(scatter[finest].sum(), joined[::-1]))[::-1]
    return total
