"""Triplet precision: the share of the triples resolved by the second tree that the first resolves alike."""

from __future__ import annotations

from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.measures.trees import triplet_recall
from dendrometry.measures.trees.triplet_agreement import cost, limit
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def triplet_precision(a: HierarchyLike, b: HierarchyLike) -> float:
    """Share of the triples of items resolved by ``b`` that ``a`` resolves in the same way.

    This is `triplet_recall` of ``b`` and ``a``; see there for definitions, cost and sources.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 if ``a`` has every cluster of ``b``, as when ``a`` refines
        ``b``: a dendrogram is not blamed for resolving what a taxonomy leaves open.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If ``b`` resolves no triple, as a star or a tree of two items.
    InvalidInputError
        If there are more than 3,810,778 items.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import triplet_precision
    >>> a, b = from_newick("((ape,cat),elk,owl);"), from_newick("(((ape,cat),elk),owl);")
    >>> triplet_precision(a, b)
    0.5
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the share with its expectation."""
    return triplet_recall.score(statistics, 1)


MEASURE = Measure(
    call=triplet_precision,
    of="trees",
    symbol="T_b",
    title="Triplet precision",
    aliases=("triple precision",),
    score=score,
    symmetric=False,
    triangle=False,
    default=False,
    cost=cost,
    slow="counting triples",
    limit=limit,
    meaning="the share of the triples of items resolved by {b} that {a} resolves alike",
    formula="T_b = S / R_b\nR = triples of which a tree joins two before the third, S = those joined alike in both",
    chance="R_a / (3 C(n,3)), exact",
    source="Critchlow et al. 1996",
    bibtex="critchlow1996",
)
