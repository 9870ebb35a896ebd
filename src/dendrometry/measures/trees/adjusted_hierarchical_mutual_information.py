"""Adjusted hierarchical mutual information: 0 by chance, 1 for trees with the same clusters."""

from __future__ import annotations

import math

from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.information import expected_information_limit
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def adjusted_hierarchical_mutual_information(a: HierarchyLike, b: HierarchyLike) -> float:
    """Hierarchical mutual information on a scale from its mean by chance to the mean of each tree with itself.

    ``(HMI(a, b) - E) / ((HMI(a, a) + HMI(b, b)) / 2 - E)``, where E is the mean of ``HMI(a, b)`` over all relabellings
    of the items; see `hierarchical_mutual_information`. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        At most 1. Higher is more alike; 1 if both trees have the same clusters, 0 on average by chance.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If every relabelling gives the greatest value, as with two stars.
    InvalidInputError
        If the mean would take too long: with more than 50,000,000 pairs of distinct sizes of clusters at the same
        depth, one of each tree, with a mean overlap above 2, as for two uniform random trees of more than about
        12,000,000 items.

    Notes
    -----
    O(n log n) time, and one step for each probable overlap of distinct sizes of clusters at the same depth with a mean
    above 2; all others are summed at once, by factorial moments. The mean is exact, not sampled. Symmetric. The
    triangle inequality does not hold for 1 minus it.

    References
    ----------
    .. [1] J. I. Perotti, C. J. Tessone, G. Caldarelli, "Hierarchical mutual information for the comparison of
       hierarchical community structures in complex networks", Physical Review E 92 (2015) 062825,
       doi:10.1103/PhysRevE.92.062825.
    .. [2] J. I. Perotti, N. Almeira, F. Saracco, "Towards a generalization of information theory for hierarchical
       partitions", Physical Review E 101 (2020) 062148, doi:10.1103/PhysRevE.101.062148.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import adjusted_hierarchical_mutual_information
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> round(adjusted_hierarchical_mutual_information(a, b), 4)
    -0.2459
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the adjusted information, whose expectation is 0."""
    found, expected = statistics.information, statistics.expected_information
    if expected is None:
        raise InvalidInputError(limit(statistics))
    most = (found.of_a + found.of_b) / 2
    value = None if most - expected < 1e-12 else adjust(found.mutual, expected, most)
    if value is None:
        raise UndefinedMeasureError("a relabelling must be able to change the mutual information; none does")
    return Score(min(1.0, value), 0.0, min(1.0, value))


def limit(statistics: PairStatistics) -> str:
    """Return why the mean would take too long, or "" if it does not."""
    return expected_information_limit(statistics.pair)


MEASURE = Measure(
    call=adjusted_hierarchical_mutual_information,
    of="trees",
    symbol="AHMI",
    title="Adjusted hierarchical information",
    aliases=("AHMI",),
    score=score,
    lower=-math.inf,
    reached="below 0 to 1",
    triangle=False,
    exact=False,
    default=False,
    limit=limit,
    meaning="how much more than by chance the clusters of one tree say about those of the other, depth by depth",
    formula=(
        "AHMI = (HMI(a,b) - E) / ((HMI(a,a) + HMI(b,b))/2 - E)\n"
        "HMI = hierarchical mutual information, E = its mean over all relabellings"
    ),
    chance="0, exact",
    source="Perotti et al. 2020",
    bibtex="perotti2020",
)
