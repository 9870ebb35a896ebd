"""The lengths of the branches above the clusters of two trees, or of the branches of their splits."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._check.tree import require_heights
from dendrometry._typing import FloatArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.tree_pair.contraction import height_clock
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import split_sizes

_LARGEST = 200  # the least number of items, in or out, of a cluster that chance does not repeat: one in 10**100


def branch_lengths(pair: Pair) -> tuple[FloatArray, FloatArray]:
    """Return the length of the branch above each node of both trees, 0 at the root, refusing what no float can sum."""
    a, b = _above_nodes(pair.a, pair.unrooted), _above_nodes(pair.b, pair.unrooted)
    with np.errstate(over="ignore"):
        total = float(a.sum() + b.sum())
    if not math.isfinite(total):
        raise UndefinedMeasureError("the heights differ by more than a float can hold; bring them to a smaller scale")
    return a, b


def _above_nodes(tree: Tree, unrooted: bool) -> FloatArray:
    """Return the length of the branch above each node, 0 at the root."""
    if unrooted:
        branches = require_heights(tree.length, tree.which, "lengths of branches", UndefinedMeasureError)
        if (branches < 0).any():
            raise UndefinedMeasureError(
                tree.which, " must have no branch of negative length, an inversion; it has some"
            )
        return branches
    height = height_clock(tree)
    length = np.zeros(height.size)
    with np.errstate(over="ignore"):
        length[:-1] = height[tree.parent[:-1]] - height[:-1]
    return length


def differences_in_length(statistics: PairStatistics, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return by how much each cluster of either tree differs in the length of its branch, 0 where a tree lacks it."""
    shared = statistics.shared_clusters
    alone = np.delete(a, shared.a), np.delete(b, shared.b)
    return np.concatenate((np.abs(a[shared.a] - b[shared.b]), *alone))


def lengths_by_size(pair: Pair, tree: Tree, length: FloatArray) -> dict[int, FloatArray]:
    """Return the lengths of the branches above the clusters of each number of items that chance may repeat."""
    size = split_sizes(pair, tree.size)
    held = np.flatnonzero(np.minimum(size, pair.n_items - size) < _LARGEST)
    order = held[np.argsort(size[held], kind="stable")]
    sizes, first = np.unique(size[order], return_index=True)
    return dict(zip(sizes.tolist(), np.split(length[order], first[1:]), strict=True))


def n_sets(pair: Pair, size: int) -> int:
    """Return how many sets of so many items there are, or splits with so many on the smaller side."""
    return math.comb(pair.n_items, size) // (1 + (pair.unrooted and 2 * size == pair.n_items))
