"""ClusterCounts: the numbers of proper clusters of two trees, and of those they share."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dendrometry.tree_pair.shared_clusters import proper
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import split_sizes

_LARGEST = 200  # the least number of items, in or out, of a cluster that chance does not repeat: one in 10**100


class ClusterCounts(NamedTuple):
    """Numbers of clusters with more than one item and not all: of either tree, of both, and by chance of both."""

    a: int
    b: int
    shared: int
    expected: float


def cluster_counts(statistics: PairStatistics) -> ClusterCounts:
    """Return the counts, with the mean of the shared ones over all relabellings of the items.

    A cluster of s items becomes any of the C(n, s) sets of that size with the same probability. A split of unrooted
    trees, with s items on its smaller side, becomes any of as many, or of half as many if both sides have s.
    """
    pair = statistics.pair
    sizes = [split_sizes(pair, tree.size[proper(tree, pair.n_items)]) for tree in (pair.a, pair.b)]
    shared = pair.a.size[statistics.shared_clusters.a]
    n_shared = int(((shared > 1) & (shared < pair.n_items)).sum())
    (size_a, n_a), (size_b, n_b) = (np.unique(size, return_counts=True) for size in sizes)
    common, at_a, at_b = np.intersect1d(size_a, size_b, assume_unique=True, return_indices=True)
    expected = math.fsum(
        int(n_a[i]) * int(n_b[j]) * (1 + (pair.unrooted and 2 * s == pair.n_items)) / math.comb(pair.n_items, int(s))
        for s, i, j in zip(common, at_a, at_b, strict=True)
        if min(s, pair.n_items - s) < _LARGEST
    )
    return ClusterCounts(sizes[0].size, sizes[1].size, n_shared, expected)
