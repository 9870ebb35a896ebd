"""Cuts at a given height, or in the largest gap between heights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._check.numbers import real_number
from dendrometry._display import printable
from dendrometry._typing import FloatArray
from dendrometry.cut.cut import Cut, cut_below, heights_of
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def cut_height(tree: HierarchyLike, height: float) -> Cut:
    """Return the largest clusters whose merges all lie at or below a height: merges at exactly that height are kept.

    For a similarity s, cut at the height ``top - s``: 1 - s for cosine, -s where similarity is negative distance.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights. With inversions, a cluster counts at the greatest height inside it.
    height : float
        The threshold; infinity keeps everything together.

    Raises
    ------
    InvalidInputError
        If the height is not a number.
    InvalidTreeError
        If the tree has no heights.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> from dendrometry import cut_height, from_linkage
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 5, 4]], item_names=["ape", "bat", "cat", "dog"])
    >>> cut_height(tree, 2.0).clusters
    [['ape', 'bat'], ['cat', 'dog']]
    >>> cut_height(tree, 1.999).clusters
    [['ape', 'bat'], ['cat'], ['dog']]
    """
    tree = as_hierarchy(tree)
    formed, merges = heights_of(tree, "a cut at a height")
    threshold = real_number(height, "the height of a cut", finite=False)
    return cut_below(tree, (formed > threshold) & merges)


def cut_heights(tree: HierarchyLike, heights: Iterable[float]) -> tuple[Cut, ...]:
    """Return `cut_height` for each of several heights.

    Examples
    --------
    >>> from dendrometry import from_linkage
    >>> from dendrometry.cut import cut_heights
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    >>> [cut.n_clusters for cut in cut_heights(tree, [0.5, 1.0, 2.0])]
    [3, 2, 1]
    """
    given: object = heights
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInputError(f"heights must be a sequence of numbers; got {printable(heights)}")
    tree = as_hierarchy(tree)
    return tuple(cut_height(tree, height) for height in elements(heights, "heights"))


def cut_gap(tree: HierarchyLike) -> Cut:
    """Return the cut where the gap between two successive heights of merges is largest.

    Such gaps arguably indicate natural clusterings [1]_: with one cluster less, clusters that are much farther apart
    would be joined. Of several equally large gaps the highest is used, which gives the fewest clusters.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights. With inversions, a cluster counts at the greatest height inside it.

    Raises
    ------
    UndefinedMeasureError
        If there is no gap: fewer than two merges, or all at one height.
    InvalidTreeError
        If the tree has no heights.

    Notes
    -----
    O(n log n) time.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, section 17.1, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry import from_linkage
    >>> from dendrometry.cut import cut_gap
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 5, 4]], item_names=["ape", "bat", "cat", "dog"])
    >>> cut_gap(tree).clusters
    [['ape', 'bat'], ['cat', 'dog']]
    """
    tree = as_hierarchy(tree)
    formed, merges = heights_of(tree, "a cut at the largest gap")
    heights: FloatArray = np.unique(formed[merges])
    if heights.size < 2:
        raise UndefinedMeasureError(
            "the largest gap is undefined if no two merges differ in height;"
            f" got {int(merges.sum())} merges at {heights.size} heights"
        )
    gaps = np.diff(heights)
    at = gaps.size - 1 - int(np.argmax(gaps[::-1]))
    n_alternatives = int((gaps == gaps[at]).sum()) - 1
    return replace(cut_height(tree, float(heights[at])), n_alternatives=n_alternatives)
