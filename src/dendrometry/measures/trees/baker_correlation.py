"""Baker's rank correlation: how closely the order in which pairs join in one tree follows that in another."""

from __future__ import annotations

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._check.tree import require_heights
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.measures.trees.cophenetic_correlation import Centred, centre, correlate, cost
from dendrometry.measures.trees.cophenetic_distance import need_pairs
from dendrometry.tree_pair.pair import Pair, Tree, heights_formed, joined_pairs
from dendrometry.tree_pair.statistics import PairStatistics


def baker_correlation(a: HierarchyLike, b: HierarchyLike) -> float:
    """Rank correlation of the stages at which pairs of items join in two trees.

    Spearman's correlation over all pairs of items: the correlation of the ranks of the heights at which they join in
    ``a`` and in ``b``, where pairs that join at the same height share the mean of their ranks. It depends on the order
    of the heights only. Under an inversion, a pair joins at the greatest height at or below its lowest common node.

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

    See Also
    --------
    cophenetic_correlation : The same with the heights themselves.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric. Under random relabelling its mean is 0. R's dendextend calls it Baker's
    gamma, although it is not the gamma of Goodman and Kruskal.

    References
    ----------
    .. [1] F. B. Baker, "Stability of two hierarchical grouping techniques. Case I: Sensitivity to data errors", Journal
       of the American Statistical Association 69 (1974), doi:10.1080/01621459.1974.10482971.

    Examples
    --------
    >>> from dendrometry import baker_correlation, from_newick
    >>> a = from_newick("(((ape:1,cat:1):2,elk:3):1,owl:4);")
    >>> b = from_newick("(((ape:1,cat:1):9,elk:10):90,owl:100);")
    >>> baker_correlation(a, b)
    1.0
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the correlation; its expectation is 0, so it is its own adjusted form."""
    return correlate(statistics.pair, *statistics.once(_centre_ranks))


def _centre_ranks(pair: Pair) -> tuple[Centred, Centred]:
    """Return the centred ranks of the pairs of both trees."""
    a, b = _rank(pair.a), _rank(pair.b)
    need_pairs(pair)
    return centre(a), centre(b)


def _rank(tree: Tree) -> Tree:
    """Return the tree with the mean rank of the pairs that join at each node as its height. O(n log n)."""
    formed = require_heights(heights_formed(tree), tree.which, "the stages of pairs", UndefinedMeasureError)
    pairs = joined_pairs(tree)
    used = np.flatnonzero(pairs)
    _, level = np.unique(formed[used], return_inverse=True)
    joined = np.zeros(level.max(initial=-1) + 1, dtype=np.int64)
    np.add.at(joined, level, pairs[used])
    rank = np.zeros(pairs.size)
    rank[used] = (np.cumsum(joined) - (joined - 1) / 2.0)[level]
    return tree._replace(height=read_only(rank))


MEASURE = Measure(
    call=baker_correlation,
    of="trees",
    symbol="ρ",
    title="Baker",
    aliases=("Baker's gamma", "cor_bakers_gamma"),
    score=score,
    lower=-1.0,
    triangle=False,
    exact=False,
    needs_heights=True,
    cost=cost,
    slow="correlating the ranks",
    meaning="how closely the order in which pairs join in one tree follows that in the other",
    formula=(
        "ρ = Σ_i<j x(i,j) y(i,j) / √(Σ_i<j x(i,j)² Σ_i<j y(i,j)²)\n"
        "x, y = r_a, r_b less their means; r(i,j) = rank of the height at which i and j join, ties sharing the mean"
    ),
    chance="0, exact",
    source="Baker 1974",
    bibtex="baker1974",
)
