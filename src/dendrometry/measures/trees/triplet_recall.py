"""Triplet recall: the share of the triples resolved by the first tree that the second resolves alike."""

from __future__ import annotations

from typing import Literal

from dendrometry.errors import NthTree, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.measures.trees.triplet_agreement import cost, limit
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def triplet_recall(a: HierarchyLike, b: HierarchyLike) -> float:
    """Share of the triples of items resolved by ``a`` that ``b`` resolves in the same way.

    A tree resolves a triple of items if it joins two of them before the third: the smallest cluster with these two does
    not contain the third. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 if ``b`` has every cluster of ``a``, as when ``b`` refines
        ``a``: a dendrogram is not blamed for resolving what a taxonomy leaves open.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If ``a`` resolves no triple, as a star or a tree of two items.
    InvalidInputError
        If there are more than 3,810,778 items.

    Notes
    -----
    O(n d) time for the mean depth d of the shallower tree, O(n log**3 n) if both are deep; O(n) space. Exact up to
    the final division. Not symmetric:
    ``triplet_recall(a, b) == triplet_precision(b, a)``.

    References
    ----------
    .. [1] D. E. Critchlow, D. K. Pearl, C. Qian, "The triples distance for rooted bifurcating phylogenetic trees",
       Systematic Biology 45 (1996) 323-334, doi:10.1093/sysbio/45.3.323.
    .. [2] A. Sand, G. S. Brodal, R. Fagerberg, C. N. S. Pedersen, T. Mailund, "A practical O(n log**2 n) time algorithm
       for computing the triplet distance on binary trees", BMC Bioinformatics 14 (2013) S18,
       doi:10.1186/1471-2105-14-S2-S18.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import triplet_recall
    >>> a, b = from_newick("((ape,cat),elk,owl);"), from_newick("(((ape,cat),elk),owl);")
    >>> triplet_recall(a, b)
    1.0
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics, side: Literal[0, 1] = 0) -> Score:
    """Return the share of the triples resolved by a (side 0) or by b (1) with its expectation."""
    counts, n = statistics.triplets, statistics.pair.n_items
    own, other = (counts.b, counts.a) if side else (counts.a, counts.b)
    if own == 0:
        which: Literal["first", "second"] = "second" if side else "first"
        raise UndefinedMeasureError(NthTree(which), " must join two of three items before the third; it never does")
    value, expected = counts.shared / own, other / (n * (n - 1) * (n - 2) // 2)
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=triplet_recall,
    of="trees",
    symbol="T_a",
    title="Triplet recall",
    aliases=("triple recall",),
    score=score,
    symmetric=False,
    triangle=False,
    default=False,
    cost=cost,
    slow="counting triples",
    limit=limit,
    meaning="the share of the triples of items resolved by {a} that {b} resolves alike",
    formula="T_a = S / R_a\nR = triples of which a tree joins two before the third, S = those joined alike in both",
    chance="R_b / (3 C(n,3)), exact",
    source="Critchlow et al. 1996",
    bibtex="critchlow1996",
)
