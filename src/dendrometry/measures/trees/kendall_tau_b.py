"""Kendall's tau-b: how often two trees agree on which of two pairs of items joins first, ties told apart."""

from __future__ import annotations

import math

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.tree_pair.concordance import concordance_limit, steps_to_concordance
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def kendall_tau_b(a: HierarchyLike, b: HierarchyLike) -> float:
    """Kendall's rank correlation tau-b of the heights at which pairs of items join in two trees.

    ``(C - D) / sqrt(O_a O_b)`` over all pairs of pairs of items: C of them join in the same order in both trees, D in
    opposite orders; O are those that join at different heights in a tree. Under an inversion, a pair joins at the
    greatest height at or below its lowest common node.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items; inversions are allowed.

    Returns
    -------
    float
        From -1 to 1. Higher is more alike; 1 if all pairs join in the same order in both.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, or all pairs join at one height.
    InvalidInputError
        If there are more than 2,000,000 items, or both trees are so deep that it would take more than 10**9 steps.

    See Also
    --------
    goodman_kruskal_gamma : The same without the pairs of pairs that tie in one of the trees.
    baker_correlation : Spearman's rank correlation, which is faster for deep trees.

    Notes
    -----
    O(n d log n) time for the mean depth d of the shallower tree, O(n) space; exact up to the final division. Symmetric.
    Under random relabelling its mean is 0.

    References
    ----------
    .. [1] M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945) 239-251,
       doi:10.1093/biomet/33.3.239.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import kendall_tau_b
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> kendall_tau_b(a, b)
    -0.5
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the correlation; its expectation is 0, so it is its own adjusted form."""
    counts = statistics.concordance
    if counts.ordered_a == 0 or counts.ordered_b == 0:
        raise UndefinedMeasureError("pairs must join at different heights; all join at the same height")
    difference, most = counts.concordant - counts.discordant, counts.ordered_a * counts.ordered_b
    root = math.isqrt(most)
    value = difference / (root if root * root == most else math.sqrt(most))
    return Score(value, 0.0, value)


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps."""
    return steps_to_concordance(statistics.pair)


def limit(statistics: PairStatistics) -> str:
    """Return why the pairs of pairs cannot be compared, or "" if they can."""
    return concordance_limit(statistics.pair)


MEASURE = Measure(
    call=kendall_tau_b,
    of="trees",
    symbol="τ",
    title="Kendall tau-b",
    aliases=("Kendall's tau",),
    score=score,
    lower=-1.0,
    triangle=False,
    default=False,
    needs_heights=True,
    cost=cost,
    slow="comparing pairs of pairs",
    limit=limit,
    meaning="how often the trees agree on which of two pairs of items joins first, ties counting against them",
    formula=(
        "τ = (C - D) / √(O_a O_b)\n"
        "C, D = pairs of pairs that join in the same order in both trees, in opposite orders;"
        " O = those that join at different heights"
    ),
    chance="0, exact",
    source="Kendall 1945",
    bibtex="kendall1945",
)
