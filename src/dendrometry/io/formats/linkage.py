"""SciPy's linkage matrix, and the merges of scikit-learn's estimators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.arrays import float_column, real_array
from dendrometry._check.names import item_names_of, names_or_numbers
from dendrometry._check.tree import require_heights
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidTreeError, Remedy
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.requirements import require_items_at_leaves, warn_lost
from dendrometry.io.parents import from_parents


def from_linkage(Z: ArrayLike, item_names: Iterable[str] | None = None) -> Hierarchy:
    """Return the hierarchy of a SciPy linkage matrix.

    Row i merges clusters ``Z[i, 0]`` and ``Z[i, 1]`` at height ``Z[i, 2]`` into cluster n + i, which then holds
    ``Z[i, 3]`` items; clusters 0 to n - 1 are the items. Nodes keep these numbers, so ascending numbers give
    the order of merging, even if heights are tied or inverted.

    Parameters
    ----------
    Z : (n - 1, 4) array of float or int
        The linkage matrix. R and MATLAB number clusters differently: see `from_hclust`, or subtract 1 from the first
        two columns of MATLAB's matrix and append the counts.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.

    Raises
    ------
    InvalidTreeError
        If an id is not a whole number, out of range, not yet formed or used twice; if a height is not finite; or if a
        count is not the number of items merged. The message names the row.

    Examples
    --------
    >>> from dendrometry import from_linkage
    >>> from_linkage([[0, 1, 1.0, 2], [2, 3, 2.5, 3]], item_names=["ape", "cat", "owl"])
    Hierarchy(3 items 'ape' to 'owl', 5 nodes, heights 0 to 2.5)
    """
    rows = real_array(Z, "a linkage", 2)
    if rows.shape[1] != 4:
        raise InvalidTreeError(f"a linkage must have 4 columns (two ids, height, count); got shape {rows.shape}")
    n = rows.shape[0] + 1
    parent = _parents_of_merges(rows[:, :2], n)
    _check_heights(rows[:, 2])
    height = np.concatenate([np.zeros(n), rows[:, 2].astype(np.float64)])
    tree = Hierarchy(parent, height, np.arange(n), names_or_numbers(item_names, n))
    with np.errstate(invalid="ignore"):
        wrong = rows[:, 3] != tree.sizes[n:]
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InvalidTreeError(
            f"row {i} of a linkage must count the items it merges, {tree.sizes[n + i]}; got {rows[i, 3]}"
        )
    return tree


def to_linkage(tree: Hierarchy) -> FloatArray:
    """Return a binary tree with heights and one item in each leaf as a SciPy linkage matrix.

    Items keep their order, rows are in the order of merging, and the smaller id is first in each row.

    Raises
    ------
    InvalidTreeError
        If the tree is not binary, has no heights, has leaves above height 0, or does not hold exactly one item
        in each leaf and none elsewhere.

    Warns
    -----
    LostMeaningWarning
        If nodes have names, which a linkage cannot hold.

    Examples
    --------
    >>> from dendrometry import from_linkage, to_linkage
    >>> to_linkage(from_linkage([[1, 0, 1, 2], [3, 2, 2.5, 3]]))
    array([[0. , 1. , 1. , 2. ],
           [2. , 3. , 2.5, 3. ]])
    """
    check_dendrogram(tree, "a linkage")
    assert tree.height is not None
    merges = np.flatnonzero(tree.n_children)
    pairs = cluster_numbers(tree)[tree.children.node.reshape(-1, 2)]
    return np.column_stack([np.sort(pairs, axis=1), tree.height[merges], tree.sizes[merges]])


def from_sklearn(
    children: Any, distances: ArrayLike | None = None, item_names: Iterable[str] | None = None
) -> Hierarchy:
    """Return the hierarchy of scikit-learn's ``children_``, or of a fitted estimator with that attribute.

    Row i of ``children_`` merges two clusters into cluster n + i, numbered as in SciPy's linkage.

    Parameters
    ----------
    children : (n_merges, 2) array of int, or fitted estimator
        The merges, or an estimator with ``children_`` and, if computed, ``distances_``. Fewer than n - 1 merges
        (a tree that was stopped early) form a forest, which is joined under a root.
    distances : (n_merges,) array of float, optional
        The height of each merge, ``distances_``. Heights cannot be given for a forest.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.

    Raises
    ------
    InvalidTreeError
        As for `from_linkage`; or if an estimator is not fitted.

    Examples
    --------
    >>> from dendrometry import from_sklearn
    >>> from_sklearn([[0, 1], [2, 3]], distances=[1.0, 2.5])
    Hierarchy(3 items, 5 nodes, heights 0 to 2.5)
    """
    item_names = None if item_names is None else item_names_of(item_names, "item names")
    n_items = None if item_names is None else len(item_names)
    estimator = None
    if hasattr(children, "fit"):
        estimator, children = children, getattr(children, "children_", None)
        if children is None:
            raise InvalidTreeError(f"the estimator must be fitted and have children_; got {type(estimator).__name__}")
        n_items = int(getattr(estimator, "n_leaves_", len(children) + 1))
        distances = getattr(estimator, "distances_", None) if distances is None else distances
    pairs = real_array(children, "children", 2)
    if pairs.shape[1] != 2:
        raise InvalidTreeError(f"children must have 2 columns; got shape {pairs.shape}")
    n = pairs.shape[0] + 1 if n_items is None else n_items
    parent = _parents_of_merges(pairs, n)
    names = names_or_numbers(item_names, n)
    if distances is None:
        return from_parents(parent, np.arange(n), None, names)
    if pairs.shape[0] != n - 1:
        raise InvalidTreeError(
            f"a tree of {n:,} items with heights must have {n - 1:,} merges; got {pairs.shape[0]:,}",
            Remedy("", ..., "a forest has no heights" if estimator is None else "fit with compute_full_tree=True"),
        )
    merge_height = float_column(distances, "distances")
    if merge_height.size != n - 1:
        raise InvalidTreeError(f"distances must have one value for each of {n - 1} merges; got {merge_height.size}")
    return Hierarchy(parent, np.concatenate([np.zeros(n), merge_height]), np.arange(n), names)


def check_dendrogram(tree: Hierarchy, what: str) -> None:
    """Refuse trees that a list of merges cannot represent; warn if names of nodes are lost."""
    require_hierarchy(tree)
    height = require_heights(tree.height, "the tree", what, InvalidTreeError)
    if not tree.is_binary:
        v = int(np.argmin(np.isin(tree.n_children, (0, 2))))
        more = " (without_unary() removes such nodes)" if tree.n_children[v] == 1 else ""
        raise InvalidTreeError(
            f"the tree must be binary to be written as {what}; node {v} has {tree.n_children[v]} children{more}"
        )
    require_items_at_leaves(tree, what)
    if height[tree.leaves].any():
        v = int(tree.leaves[np.argmax(height[tree.leaves] != 0)])
        raise InvalidTreeError(
            f"leaves must lie at height 0 to be written as {what}; node {v} is a leaf at {height[v]}"
        )
    if tree.node_names:
        warn_lost(f"{what} cannot hold names of nodes; they are left out")


def cluster_numbers(tree: Hierarchy) -> IntArray:
    """Return the number of each node in a list of merges: leaves by their item, then merges by their order."""
    number = np.empty(tree.n_nodes, dtype=np.int64)
    number[tree.item_node] = np.arange(tree.n_items)
    merges = np.flatnonzero(tree.n_children)
    number[merges] = tree.n_items + np.arange(merges.size)
    return number


def _parents_of_merges(pairs: NDArray[Any], n: int) -> IntArray:
    """Return the parents of clusters numbered as in SciPy, -1 for those never merged; refuse invalid merges."""
    with np.errstate(invalid="ignore"):
        whole = pairs.astype(np.int64)
    for wrong, rule in (
        (whole != pairs, "must be whole numbers"),
        (whole < 0, "must not be negative"),
        (whole >= n + np.arange(pairs.shape[0])[:, None], "must name items or clusters formed in earlier rows"),
    ):
        if wrong.any():
            i, j = divmod(int(np.argmax(wrong)), 2)
            raise InvalidTreeError(f"the ids in row {i} {rule}, at most {n + i - 1}; got {pairs[i, j]}")
    merged = whole.ravel()
    if merged.size and np.bincount(merged).max() > 1:
        again = np.ones(merged.size, dtype=bool)
        again[np.unique(merged, return_index=True)[1]] = False
        at = int(np.argmax(again))
        raise InvalidTreeError(f"each cluster must be merged once; row {at // 2} merges {merged[at]} again")
    parent = np.full(n + pairs.shape[0], -1, dtype=np.int64)
    parent[merged] = n + np.arange(merged.size) // 2
    return parent


def _check_heights(heights: NDArray[Any]) -> None:
    """Refuse heights that are not finite, naming the row."""
    with np.errstate(over="ignore", invalid="ignore"):
        bad = ~np.isfinite(heights.astype(np.float64))
    if bad.any():
        i = int(np.argmax(bad))
        raise InvalidTreeError(f"the height in row {i} must be finite; got {heights[i]}")
