"""Clusters common to two trees."""

from typing import NamedTuple

import numpy as np

from dendrometry._exact import group_sums
from dendrometry._kernels import tree as walks
from dendrometry._typing import IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.plot._layout.overlaps import large_clusters

_TRIED = 100
_NEARLY = 0.8  # minimum F of nearly identical clusters
_ROUNDING = 1e-9
_SHARE = 0.01  # minimum share of the items: smaller common clusters would produce too many colours


class Common(NamedTuple):
    """Clusters of a first tree that also occur, exactly or nearly, in a second and are large enough to be coloured.

    ``node`` is the cluster of each item, -1 for none; ``clusters`` lists the clusters in ascending order.
    """

    node: IntArray
    clusters: IntArray
    nearly: bool


def common_clusters(a: Hierarchy, b: Hierarchy, weight: IntArray | None = None) -> Common:
    """Return the largest common clusters with at least a hundredth of the items, or nearly common ones if none exist.

    Each item stands for ``weight`` items, by default one; with weights, both trees list the items in the same order.
    Takes O(n log n), plus O(n) for each of up to a hundred candidate clusters.
    """
    node, size = largest_common(a, b, weight), _sizes(a, weight)
    nearly = not (size[node[node >= 0]] >= _SHARE * size[-1]).any()
    if nearly:
        node = largest_nearly_common(a, b, _NEARLY, weight)
    worth = np.append(size >= _SHARE * size[-1], False)
    node = np.where(worth[node], node, -1)
    return Common(node, np.unique(node[node >= 0]), nearly)


def largest_common(a: Hierarchy, b: Hierarchy, weight: IntArray | None = None) -> IntArray:
    """Return for each item of ``a`` the largest cluster, as a node of ``a``, that occurs in both trees; -1 for none.

    Clusters of a single item, which every tree has, and clusters with more than half of the items are excluded. In the
    pre-order of ``b``, the items of a common cluster are contiguous and are exactly those of one node. O(n log n).
    """
    place = np.empty(b.n_items, dtype=np.int64)
    place[b.order.item] = np.arange(b.n_items)
    rank = place[_number_in(b, a)]
    ends = []
    for sign in (1, -1):
        own = np.full(a.n_nodes, a.n_items, dtype=np.int64)
        np.minimum.at(own, a.item_node, sign * rank)
        ends.append(sign * walks.accumulate_minimum(a.parent, own))
    low, high = ends[0], ends[1] + 1
    size = _sizes(a, weight)
    common = (high - low == a.sizes) & (size > 1) & (size <= _half(size))
    if common.any():
        runs = np.sort(b.order.item_low * (b.n_items + 1) + b.order.item_high)
        wanted = low[common] * (b.n_items + 1) + high[common]
        at = np.minimum(np.searchsorted(runs, wanted), runs.size - 1)
        common[common] = runs[at] == wanted
    largest = common & (walks.nearest_kept(a.parent, common) < 0)
    node = np.where(largest, np.arange(a.n_nodes), walks.nearest_kept(a.parent, largest))
    return node[a.item_node]


def largest_nearly_common(a: Hierarchy, b: Hierarchy, least: float, weight: IntArray | None = None) -> IntArray:
    """Return for each item of ``a`` a large cluster with F of at least ``least`` to one of ``b``; -1 for none.

    Among the largest clusters, larger ones are selected first and none is nested in another; items missing from the
    match are assigned to none. O(n) for each candidate cluster.
    """
    found = np.full(a.n_items, -1, dtype=np.int64)
    place = np.empty(b.n_items, dtype=np.int64)
    place[b.order.item] = np.arange(b.n_items)
    place = place[_number_in(b, a)]
    size_a, size_b = _sizes(a, weight), _sizes(b, weight)
    # for F = 2 common / (size + size) to reach the least, one size is at most this many times the other
    most = 2.0 / least - 1.0 + _ROUNDING
    tried = large_clusters(a, size_a, _TRIED, _half(size_a))
    large = np.flatnonzero(size_a[tried].min(initial=size_a[-1]) <= most * size_b)
    for v in tried.tolist():
        held = a.order.item[a.order.item_low[v] : a.order.item_high[v]]
        if (found[held] >= 0).any():
            continue
        like = large[(size_b[large] <= most * size_a[v]) & (size_a[v] <= most * size_b[large])]
        n_before = np.zeros(b.n_items + 1, dtype=np.int64)
        n_before[place[held] + 1] = 1 if weight is None else weight[held]
        np.cumsum(n_before, out=n_before)
        low, high = b.order.item_low[like], b.order.item_high[like]
        n_common, total = n_before[high] - n_before[low], size_a[v] + size_b[like]
        best = int(np.argmax(n_common / total)) if like.size else -1
        if best >= 0 and 2.0 * n_common[best] >= least * total[best]:
            found[held[(place[held] >= low[best]) & (place[held] < high[best])]] = v
    return found


def _sizes(tree: Hierarchy, weight: IntArray | None) -> IntArray:
    """Return the number of items of each cluster."""
    if weight is None:
        return tree.sizes
    parts, size = np.zeros(tree.n_nodes, dtype=np.int64), group_sums(tree.item_node, weight, tree.n_nodes)
    walks.add_children(tree.parent, parts, size)
    return size


def _half(size: IntArray) -> int:
    """Return the maximum size of a cluster to be coloured, half of the items, so that it contrasts with the rest."""
    return (int(size[-1]) + 1) // 2


def _number_in(b: Hierarchy, a: Hierarchy) -> IntArray:
    """Return the index in ``b`` of each item of ``a``."""
    if a.items == b.items:
        return np.arange(a.n_items)
    number = dict(zip(b.items, range(b.n_items), strict=True))
    return np.fromiter(map(number.__getitem__, a.items), dtype=np.int64, count=a.n_items)
