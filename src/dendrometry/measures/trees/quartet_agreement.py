"""Quartet agreement: how often two trees part four items alike, two by two."""

from __future__ import annotations

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.quartets import quartets_limit, steps_to_count
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def quartet_agreement(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """F-score of the quartets of items that two trees resolve: 2 S / (R_a + R_b).

    A tree resolves four items if one of its branches parts them two by two. R counts the resolved quartets of a tree, S
    those that both resolve in the same way. Where the roots are makes no difference. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike; 1 if both trees have the same splits.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If neither tree resolves a quartet, as two stars.
    InvalidInputError
        If there are more than 121,977 items.

    See Also
    --------
    dendrometry.comparison.quartets : All five counts, and the scores that others have made of them.
    triplet_agreement : The same for three items of rooted trees.

    Notes
    -----
    O(n log n) time, O(n) space; up to d times as long for a node with d large branches. Exact up to the final
    division. Symmetric. 1 minus it is the symmetric difference of Day as a share, and, for two binary trees, the
    quartet distance as a share; then it is one third on average by chance. The triangle inequality does not hold.

    References
    ----------
    .. [1] G. F. Estabrook, F. R. McMorris, C. A. Meacham, "Comparison of undirected phylogenetic trees based on
       subtrees of four evolutionary units", Systematic Zoology 34 (1985) 193-200, doi:10.2307/sysbio/34.2.193.
    .. [2] G. S. Brodal, R. Fagerberg, T. Mailund, C. N. S. Pedersen, A. Sand, "Efficient algorithms for computing the
       triplet and quartet distance between trees of arbitrary degree", Proceedings of SODA (2013) 1814-1832,
       doi:10.1137/1.9781611973105.130.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import quartet_agreement
    >>> a, b = from_newick("((((ape,cat),elk),owl),jay);"), from_newick("((((ape,cat),owl),elk),jay);")
    >>> quartet_agreement(a, b)
    0.6
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the F-score with its expectation: a resolved quartet meets each of three resolutions equally often."""
    counts = statistics.quartets
    in_a, in_b = counts.same + counts.different + counts.only_a, counts.same + counts.different + counts.only_b
    if in_a + in_b == 0:
        raise UndefinedMeasureError("one of the trees must part four items two by two; neither does")
    value = 2 * counts.same / (in_a + in_b)
    expected = 2 * in_a * in_b / (3 * sum(counts) * (in_a + in_b))
    return Score(value, expected, adjust(value, expected, 1.0))


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps."""
    return steps_to_count(statistics.pair)


def limit(statistics: PairStatistics) -> str:
    """Return why the quartets cannot be counted, or "" if they can."""
    return quartets_limit(statistics.pair)


MEASURE = Measure(
    call=quartet_agreement,
    of="trees",
    unrooted=Unrooted(),
    symbol="Q",
    title="Quartets",
    aliases=("quartet similarity", "quartet F1"),
    score=score,
    triangle=False,
    default=False,
    cost=cost,
    slow="counting quartets",
    limit=limit,
    meaning="how often both trees part the same four items two by two in the same way",
    formula=(
        "Q = 2S / (R_a + R_b)\nR = quartets that a branch of a tree parts two by two, S = those parted alike in both"
    ),
    chance="2 R_a R_b / (3 C(n,4) (R_a + R_b)), exact",
    source="Estabrook et al. 1985",
    bibtex="estabrook1985",
)
