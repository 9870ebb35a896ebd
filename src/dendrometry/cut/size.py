"""The cut by the largest number of items of a cluster."""

from __future__ import annotations

from dendrometry._check.numbers import whole_number
from dendrometry.cut.cut import Cut, cut_below
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def cut_size(tree: HierarchyLike, max_size: int) -> Cut:
    """Return the largest clusters of a tree that have at most ``max_size`` items each.

    Nodes with more items are undone, whatever their heights: batches for a reader, or pages of a browser.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        Any tree, with or without heights.
    max_size : int
        The largest number of items, from 1 on. A leaf that holds more is not split.

    Raises
    ------
    InvalidInputError
        If ``max_size`` is not a whole number from 1 on.

    Notes
    -----
    O(n log n) time. The clusters need not lie at one height. Where merges tie, a tree keeps one of their orders, and
    the clusters are those of that order: the same items in another order may give others.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.cut import cut_size
    >>> cut_size(from_newick("(((ape,cat),elk),(fox,owl));"), 2).clusters
    [['ape', 'cat'], ['elk'], ['fox', 'owl']]
    """
    tree = as_hierarchy(tree)
    most = whole_number(max_size, "max_size", 1)
    merges = (tree.n_children > 0) & (tree.n_children + tree.own_sizes > 1)
    return cut_below(tree, merges & (tree.sizes > most))
