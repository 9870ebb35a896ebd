"""The dynamic hybrid cut: branches with the shape of a cluster, then the nearest other items."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import one_of
from dendrometry._check.distances import distances_of_items
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._check.points import scale_of
from dendrometry._kernels.tree import accumulate_sum, nearest_kept
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cut.cut import Cut, cut_at_nodes, cut_of
from dendrometry.cut.dynamic_assignment import Units, nearest_clusters
from dendrometry.cut.dynamic_binary import heights_of_binary
from dendrometry.cut.dynamic_branches import Between, Shape, find_branches
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy

Assignment = Literal["branch", "nearest", "none"]

_MAX_SCATTERS = (0.64, 0.73, 0.82, 0.91, 0.95)  # for each deep split, between the low heights and the cut
_LOW, _TOP = 0.05, 0.99


def cut_dynamic_hybrid(
    tree: HierarchyLike,
    D: Any,
    min_size: int,
    *,
    deep_split: int = 1,
    max_height: float | None = None,
    assign: Assignment = "branch",
) -> Cut:
    """Return the clusters of a dynamic tree cut, "hybrid": branches with a tight core and a gap, and items near them.

    A cluster is a branch of at least ``min_size`` items whose core is tight and well below the height at which the
    branch merges with another cluster [1]_. The core of a branch of N items is the b + sqrt(N - b) that joined it
    first, with b = min_size / 2 + 1, and its scatter the mean distance between them; the gap is the height of the merge
    less the scatter. Clusters may lie at different heights, and may be nested in longer branches. Then items outside of
    them are assigned to the cluster with the least mean distance from them, if that is below ``max_height``, or below
    the largest mean distance of an item of the cluster from the others in it. Branches that are only too small
    to be clusters are assigned together.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A binary tree with heights and one item in each leaf.
    D : (n, n) or (n(n-1)/2,) array of float or int
        The distances that the tree was built from, square or condensed, in the order of ``tree.items``; or a square
        data frame whose index names the items.
    min_size : int
        The least number of items of a cluster, from 2 on.
    deep_split : {0, 1, 2, 3, 4}
        How readily branches are split. The scatter of a core must be below 0.64, 0.73, 0.82, 0.91 or 0.95 of the
        way from the 5th percentile of the heights of merges to ``max_height``, and the gap above 3/4 of the rest of it.
    max_height : float, optional
        The height above which merges are ignored; by default 99 % of the way from the 5th percentile to the root.
    assign : {"branch", "nearest", "none"}
        Whether other items are assigned to the nearest of the clusters below the lowest node with both, to the nearest
        of all clusters, or not at all.

    Returns
    -------
    Cut
        The clusters; every item that is in none of them is alone. An assigned item is in a cluster without being below
        its node.

    Raises
    ------
    InvalidInputError
        If an option is invalid, or the distances are negative, not finite, not symmetric, or not as many as the pairs
        of items.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.
    InvalidTreeError
        If the tree has no heights, is not binary, or does not hold one item in each leaf and none elsewhere.

    Notes
    -----
    O(n^2) time and memory at most. The values are those of ``cutreeHybrid`` of R's package dynamicTreeCut 1.63;
    ``assign="nearest"`` is ``pamRespectsDendro = FALSE`` there, ``"none"`` is ``pamStage = FALSE``. With inversions, a
    node counts at the greatest height inside it. Of branches of the same size, the one with the greater node number
    counts as joined first; of clusters at the same distance, the first in the order of drawing is taken.

    References
    ----------
    .. [1] P. Langfelder, B. Zhang, S. Horvath, "Defining clusters from a hierarchical cluster tree: the Dynamic Tree
       Cut package for R", Bioinformatics 24 (2008), doi:10.1093/bioinformatics/btm563.

    Examples
    --------
    >>> from dendrometry import agglomerate_distances
    >>> from dendrometry.cut import cut_dynamic_hybrid
    >>> x = [0, 1, 3, 20, 21, 23, 90]
    >>> distances = [[abs(a - b) for b in x] for a in x]
    >>> tree = agglomerate_distances(distances, linkage="average").hierarchy
    >>> cut_dynamic_hybrid(tree, distances, 3).clusters
    [['0', '1', '2'], ['3', '4', '5'], ['6']]
    """
    one_of(assign, "assign", get_args(Assignment))
    least = whole_number(min_size, "min_size", 2)
    deep = whole_number(deep_split, "deep_split", 0, len(_MAX_SCATTERS) - 1)
    tree = as_hierarchy(tree)
    formed, merges = heights_of_binary(tree)
    top = None if max_height is None else real_number(max_height, "max_height", finite=False)
    distances, place = distances_of_items(D, tree.items)
    exponent = max(scale_of(distances), scale_of(formed[merges]))
    height = np.ldexp(np.where(merges, formed, 0.0), -exponent)
    shape = _shape(height[merges], least, deep, None if top is None else float(np.ldexp(top, -exponent)))
    between = _lookup(distances, place, exponent)
    clusters, small = find_branches(tree, height, between, shape)
    chosen = np.zeros(tree.n_nodes, dtype=bool)
    chosen[clusters] = True
    found = cut_at_nodes(tree, chosen)
    if assign == "none" or not clusters:
        return found
    alone = _units(tree, chosen, small)
    above = np.full(len(alone), tree.root)
    if assign == "branch":
        holds = (accumulate_sum(tree.parent, chosen.astype(np.int64)) > 0) & (height <= shape.max_height) & ~chosen
        above = nearest_kept(tree.parent, holds)[tree.item_node[[unit[0] for unit in alone]]]
    nearest = nearest_clusters(tree, clusters, Units(alone, above), between, shape.max_height)
    labels = found.labels.copy()
    for unit, v in zip(alone, nearest, strict=True):
        if v >= 0:
            labels[unit] = found.labels[tree.order.item[tree.order.item_low[v]]]
    return cut_of(labels, found.nodes[labels], tree.items)


def _shape(height: FloatArray, min_size: int, deep_split: int, max_height: float | None) -> Shape:
    """Return the shape of clusters in a tree whose merges have some heights."""
    if height.size == 0:
        return Shape(min_size, 0.0, 0.0, 0.0)
    low = float(np.sort(height)[max(round(_LOW * height.size), 1) - 1])
    top = float(height.max())
    most = low + _TOP * (top - low) if max_height is None else min(max_height, top)
    share = _MAX_SCATTERS[deep_split]
    return Shape(min_size, low + share * (most - low), 0.75 * (1.0 - share) * (most - low), most)


def _lookup(distances: NDArray[Any], place: IntArray, exponent: int) -> Between:
    """Return the function that looks up distances, scaled by ``2 ** -exponent``; ``place`` is the row of each item."""
    n = place.size

    def between(rows: list[int], columns: list[int]) -> FloatArray:
        i, j = place[rows][:, None], place[columns][None, :]
        if distances.ndim == 2:
            values = distances[i, j]
        else:
            low, high = np.minimum(i, j), np.maximum(i, j)
            at = low * n - low * (low + 1) // 2 + high - low - 1
            values = np.where(low == high, 0, distances[np.where(low == high, 0, at)])
        scaled: FloatArray = np.ldexp(values.astype(np.float64), -exponent)
        return scaled

    return between


def _units(tree: Hierarchy, chosen: BoolArray, small: list[int]) -> list[list[int]]:
    """Return the items outside of clusters that are assigned together: small branches, and each other item."""
    unit = np.arange(tree.n_items) + tree.n_nodes
    order = tree.order
    for v in small:
        unit[order.item[order.item_low[v] : order.item_high[v]]] = v
    inside = (chosen | (nearest_kept(tree.parent, chosen) >= 0))[tree.item_node]
    together: dict[int, list[int]] = {}
    for item in np.flatnonzero(~inside).tolist():
        together.setdefault(int(unit[item]), []).append(item)
    return list(together.values())
