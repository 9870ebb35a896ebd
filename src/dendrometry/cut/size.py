"""The cut by the largest number of items of a cluster."""

from __future__ import annotations

from dendrometry._check.numbers import whole_number
from dendrometry.cut.cut import Cut, cut_below
from dendrometry.cut.ties import highest_tied
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def cut_size(tree: HierarchyLike, max_size: int) -> Cut:
    """Return the largest clusters of a tree that have at most ``max_size`` items each.

    Nodes with more items are undone, whatever their heights: batches for a reader, or pages of a browser. Merges at
    one height, one below the other, are one merge of all their parts, and undone together, so that the order of the
    items does not decide.

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
    O(n log n) time. The clusters need not lie at one height. The points of a grid, for one, all merge at one height in
    single linkage: the tree has no smaller clusters, and they are alone if there are more than ``max_size``.

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
    return cut_below(tree, merges & (tree.sizes[highest_tied(tree, merges)] > most))
