"""Cuts by the number of clusters: exactly a given number, or at most that number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._check.numbers import whole_number
from dendrometry._display import printable
from dendrometry.cut.cut import Cut, undo_steps
from dendrometry.cut.ties import count_alternatives
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def cut_count(tree: HierarchyLike, n_clusters: int) -> Cut:
    """Return the cut into exactly ``n_clusters`` clusters: the last ``n_clusters - 1`` merges are undone.

    Merges are ordered by height; with inversions, a cluster counts at the greatest height inside it. Of merges at the
    same height, the one with the greater node number is undone first. The number of clusters is exact despite ties and
    inversions, and if some cut at a height has this number of clusters, it is the same cut. `cut_at_most` undoes
    merges of the same height together.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights.
    n_clusters : int
        The number of clusters, from 1 to the number of items; items that share a leaf count as one.

    Raises
    ------
    InvalidInputError
        If ``n_clusters`` is not a whole number in that range, or the tree has nodes with more than two parts (children,
        and items of its own) and therefore no such cut.
    InvalidTreeError
        If the tree has no heights, and therefore no order of merging.

    Notes
    -----
    O(n log n) time; O(n) if the node numbers are in order of height. If the cut goes through a tie, the order of node
    numbers decides which of the tied merges are undone, and ``n_alternatives`` says how many other clusterings the tree
    cannot tell from this one: connected merges at one height count as one merge, whose parts may be joined in any way.
    Other tie-breaks show which of these can occur: ``tie_rng`` of `agglomerate`.

    Examples
    --------
    >>> from dendrometry import cut_count, from_linkage
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 5, 4]], item_names=["ape", "bat", "cat", "dog"])
    >>> cut_count(tree, 3).clusters
    [['ape', 'bat'], ['cat'], ['dog']]
    >>> tied = from_linkage([[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 5, 4]])
    >>> cut_count(tied, 3)
    Cut(4 items in 3 clusters, one of 2 equally good)
    """
    tree = as_hierarchy(tree)
    steps = undo_steps(tree, "a cut by the number of clusters")
    counts = steps.n_clusters
    wanted = whole_number(n_clusters, "n_clusters", 1, int(counts[-1]))
    step = int(np.searchsorted(counts, wanted))
    if counts[step] != wanted:
        raise InvalidInputError(
            "a tree with nodes of more than two parts cannot be cut into every number of clusters;"
            f" got {wanted}, the nearest possible are {counts[step - 1]} and {counts[step]}"
        )
    return replace(steps.cut(tree, step), n_alternatives=count_alternatives(tree, steps, step))


def cut_counts(tree: HierarchyLike, n_clusters: Iterable[int]) -> tuple[Cut, ...]:
    """Return `cut_count` for each of several numbers of clusters.

    Examples
    --------
    >>> from dendrometry import from_linkage
    >>> from dendrometry.cut import cut_counts
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    >>> [cut.labels.tolist() for cut in cut_counts(tree, [1, 2, 3])]
    [[0, 0, 0], [0, 0, 1], [0, 1, 2]]
    """
    if not isinstance(n_clusters, Iterable):
        raise InvalidInputError(Argument("n_clusters"), f" must be a sequence of numbers; got {printable(n_clusters)}")
    tree = as_hierarchy(tree)
    return tuple(cut_count(tree, count) for count in elements(n_clusters, "n_clusters"))


def cut_at_most(tree: HierarchyLike, max_clusters: int) -> Cut:
    """Return the finest cut at a height that has at most ``max_clusters`` clusters.

    Merges of the same height are undone together, so there may be fewer clusters: a tree of four equidistant points
    cannot be cut into 3 at any height. For an exact number of clusters, see `cut_count`.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights. With inversions, a cluster counts at the greatest height inside it.
    max_clusters : int
        The largest number of clusters, from 1 to the number of items.

    Notes
    -----
    O(n log n) time.

    Examples
    --------
    >>> from dendrometry import agglomerate_distances, cut_count
    >>> from dendrometry.cut import cut_at_most
    >>> tree = agglomerate_distances([1, 1, 1, 1, 1, 1], linkage="single").hierarchy
    >>> cut_at_most(tree, 3).n_clusters, cut_count(tree, 3).n_clusters
    (1, 3)
    """
    tree = as_hierarchy(tree)
    steps = undo_steps(tree, "a cut by the number of clusters")
    wanted = whole_number(max_clusters, "max_clusters", 1, int(steps.n_clusters[-1]))
    step = int(np.searchsorted(steps.n_clusters, wanted, side="right")) - 1
    while 0 < step < steps.node.size and steps.height[step] == steps.height[step - 1]:
        step -= 1
    return steps.cut(tree, step)
