"""Hierarchical mutual information: what the clusters of one tree say about those of another, depth by depth."""

from __future__ import annotations

import math

from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.tree_pair.information import information
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def hierarchical_mutual_information(a: HierarchyLike, b: HierarchyLike) -> float:
    """Mutual information of the clusters of two trees, summed over their depths, in nats.

    ``sum over l of I(A_l+1; B_l+1 | A_l, B_l)``: given the clusters at depth l of both trees, how much the parts into
    which the one tree divides them say about those of the other. The clusters at depth l are those of the nodes l steps
    below the root and of all leaves above; an item of an inner node becomes a cluster of its own one step below.
    Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to log n. It is not comparable between trees of different resolution: of a tree with itself it is the
        entropy of its leaves, log n for a dendrogram.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    See Also
    --------
    normalized_hierarchical_mutual_information : From 0 to 1.
    adjusted_hierarchical_mutual_information : 0 by chance.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric. Always defined: 0 for a single item. Nodes meet only nodes of the same
    depth, so one more division near the root of one tree changes all that is below. Of two flat clusterings it is their
    mutual information. R's TreeDist takes a node that has tips only as one leaf, and so differs. The mean over all
    relabellings is exact; it is left out above 50,000,000 pairs of distinct sizes of clusters at the same depth, one of
    each tree, with a mean overlap above 2.

    References
    ----------
    .. [1] J. I. Perotti, C. J. Tessone, G. Caldarelli, "Hierarchical mutual information for the comparison of
       hierarchical community structures in complex networks", Physical Review E 92 (2015) 062825,
       doi:10.1103/PhysRevE.92.062825.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import hierarchical_mutual_information
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> round(hierarchical_mutual_information(a, b), 4)
    0.2158
    """
    a, b = as_hierarchies(a, b)
    return information(Pair.of_trees(a, b)).mutual


def score(statistics: PairStatistics) -> Score:
    """Return the information with its expectation; it has no greatest value, and so no adjusted form of its own."""
    return Score(statistics.information.mutual, statistics.expected_information)


MEASURE = Measure(
    call=hierarchical_mutual_information,
    of="trees",
    symbol="HMI",
    title="Hierarchical mutual information",
    aliases=("HMI",),
    score=score,
    kind="information",
    identical=None,
    upper=math.inf,
    reached="0 to log n",
    triangle=False,
    exact=False,
    default=False,
    meaning="how much the clusters of one tree say about those of the other, depth by depth",
    formula=(
        "HMI = Σ_l I(A_l+1; B_l+1 | A_l, B_l)\n"
        "A_l, B_l = the clusters of the nodes l steps below the root, and of the leaves above them"
    ),
    chance="exact: each overlap of clusters of s and t items is hypergeometric",
    source="Perotti et al. 2015",
    bibtex="perotti2015",
)
