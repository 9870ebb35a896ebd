"""Support of the nodes of a tree: how often, and how nearly, replicates have the same clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import freeze_arrays
from dendrometry._display import plain_signature
from dendrometry._kernels.tree import nearest_kept_below
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Side
from dendrometry.resampling.multiscale import fit_multiscale
from dendrometry.resampling.replicates.replicate import Replicate, part_of, shared_pair
from dendrometry.tree_pair.matches import match_clusters


@freeze_arrays
@plain_signature
class NodeSupport(NamedTuple):
    """The support of every node of a tree, with standard errors, as arrays with one value for each node.

    Single items and the set of all items are in every tree: their support is 1. Of other nodes, a replicate counts if
    it holds at least two of their items and one other; a node for which none does has the support 0.

    Attributes
    ----------
    n_counted : array of int
        The number of replicates that count.
    bp, bp_error : array of float
        The bootstrap probability: the share of these that have the cluster exactly, as far as they hold its items.
    jaccard, jaccard_error : array of float
        The mean over these of the largest Jaccard index of the cluster with a cluster of the replicate, the set of all
        its items excepted.
    au, au_error : array of float or None
        The approximately unbiased probability, by multiscale bootstrap; None if there are fewer than three scales.
    """

    n_counted: IntArray
    bp: FloatArray
    bp_error: FloatArray
    jaccard: FloatArray
    jaccard_error: FloatArray
    au: FloatArray | None = None
    au_error: FloatArray | None = None


def node_support(tree: Hierarchy, replicates: Sequence[Replicate], scales: Sequence[float]) -> NodeSupport:
    """Return the support of every node; replicate i has the scale i modulo the number of scales.

    O(n times the mean depth of the tree) for each replicate. ``bp`` and ``jaccard`` are those at scale 1, or at the
    scale nearest to it.
    """
    n_scales = len(scales)
    base = int(np.argmin(np.abs(np.array(scales) - 1.0)))
    found = np.zeros((n_scales, tree.n_nodes), dtype=np.int64)
    counted = np.zeros((n_scales, tree.n_nodes), dtype=np.int64)
    mean, square = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)  # of Jaccard indices, by Welford's updates
    for i, replicate in enumerate(replicates):
        counts, jaccard = _nearest(tree, replicate)
        counted[i % n_scales] += counts
        found[i % n_scales] += counts & (jaccard == 1.0)
        if i % n_scales == base:
            change = np.where(counts, jaccard - mean, 0.0)
            mean += change / np.maximum(counted[base], 1)
            square += change * (jaccard - mean)
    share = found / np.maximum(counted, 1)
    support = _with_errors(counted[base], share[base], mean, square, (tree.sizes == 1) | (tree.sizes == tree.n_items))
    if n_scales < 3:
        return support
    fitted = fit_multiscale(share, np.array(scales), counted.max(axis=1).astype(np.float64))
    trivial = (tree.sizes == 1) | (tree.sizes == tree.n_items)
    au, error = np.where(trivial, 1.0, fitted.au), np.where(trivial, 0.0, fitted.au_error)
    return support._replace(au=au, au_error=error)


def _nearest(tree: Hierarchy, replicate: Replicate) -> tuple[BoolArray, FloatArray]:
    """Return which nodes a replicate says something about, and the best Jaccard index of each with one of its nodes."""
    part = part_of(tree.parent, tree.item_node[replicate.row])
    pair = shared_pair(part.side, Side(replicate.parent, None, replicate.node))
    size = pair.b.size.copy()
    size[-1] = 4 * pair.n_items**2  # the set of all items matches nothing
    matches = match_clusters(replace(pair, b=pair.b._replace(size=size)))
    node = part.original[matches.node]
    kept, held = np.zeros(tree.n_nodes, dtype=bool), np.zeros(tree.n_nodes, dtype=bool)
    kept[node], held[part.original] = True, True
    size, jaccard = np.zeros(tree.n_nodes, dtype=np.int64), np.zeros(tree.n_nodes)
    size[node], jaccard[node] = matches.size, np.where(matches.match_size > pair.n_items, 0.0, matches.jaccard)
    below = _same_items_below(tree.parent, kept, held)
    size, jaccard = np.where(held, size[below], 0), np.where(held, jaccard[below], 0.0)
    return (size > 1) & (size < pair.n_items), jaccard


def _same_items_below(parent: IntArray, kept: BoolArray, held: BoolArray) -> IntArray:
    """Return, for each node that is held, the kept node with the same items at or below it."""
    inner = np.flatnonzero(held)
    number = np.append(np.cumsum(held) - 1, -1)
    below = np.arange(parent.size)
    below[inner] = inner[nearest_kept_below(number[parent[inner]], kept[inner])]
    return below


def _with_errors(
    counted: IntArray, share: FloatArray, mean: FloatArray, square: FloatArray, trivial: BoolArray
) -> NodeSupport:
    """Return the support and its errors, with 1 for trivial clusters."""
    n = np.maximum(counted, 1)
    deviation = np.sqrt(np.maximum(square, 0.0) / np.maximum(counted - 1, 1))
    columns = (share, np.sqrt(share * (1.0 - share) / n), mean, deviation / np.sqrt(n))
    filled = (np.where(trivial, one, column) for column, one in zip(columns, (1.0, 0.0, 1.0, 0.0), strict=True))
    return NodeSupport(counted, *filled)
