"""R's hclust objects: merges with negative numbers for items and positive numbers for earlier rows, from 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import float_column, freeze_arrays, int_column, real_array
from dendrometry._check.names import name_column
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidTreeError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.linkage import check_dendrogram, cluster_numbers, from_sklearn


@freeze_arrays
class Hclust(NamedTuple):
    """The parts of an R ``hclust`` object that describe the tree."""

    merge: IntArray
    height: FloatArray
    labels: tuple[str, ...]
    order: IntArray


def from_hclust(
    merge: ArrayLike,
    height: ArrayLike,
    item_names: Iterable[str] | None = None,
    order: ArrayLike | None = None,
) -> Hierarchy:
    """Return the hierarchy of an R ``hclust`` object.

    Parameters
    ----------
    merge : (n - 1, 2) array of int
        The two clusters merged in each row: -j is item j, +j is the cluster formed in row j, both counted from 1.
    height : (n - 1,) array of float
        The height of each merge.
    item_names : sequence of str, optional
        The names of the items; by default "1", "2", and so on, as R prints items without labels.
    order : (n,) array of int, optional
        R's plotting order, a permutation of 1 to n. It is checked but not stored: hierarchies do not order children.

    Raises
    ------
    InvalidTreeError
        If ``merge`` contains a zero, or an item or cluster that does not exist, is not yet formed or is merged twice
        (the message names the row); or if ``order`` is not a permutation.

    Examples
    --------
    >>> from dendrometry import from_hclust
    >>> from_hclust([[-1, -2], [-3, 1]], height=[1.0, 2.5], item_names=["ape", "cat", "owl"])
    Hierarchy(3 items 'ape' to 'owl', 5 nodes, heights 0 to 2.5)
    """
    pairs = real_array(merge, "merge", 2)
    if pairs.shape[1] != 2:
        raise InvalidTreeError(f"merge must have 2 columns, for the two clusters merged; got {pairs.shape[1]}")
    n = pairs.shape[0] + 1
    with np.errstate(invalid="ignore"):
        broken = np.floor(pairs) != pairs
    for wrong, rule in (
        (broken, "whole numbers"),
        (pairs == 0, "negative for items or positive for earlier rows, counted from 1"),
        (pairs < -n, f"at least -{n}, the last item"),
    ):
        if wrong.any():
            i, j = divmod(int(np.argmax(wrong)), pairs.shape[1])
            raise InvalidTreeError(f"the numbers in row {i + 1} of merge must be {rule}; got {pairs[i, j]}")
    later = pairs > np.arange(pairs.shape[0])[:, None]
    if later.any():
        i, j = divmod(int(np.argmax(later)), pairs.shape[1])
        raise InvalidTreeError(f"row {i + 1} of merge must use rows formed before it; got {pairs[i, j]}")
    pairs = pairs.astype(np.int64)
    again = np.ones(pairs.size, dtype=bool)
    again[np.unique(pairs, return_index=True)[1]] = False
    if again.any():
        i, j = divmod(int(np.argmax(again)), pairs.shape[1])
        raise InvalidTreeError(f"each item and cluster must be merged once; row {i + 1} merges {pairs[i, j]} again")
    merge_height = float_column(height, "height")
    if merge_height.size != n - 1:
        raise InvalidTreeError(f"height must have one value for each of {n - 1} merges; got {merge_height.size}")
    if order is not None and not np.array_equal(np.sort(int_column(order, "order")), np.arange(1, n + 1)):
        raise InvalidTreeError(f"order must be a permutation of 1 to {n}")
    names = name_column(map(str, range(1, n + 1)) if item_names is None else item_names, n)
    return from_sklearn(np.where(pairs < 0, -pairs - 1, pairs + n - 1), merge_height, names)


def to_hclust(tree: Hierarchy) -> Hclust:
    """Return a binary tree with heights and one item in each leaf as the parts of an R ``hclust`` object.

    Rows follow R's conventions: items before clusters, lower numbers first; ``order`` gives a plot without crossings.
    In R, ``structure(list(merge=, height=, labels=, order=), class="hclust")`` assembles the parts.

    Raises
    ------
    InvalidTreeError
        As `to_linkage`.

    Warns
    -----
    LostMeaningWarning
        If nodes have names.

    Examples
    --------
    >>> from dendrometry import from_linkage, to_hclust
    >>> to_hclust(from_linkage([[0, 1, 1, 2], [2, 3, 2.5, 3]])).merge
    array([[-1, -2],
           [-3,  1]])
    """
    check_dendrogram(tree, "hclust")
    assert tree.height is not None
    merges = np.flatnonzero(tree.n_children)
    n = tree.n_items
    pairs = np.sort(cluster_numbers(tree)[tree.children.node.reshape(-1, 2)], axis=1)
    merge = np.where(pairs < n, -pairs - 1, pairs - n + 1)
    return Hclust(merge, tree.height[merges], tree.items, tree.order.item + 1)
