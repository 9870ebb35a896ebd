"""The overall similarity S = 1 - Z of Morlini and Zani."""

from __future__ import annotations

from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.measures.trees.overall_distance import overall_of_walk
from dendrometry.tree_pair.contraction import Ties
from dendrometry.tree_pair.ranks import walk_by_rank
from dendrometry.tree_pair.statistics import PairStatistics


def overall_similarity(a: HierarchyLike, b: HierarchyLike, *, ties: Ties = "together") -> float:
    """Overall similarity ``S = 1 - Z`` of two hierarchies, see `overall_distance`.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items.
    ties : {"together", "order"}
        The treatment of merges at the same height, see `stages`.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 for the same partition at every stage. Symmetric.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If `overall_distance` is undefined.

    Notes
    -----
    O(n log n) time, O(n) space. For two binary dendrograms of five or more items without ties, S is above 0, see
    `overall_distance`.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, equation 11,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry import from_newick, overall_similarity
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> overall_similarity(a, b)
    0.5714285714285714
    """
    a, b = as_hierarchies(a, b)
    return overall_of_walk(walk_by_rank(a, b, ties)).similarity


def score(statistics: PairStatistics) -> Score:
    """Return S with its expectation."""
    overall = overall_of_walk(statistics.by_rank)
    expected = 1.0 - overall.expected_distance
    return Score(overall.similarity, expected, adjust(overall.similarity, expected, 1.0))


MEASURE = Measure(
    call=overall_similarity,
    of="trees",
    symbol="S",
    title="Overall similarity",
    aliases=("Morlini-Zani similarity", "S index"),
    score=score,
    triangle=False,
    needs_heights=True,
    meaning="the share of pairs, over all numbers of clusters, that are together in both trees",
    formula=(
        "S = 1 - Z = 2 Σ_k T_k / Σ_k (P_k + Q_k), k = 2 … n - 1\n"
        "related at k: unordered pairs in one group of the partition into k groups"
    ),
    chance="2 Σ_k P_k Q_k / (N Σ_k (P_k + Q_k)), exact",
    source="Morlini and Zani 2012",
    bibtex="morlini2012",
)
