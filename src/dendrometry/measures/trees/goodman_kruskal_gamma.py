"""Goodman and Kruskal's gamma: how often two trees agree on which of two pairs of items joins first, without ties."""

from __future__ import annotations

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.measures.trees.kendall_tau_b import cost, limit
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def goodman_kruskal_gamma(a: HierarchyLike, b: HierarchyLike) -> float:
    """Goodman and Kruskal's gamma of the heights at which pairs of items join in two trees.

    ``(C - D) / (C + D)`` over all pairs of pairs of items: C of them join in the same order in both trees, D in
    opposite orders; those that tie in one of the trees are left out. Under an inversion, a pair joins at the greatest
    height at or below its lowest common node.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items; inversions are allowed.

    Returns
    -------
    float
        From -1 to 1. Higher is more alike; 1 if no two pairs join in opposite orders.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, or no two pairs join at different heights in both trees.
    InvalidInputError
        If there are more than 2,000,000 items, or both trees are so deep that it would take more than 10**9 steps.

    See Also
    --------
    kendall_tau_b : The same with ties counting against agreement.
    baker_correlation : What R's dendextend calls Baker's gamma.

    Notes
    -----
    O(n d log n) time for the mean depth d of the shallower tree, O(n) space; exact up to the final division. Symmetric.
    It ignores what one tree leaves open: the value is 1 if the order of one tree refines that of the other.

    References
    ----------
    .. [1] L. A. Goodman, W. H. Kruskal, "Measures of association for cross classifications", Journal of the American
       Statistical Association 49 (1954) 732-764, doi:10.1080/01621459.1954.10501231.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import goodman_kruskal_gamma
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> goodman_kruskal_gamma(a, b)
    -1.0
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the value; its expectation has no formula, since the number of ties varies."""
    counts = statistics.concordance
    compared = counts.concordant + counts.discordant
    if compared == 0:
        raise UndefinedMeasureError("two pairs must join at different heights in both trees; no two do")
    return Score((counts.concordant - counts.discordant) / compared)


MEASURE = Measure(
    call=goodman_kruskal_gamma,
    of="trees",
    symbol="γ",
    title="Goodman-Kruskal gamma",
    aliases=("Goodman-Kruskal's gamma",),
    score=score,
    lower=-1.0,
    triangle=False,
    default=False,
    needs_heights=True,
    expects=False,
    cost=cost,
    slow="comparing pairs of pairs",
    limit=limit,
    meaning="how often the trees agree on which of two pairs of items joins first, where neither leaves it open",
    formula=(
        "γ = (C - D) / (C + D)\nC, D = pairs of pairs that join in the same order in both trees, in opposite orders"
    ),
    chance="no formula, near 0; expected_by_chance() estimates it",
    source="Goodman and Kruskal 1954",
    bibtex="goodman1954",
)
