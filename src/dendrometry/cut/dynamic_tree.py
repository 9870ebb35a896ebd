"""The dynamic tree cut that looks at the tree alone: runs of low items in the order of drawing."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dendrometry._check.numbers import real_number, whole_number
from dendrometry._check.points import scale_of
from dendrometry._flags import flag
from dendrometry._kernels.tree import accumulate_down
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cut.cut import Cut, cut_below, cut_of
from dendrometry.cut.dynamic_binary import heights_of_binary
from dendrometry.cut.dynamic_runs import split_runs
from dendrometry.cut.tie_orders import count_other_orders
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy

_TOP = 0.99


def cut_dynamic_tree(
    tree: HierarchyLike, min_size: int, *, deep_split: bool = True, max_height: float | None = None
) -> Cut:
    """Return the clusters of a dynamic tree cut, "tree": runs of items that are joined low, in the order of drawing.

    The clusters of a cut at ``max_height`` are split further [1]_. In the order of drawing, each item has the height of
    its first merge. Within a cluster, a new part starts where an item above the mean of these heights follows more
    than ``min_size / 3`` items at or below it, which in turn follow an item above. A part of fewer than
    ``2 * min_size`` items whose mean is below that of the part before it is joined to that part, and so are fewer than
    ``min_size - 1`` items at the end. If the mean splits nothing, the middle of the mean and the greatest height is
    used, then that of the mean and the least.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A binary tree with heights and one item in each leaf.
    min_size : int
        The least number of items of a cluster, from 2 on.
    deep_split : bool
        Whether parts are split again until none can be split; otherwise, clusters are split once.
    max_height : float, optional
        The height above which merges are undone; by default, and if it is above the root, 0.99 times the height of the
        root.

    Returns
    -------
    Cut
        The clusters; every item that is in none of them is alone. The node of a cluster is the lowest that holds all
        of it, and may hold other clusters too.

    Raises
    ------
    InvalidInputError
        If an option is invalid.
    InvalidTreeError
        As for `cut_dynamic_hybrid`.

    Notes
    -----
    O(n log n) time and O(n) memory if splits are even, O(n^2) time at most. Where merges tie, the clusters depend on
    the order in which the tree has them, as in R: other orders of the items may give others. ``n_alternatives`` is then
    the number of other clusterings in 20 random orders of what ties in the tree, or in fewer above 5,000 items, but at
    least 2: a lower bound. The values are those of
    ``cutreeDynamicTree`` of R's package dynamicTreeCut 1.63, which ``cutreeDynamic(method = "tree")`` calls. There,
    ``maxTreeHeight`` is 1 by default. The order of drawing is that of R's ``hclust``: items before clusters, low
    clusters before high ones, and at the same height the one with the lower node number first. With inversions, a
    node counts at the greatest height inside it.

    References
    ----------
    .. [1] P. Langfelder, B. Zhang, S. Horvath, "Defining clusters from a hierarchical cluster tree: the Dynamic Tree
       Cut package for R", Bioinformatics 24 (2008), doi:10.1093/bioinformatics/btm563.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.cut import cut_dynamic_tree
    >>> tree = agglomerate([[x] for x in [0, 1, 3, 6, 20, 21, 23, 26, 90]], linkage="average").hierarchy
    >>> cut_dynamic_tree(tree, 3).clusters
    [['0', '1', '2', '3'], ['4', '5', '6', '7'], ['8']]
    """
    tree = as_hierarchy(tree)
    least, again = whole_number(min_size, "min_size", 2), flag(deep_split, "deep_split")
    formed, merges = heights_of_binary(tree)
    limit = np.inf if max_height is None else real_number(max_height, "max_height", finite=False)
    exponent = scale_of(formed[merges])
    height = np.ldexp(np.where(merges, formed, 0.0), -exponent)
    top, most = float(height[tree.root]), float(np.ldexp(limit, -exponent))
    wanted = _Wanted(least, again, most if most <= top else _TOP * top, exponent)
    cut = _cut(tree, wanted, np.arange(tree.n_nodes))
    if not _has_ties(tree, height):
        return cut
    others = count_other_orders(tree, merges, cut, lambda other, number: _cut(other, wanted, number))
    return replace(cut, n_alternatives=others)


class _Wanted(NamedTuple):
    """The options of a cut, its height in units of ``2 ** exponent``."""

    min_size: int
    again: bool
    max_height: float
    exponent: int


def _cut(tree: Hierarchy, wanted: _Wanted, number: IntArray) -> Cut:
    """Return the clusters of a binary tree; of siblings at the same height, the lower number is drawn first."""
    formed, merges = heights_of_binary(tree)
    height = np.ldexp(np.where(merges, formed, 0.0), -wanted.exponent)
    least = wanted.min_size
    kept = cut_below(tree, merges & (height > wanted.max_height)).nodes
    large = kept[tree.sizes[kept] >= least]
    start, join = _draw(tree, height, number)
    runs = list(zip(start[large].tolist(), (start + tree.sizes)[large].tolist(), strict=True))
    place = start[tree.item_node]
    first_merge, node = np.empty(tree.n_items), np.empty(tree.n_items, dtype=np.int64)
    first_merge[place], node[place] = height[tree.parent[tree.item_node]], tree.item_node
    key = np.arange(tree.n_items)
    for low, high in split_runs(first_merge, runs, least, again=wanted.again):
        if high - low >= least:
            key[low:high], node[low:high] = low, join[low : high - 1].max()
    return cut_of(key[place], node[place], tree.items)


def _has_ties(tree: Hierarchy, height: FloatArray) -> bool:
    """Whether a merge lies at the height of the one above it, or of its sibling. That of two items decides nothing."""
    pair = tree.children.node.reshape(-1, 2)
    inner = tree.n_children[pair] > 0
    above = height[tree.parent[pair[:, 0]]]
    beside = inner.all(axis=1) & (height[pair[:, 0]] == height[pair[:, 1]])
    return bool((beside | (inner & (height[pair] == above[:, None])).any(axis=1)).any())


def _draw(tree: Hierarchy, height: FloatArray, number: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first position of each node in the order of drawing, and the node that joins each two neighbours.

    An item comes before a cluster, and the lower of two clusters before the higher; then numbers decide.
    """
    one, other = tree.children.node.reshape(-1, 2).T
    level = np.where(tree.n_children > 0, height, -np.inf)
    in_order = (level[one] < level[other]) | ((level[one] == level[other]) & (number[one] < number[other]))
    first, second = np.where(in_order, (one, other), (other, one))
    offset = np.zeros(tree.n_nodes, dtype=np.int64)
    offset[second] = tree.sizes[first]
    start = accumulate_down(tree.parent, offset)
    join = np.empty(first.size, dtype=np.int64)
    join[start[second] - 1] = tree.parent[second]
    return start, join
