"""Triplet agreement: how often two trees agree on which two of three items are joined first."""

from __future__ import annotations

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.triplets import steps_to_count, triplets_limit


def triplet_agreement(a: HierarchyLike, b: HierarchyLike) -> float:
    """F-score of the triples of items that two trees resolve: 2 S / (R_a + R_b).

    A tree resolves a triple of items if it joins two of them before the third. R counts the resolved triples of a tree,
    S those that both resolve in the same way. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 if both trees have the same clusters.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If neither tree resolves a triple, as two stars.
    InvalidInputError
        If there are more than 3,810,778 items.

    Notes
    -----
    O(n d) time for the mean depth d of the shallower tree, O(n log**3 n) if both are deep; O(n) space. Exact up to
    the final division. Symmetric: the harmonic mean of
    `triplet_recall` and `triplet_precision`. For two binary trees it is 1 minus the triplet distance, and one third on
    average by chance. The triangle inequality does not hold.

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
    >>> from dendrometry.measures import triplet_agreement
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> triplet_agreement(a, b)
    0.5
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the F-score with its expectation."""
    counts, n = statistics.triplets, statistics.pair.n_items
    both = counts.a + counts.b
    if both == 0:
        raise UndefinedMeasureError("one of the trees must join two of three items before the third; neither does")
    value = 2 * counts.shared / both
    expected = 4 * counts.a * counts.b / (n * (n - 1) * (n - 2) * both)
    return Score(value, expected, adjust(value, expected, 1.0))


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps."""
    return steps_to_count(statistics.pair)


def limit(statistics: PairStatistics) -> str:
    """Return why the triples cannot be counted, or "" if they can."""
    return triplets_limit(statistics.pair)


MEASURE = Measure(
    call=triplet_agreement,
    of="trees",
    symbol="T",
    title="Triplets",
    aliases=("triplet similarity", "triplet F1"),
    score=score,
    triangle=False,
    default=False,
    cost=cost,
    slow="counting triples",
    limit=limit,
    meaning="how often both trees join the same two of three items before the third",
    formula=(
        "T = 2S / (R_a + R_b)\nR = triples of which a tree joins two before the third, S = those joined alike in both"
    ),
    chance="2 R_a R_b / (3 C(n,3) (R_a + R_b)), exact",
    source="Critchlow et al. 1996",
    bibtex="critchlow1996",
)
