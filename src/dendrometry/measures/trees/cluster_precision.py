"""Cluster precision: the share of the clusters of the second tree that are clusters of the first."""

from __future__ import annotations

from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score
from dendrometry.measures.trees import cluster_recall
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def cluster_precision(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Share of the clusters of ``b`` that are also clusters of ``a``.

    This is `cluster_recall` of ``b`` and ``a``; see there for definitions, cost and sources.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 if ``a`` contains every cluster of ``b``, as when ``a`` refines
        ``b``, whatever else it contains.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If ``b`` has no cluster of more than one item and fewer than all.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import cluster_precision
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),elk,owl);")
    >>> cluster_precision(a, b)
    1.0
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the share with its expectation."""
    return cluster_recall.score(statistics, 1)


MEASURE = Measure(
    call=cluster_precision,
    of="trees",
    unrooted=Unrooted("the share of the splits of {b} that are splits of {a}"),
    symbol="P",
    title="Cluster precision",
    aliases=("clade precision", "split precision"),
    score=score,
    symmetric=False,
    triangle=False,
    default=False,
    meaning="the share of the clusters of {b} that are clusters of {a}",
    formula="P = |C_a ∩ C_b| / |C_b|\nC = the sets of items of the nodes, without single items and all items",
    chance="(1/|C_b|) Σ_s c_a(s) c_b(s) / C(n,s), c(s) = number of clusters of s items; exact",
    source="Robinson and Foulds 1981",
    bibtex="robinson1981",
)
