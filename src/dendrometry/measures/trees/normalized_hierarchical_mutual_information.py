"""Normalised hierarchical mutual information: as a share of what each tree says about itself."""

from __future__ import annotations

import math

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.information import Information, information
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def normalized_hierarchical_mutual_information(a: HierarchyLike, b: HierarchyLike) -> float:
    """Hierarchical mutual information over the geometric mean of those of each tree with itself.

    ``HMI(a, b) / sqrt(HMI(a, a) HMI(b, b))``; see `hierarchical_mutual_information`. Heights are not used.

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
        If all items of a tree are in a single leaf.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric. The triangle inequality does not hold for 1 minus it. For two dendrograms it
    is the mutual information divided by log n, which is well above 0 by chance.

    References
    ----------
    .. [1] J. I. Perotti, C. J. Tessone, G. Caldarelli, "Hierarchical mutual information for the comparison of
       hierarchical community structures in complex networks", Physical Review E 92 (2015) 062825,
       doi:10.1103/PhysRevE.92.062825.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import normalized_hierarchical_mutual_information
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> round(normalized_hierarchical_mutual_information(a, b), 4)
    0.1556
    """
    a, b = as_hierarchies(a, b)
    found = information(Pair.of_trees(a, b))
    return min(1.0, found.mutual / _most(found))


def score(statistics: PairStatistics) -> Score:
    """Return the share with its expectation."""
    most = _most(statistics.information)
    value, expected = min(1.0, statistics.information.mutual / most), statistics.expected_information
    if expected is None:
        return Score(value)
    return Score(value, expected / most, adjust(value, expected / most, 1.0))


def _most(found: Information) -> float:
    """Return the geometric mean of what each tree says about itself."""
    if found.of_a == 0.0 or found.of_b == 0.0:
        raise UndefinedMeasureError("both trees must divide the items; one has all of them in a single leaf")
    return found.of_a if found.of_a == found.of_b else math.sqrt(found.of_a * found.of_b)


MEASURE = Measure(
    call=normalized_hierarchical_mutual_information,
    of="trees",
    symbol="NHMI",
    title="Normalised hierarchical information",
    aliases=("NHMI",),
    score=score,
    triangle=False,
    exact=False,
    default=False,
    meaning="how much the clusters of one tree say about those of the other, depth by depth, as a share of the most",
    formula="NHMI = HMI(a,b) / √(HMI(a,a) HMI(b,b))\nHMI = hierarchical mutual information",
    chance="exact: the mean of HMI(a,b) over the same root",
    source="Perotti et al. 2015",
    bibtex="perotti2015",
)
