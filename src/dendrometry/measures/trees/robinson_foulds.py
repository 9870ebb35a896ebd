"""The Robinson-Foulds distance: the number of clusters that only one of two trees has."""

from __future__ import annotations

import math

from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.cluster_counts import cluster_counts
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def robinson_foulds(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Robinson-Foulds distance: the number of clusters in exactly one of two trees.

    A cluster is the set of all items at or below a node; those of a single item and of all items are not counted,
    since every tree has them. Of unrooted trees (see `io.unroot`) it counts the splits with two items or more on both
    sides. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        A whole number from 0 to 2 (n - 2), of unrooted trees to 2 (n - 3). Lower is more alike; 0 if both trees have
        the same clusters.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    Notes
    -----
    O(n log n) time, O(n) space, exact. A metric on trees without heights. Always defined: a single item, and stars,
    give 0. One item moved from one end of the tree to the other can change every cluster: see `triplet_agreement` for
    a measure that is less abrupt.

    References
    ----------
    .. [1] D. F. Robinson, L. R. Foulds, "Comparison of phylogenetic trees", Mathematical Biosciences 53 (1981) 131-147,
       doi:10.1016/0025-5564(81)90043-2.
    .. [2] W. H. E. Day, "Optimal algorithms for comparing trees with labeled leaves", Journal of Classification 2
       (1985) 7-28, doi:10.1007/BF01908061.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import robinson_foulds
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> robinson_foulds(a, b)
    2.0
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the distance with its expectation."""
    counts = cluster_counts(statistics)
    value, expected = (float(counts.a + counts.b - 2 * shared) for shared in (counts.shared, counts.expected))
    return Score(value, expected, adjust(value, expected, 0.0))


MEASURE = Measure(
    call=robinson_foulds,
    of="trees",
    unrooted=Unrooted("the number of splits that only one of the trees has", reached="0 to 2(n - 3)"),
    symbol="RF",
    title="Robinson-Foulds",
    aliases=("RF", "Robinson-Foulds distance", "RF distance", "symmetric difference", "unweighted Robinson-Foulds"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    reached="0 to 2(n - 2)",
    triangle=True,
    default=False,
    meaning="the number of clusters that only one of the trees has",
    formula=(
        "RF = |C_a| + |C_b| - 2 |C_a ∩ C_b|\nC = the sets of items of the nodes, without single items and all items"
    ),
    chance="|C_a| + |C_b| - 2 Σ_s c_a(s) c_b(s) / C(n,s), c(s) = number of clusters of s items; exact",
    source="Robinson and Foulds 1981",
    bibtex="robinson1981",
)
