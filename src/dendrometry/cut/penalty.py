"""The cut that balances distortion against the number of clusters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dendrometry._check.arrays import float_column, read_only
from dendrometry._check.numbers import real_number
from dendrometry._check.points import points_of_items, require_dense
from dendrometry._kernels.cut.moments import moments
from dendrometry._typing import FloatArray
from dendrometry.cut.cut import Cut, undo_steps
from dendrometry.cut.underflow import require_squares
from dendrometry.errors import InvalidInputError, InvalidTreeError
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def cut_penalty(tree: HierarchyLike, distortion: Any, *, penalty: float) -> Cut:
    """Return the cut into K clusters with the least distortion(K) + penalty * K.

    ``K = argmin over K' of RSS(K') + lambda K'`` [1]_, where K' refers to the cut into K' clusters and RSS is the
    residual sum of squares, or any other distortion that adds up over clusters. Of equal minima the one with the
    fewest clusters is used.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights, whose items are all in leaves.
    distortion : (n_nodes,) array of float
        The distortion of every node as a single cluster; `residual_squares` gives the squared error.
    penalty : float
        The cost of each further cluster, at least 0. With 0 the finest cut is returned, unless a coarser one has the
        same distortion.

    Raises
    ------
    InvalidInputError
        If the penalty is negative or not finite, or there is not one finite distortion for each node.
    InvalidTreeError
        If the tree has no heights, or holds items at inner nodes.

    Notes
    -----
    The cuts are those of `cut_count`. O(n log n) time; O(n) where the node numbers are in order of height.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, eq. 16.11 and section
    17.1, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.cut import cut_penalty
    >>> from dendrometry.cut import residual_squares
    >>> points = [[0.0], [1.0], [10.0], [11.0]]
    >>> tree = agglomerate(points).hierarchy
    >>> cut_penalty(tree, residual_squares(tree, points), penalty=5.0).clusters
    [['0', '1'], ['2', '3']]
    """
    tree = as_hierarchy(tree)
    steps = undo_steps(tree, "a cut by penalty")
    value = float_column(distortion, "distortion")
    if value.size != tree.n_nodes:
        raise InvalidInputError(
            f"distortion must have one value for each of {tree.n_nodes:,} nodes; got {value.size:,}"
        )
    cost = real_number(penalty, "penalty", least=0.0)
    if tree.own_sizes[tree.n_children > 0].any():
        raise InvalidTreeError("all items must be in leaves for a cut by penalty; the tree has items at inner nodes")
    below = np.zeros(tree.n_nodes)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below; a cost that is infinite is not the least
        np.add.at(below, tree.parent[:-1], value[:-1])
        total = value[tree.root] + np.concatenate([[0.0], np.cumsum(below[steps.node] - value[steps.node])])
        cost_of_cut = total + cost * steps.n_clusters
    best = int(np.argmin(cost_of_cut))
    if not (np.isfinite(total).all() and np.isfinite(cost_of_cut[best])):
        raise InvalidInputError(
            "the sums of distortion and penalty must be finite; got an overflow (scale both down by the same factor)"
        )
    return replace(steps.cut(tree, best), n_alternatives=int((cost_of_cut == cost_of_cut[best]).sum()) - 1)


def residual_squares(tree: HierarchyLike, X: Any) -> FloatArray:
    """Return the residual sum of squares of each node: the summed squared distances of its items from their centroid.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree.
    X : (n_items, d) array of float or int
        The point of each item, in the order of ``tree.items``, or a data frame whose index names the items.

    Raises
    ------
    InvalidInputError
        If there is not one finite point for each item, or the squares overflow or underflow.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.

    Notes
    -----
    O(n d) time and memory.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.cut import residual_squares
    >>> points = [[0.0], [2.0], [10.0]]
    >>> residual_squares(agglomerate(points).hierarchy, points).tolist()
    [0.0, 0.0, 0.0, 2.0, 56.0]
    """
    tree = as_hierarchy(tree)
    points = points_of_items(X, tree.items)
    require_dense(points, "sums of squares")
    exponent = int(np.frexp(np.abs(points).max(initial=0.0))[1])
    scaled = np.ldexp(points, -exponent)
    scatter = moments(tree.parent, tree.item_node, scaled).scatter
    require_squares(tree, scaled, scatter)
    with np.errstate(over="ignore"):
        residual: FloatArray = np.ldexp(scatter, 2 * exponent)
    if not np.isfinite(residual).all():
        raise InvalidInputError("the sums of squares must be finite; got an overflow (scale the points down)")
    if ((residual == 0.0) & (scatter > 0.0)).any():
        raise InvalidInputError("sums of squares above 0 must stay above 0; got an underflow (scale the points up)")
    return read_only(residual)
