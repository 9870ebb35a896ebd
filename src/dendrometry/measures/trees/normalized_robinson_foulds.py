"""The normalised Robinson-Foulds distance: the share of the clusters of two trees that only one of them has."""

from __future__ import annotations

from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.cluster_counts import cluster_counts
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def normalized_robinson_foulds(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Robinson-Foulds distance divided by the number of clusters of both trees.

    `robinson_foulds` over its largest value for trees with as many clusters. 1 minus it is the F-score of
    `cluster_precision` and `cluster_recall`.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Lower is more alike; 0 if both trees have the same clusters, 1 if they have none in common.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    Notes
    -----
    O(n log n) time, O(n) space, exact up to the final division. Two trees without any cluster of more than one item and
    fewer than all, such as two stars, are equal: 0. The triangle inequality does not hold.

    References
    ----------
    .. [1] D. F. Robinson, L. R. Foulds, "Comparison of phylogenetic trees", Mathematical Biosciences 53 (1981) 131-147,
       doi:10.1016/0025-5564(81)90043-2.
    .. [2] W. H. E. Day, "Optimal algorithms for comparing trees with labeled leaves", Journal of Classification 2
       (1985) 7-28, doi:10.1007/BF01908061.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import normalized_robinson_foulds
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> normalized_robinson_foulds(a, b)
    0.5
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the distance with its expectation."""
    counts = cluster_counts(statistics)
    most = counts.a + counts.b
    value, expected = ((most - 2 * shared) / max(most, 1) for shared in (counts.shared, counts.expected))
    return Score(value, expected, adjust(value, expected, 0.0))


MEASURE = Measure(
    call=normalized_robinson_foulds,
    of="trees",
    unrooted=Unrooted("the share of the splits of both trees that only one of them has"),
    symbol="nRF",
    title="Robinson-Foulds, normalised",
    aliases=("nRF", "normalized RF"),
    score=score,
    kind="distance",
    identical=0.0,
    triangle=False,
    default=False,
    meaning="the share of the clusters of both trees that only one of them has",
    formula=(
        "nRF = 1 - 2 |C_a ∩ C_b| / (|C_a| + |C_b|)\n"
        "C = the sets of items of the nodes, without single items and all items"
    ),
    chance="1 - 2 Σ_s c_a(s) c_b(s) / C(n,s) / (|C_a| + |C_b|), c(s) = number of clusters of s items; exact",
    source="Robinson and Foulds 1981",
    bibtex="robinson1981",
)
