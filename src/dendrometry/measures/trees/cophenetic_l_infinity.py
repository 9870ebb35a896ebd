"""The largest difference of the heights at which pairs of items join in two trees."""

from __future__ import annotations

import math

import numpy as np

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.measures.trees.cophenetic_distance import need_pairs
from dendrometry.tree_pair.contraction import height_clock
from dendrometry.tree_pair.lowest import lowest_nodes
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def cophenetic_l_infinity(a: HierarchyLike, b: HierarchyLike) -> float:
    """Largest absolute difference of the cophenetic heights in two trees.

    ``max over pairs |h_a(i, j) - h_b(i, j)|``, where h(i, j) is the height of the lowest node with both items: the
    L-infinity distance of the two cophenetic matrices, or ultrametrics.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items. Heights are not rescaled: they must have the same unit.

    Returns
    -------
    float
        At least 0, in the unit of the heights. Lower is more alike; 0 if every pair joins at the same height.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights or has inversions, there is only one item, or the value exceeds the range of floats.

    See Also
    --------
    cophenetic_distance : The mean difference.
    cophenetic_lp : The root mean square of the differences, and means of other powers.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality. A single pair decides: for single linkage it
    is never more than the largest change of a distance between the points (Carlsson and Memoli 2010).

    References
    ----------
    .. [1] G. Cardona, A. Mir, F. Rossello, L. Rotger, D. Sanchez, "Cophenetic metrics for phylogenetic trees, after
       Sokal and Rohlf", BMC Bioinformatics 14 (2013) 3, doi:10.1186/1471-2105-14-3.
    .. [2] G. Carlsson, F. Memoli, "Characterization, stability and convergence of hierarchical clustering methods",
       Journal of Machine Learning Research 11 (2010) 1425-1470.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import cophenetic_l_infinity
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> cophenetic_l_infinity(a, b)
    2.0
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the largest difference."""
    return Score(largest_difference(statistics.pair))


def largest_difference(pair: Pair) -> float:
    """Return the largest difference of the heights at which a pair of items joins.

    Of the pairs of a cluster, the one that joins highest in the other tree joins at its lowest node with the whole
    cluster, and no higher than the cluster in its own.
    """
    need_pairs(pair)
    height = height_clock(pair.a), height_clock(pair.b)
    value = 0.0
    for i, (tree, other) in enumerate(((pair.a, pair.b), (pair.b, pair.a))):
        many = tree.size > 1
        with np.errstate(over="ignore"):
            above = height[1 - i][lowest_nodes(pair, tree, other)[many]] - height[i][many]
        value = max(value, float(above.max()))
    if not math.isfinite(value):
        raise UndefinedMeasureError("the heights differ by more than a float can hold; bring them to a smaller scale")
    return value


MEASURE = Measure(
    call=cophenetic_l_infinity,
    of="trees",
    symbol="D∞",
    title="Largest height difference",
    aliases=("L-infinity cophenetic", "labelled interleaving distance"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    needs_heights=True,
    expects=False,
    meaning="the largest difference of the heights at which a pair of items joins, in the unit of the heights",
    formula="D∞ = max_i<j |h_a(i,j) - h_b(i,j)|\nh(i,j) = height of the lowest node with i and j",
    chance="no formula; expected_by_chance() estimates it",
    source="Cardona et al. 2013",
    bibtex="cardona2013",
)
