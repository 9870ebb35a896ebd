"""Cluster recall: the share of the clusters of the first tree that are clusters of the second."""

from __future__ import annotations

from typing import Literal

from dendrometry.errors import NthTree, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.cluster_counts import cluster_counts
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def cluster_recall(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Share of the clusters of ``a`` that are also clusters of ``b``.

    A cluster is the set of all items at or below a node; those of a single item and of all items are not counted,
    since every tree has them. Of unrooted trees (see `io.unroot`) it counts the splits with two items or more on both
    sides. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 if ``b`` contains every cluster of ``a``, as when ``b`` refines
        ``a``, whatever else it contains.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If ``a`` has no cluster of more than one item and fewer than all.

    Notes
    -----
    O(n log n) time, O(n) space, exact up to the final division. Not symmetric:
    ``cluster_recall(a, b) == cluster_precision(b, a)``.

    References
    ----------
    .. [1] D. F. Robinson, L. R. Foulds, "Comparison of phylogenetic trees", Mathematical Biosciences 53 (1981) 131-147,
       doi:10.1016/0025-5564(81)90043-2.
    .. [2] W. H. E. Day, "Optimal algorithms for comparing trees with labeled leaves", Journal of Classification 2
       (1985) 7-28, doi:10.1007/BF01908061.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import cluster_recall
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),elk,owl);")
    >>> cluster_recall(a, b)
    0.5
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics, side: Literal[0, 1] = 0) -> Score:
    """Return the share of the clusters of a (side 0) or of b (1) with its expectation."""
    counts = cluster_counts(statistics)
    if counts[side] == 0:
        which: Literal["first", "second"] = "second" if side else "first"
        of_rooted, of_unrooted = (
            "cluster of more than one item and fewer than all",
            "split with two items on both sides",
        )
        needed = of_unrooted if statistics.pair.unrooted else of_rooted
        raise UndefinedMeasureError(NthTree(which), f" must have a {needed}; it has none")
    value, expected = counts.shared / counts[side], counts.expected / counts[side]
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=cluster_recall,
    of="trees",
    unrooted=Unrooted("the share of the splits of {a} that are splits of {b}"),
    symbol="R",
    title="Cluster recall",
    aliases=("clade recall", "split recall"),
    score=score,
    symmetric=False,
    triangle=False,
    default=False,
    meaning="the share of the clusters of {a} that are clusters of {b}",
    formula="R = |C_a ∩ C_b| / |C_a|\nC = the sets of items of the nodes, without single items and all items",
    chance="(1/|C_a|) Σ_s c_a(s) c_b(s) / C(n,s), c(s) = number of clusters of s items; exact",
    source="Robinson and Foulds 1981",
    bibtex="robinson1981",
)
