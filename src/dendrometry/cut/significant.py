"""The cut where the evidence ends: splits are undone as far down as tests reject that their parts are one group."""

from __future__ import annotations

import numpy as np

from dendrometry._check.numbers import real_number
from dendrometry._check.tree import column_of_nodes
from dendrometry._kernels.tree import accumulate_sum, nearest_kept
from dendrometry._typing import FloatArray
from dendrometry.cut.cut import Cut, cut_below
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def cut_significant(tree: HierarchyLike, adjusted: FloatArray, *, alpha: float = 0.05) -> Cut:
    """Return the clusters below the significant splits: a tree is cut down to where the evidence ends.

    From the root down, a node is undone if its adjusted p-value, that of "its parts are one group", is at most alpha,
    and so are those of all tested nodes above it.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        Any tree, with or without heights.
    adjusted : (n_nodes,) array of float
        The adjusted p-value of each node, from 0 to 1, such as those of `significance.adjust_down`; nan where none was
        tested.
    alpha : float
        The level, above 0 and below 1. If nodes were tested from the root down, choose the level of the test or a lower
        one: below a node that was not rejected, nothing was tested.

    Returns
    -------
    Cut
        The clusters; a single one if the split at the top is not significant, or nothing was tested. If the adjusted
        p-values hold the family-wise error, the chance that any of the tested nodes that are undone really is one group
        is at most alpha.

    Raises
    ------
    InvalidInputError
        If there is not one p-value, from 0 to 1 or nan, for each node, or the level is out of range.

    Notes
    -----
    A node that was not tested is undone if a significant split lies below it, since the parts of that are different
    clusters, and otherwise not. An item that such a node splits off, as an outlier, is a cluster of one: no test says
    where it belongs. Of a larger part that it splits off, no test says that it differs from the rest: nan in
    ``adjusted[tree.parent[cut.nodes]]`` marks these clusters.

    Leaves are never undone, nor are nodes that hold the items of their only child, whatever their p-values. A cluster
    need not be one group: a split that is not significant may be one that the test did not see, and an untested one
    was not asked about. O(n log n) time.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.cut import cut_significant
    >>> from dendrometry.significance import adjust_down
    >>> tree = from_newick("((ape,bat),(cow,dog));")
    >>> nan = float("nan")  # the leaves, which come before their parent, have no split
    >>> adjusted = adjust_down(tree, [nan, nan, 0.01, nan, nan, 0.4, 0.001])
    >>> cut_significant(tree, adjusted).clusters
    [['ape'], ['bat'], ['cow', 'dog']]
    >>> cut_significant(tree, adjusted, alpha=0.01).clusters
    [['ape', 'bat'], ['cow', 'dog']]
    """
    tree = as_hierarchy(tree)
    column = column_of_nodes(adjusted, "adjusted", tree.n_nodes)
    level = real_number(alpha, "alpha", above=0.0, below=1.0)
    merges = (tree.n_children > 0) & (tree.n_children + tree.own_sizes > 1)
    stops = merges & (column > level)
    rejected = merges & (column <= level) & (nearest_kept(tree.parent, stops) < 0)
    return cut_below(tree, merges & (accumulate_sum(tree.parent, rejected.astype(np.int64)) > 0))
