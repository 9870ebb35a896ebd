"""The weighted Robinson-Foulds distance: how much the branches above the clusters of two trees differ in length."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.branch_lengths import (
    branch_lengths,
    differences_in_length,
    lengths_by_size,
    n_sets,
)
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def weighted_robinson_foulds(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Sum of the differences in length of the branches above the clusters of two trees.

    ``sum over clusters |w_a - w_b|``, where w is the height of the parent of a cluster less its own, and 0 for a
    cluster that a tree does not have. Single items count if they are alone in their leaf; the root has no branch.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees with heights over the same items. Heights are not rescaled: they must have the same unit.

    Returns
    -------
    float
        At least 0, in the unit of the heights. Lower is more alike; 0 if the trees have the same clusters at the same
        distances.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights or has inversions, or the value exceeds the range of floats.

    See Also
    --------
    robinson_foulds : The number of clusters that only one of the trees has.
    branch_score : The root of the sum of the squared differences.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality. Of unrooted trees (see `io.unroot`) it
    compares the branches of splits. 0 for a single item.

    References
    ----------
    .. [1] D. F. Robinson, L. R. Foulds, "Comparison of weighted labelled trees", Lecture Notes in Mathematics 748
       (1979) 119-126, doi:10.1007/BFb0102690.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import weighted_robinson_foulds
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> weighted_robinson_foulds(a, b)
    7.0
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the distance with its expectation: a cluster of s items becomes any of that size, equally often."""
    pair = statistics.pair
    a, b = branch_lengths(pair)
    value = math.fsum(differences_in_length(statistics, a, b))
    in_a, in_b = lengths_by_size(pair, pair.a, a), lengths_by_size(pair, pair.b, b)
    by_chance = [
        _sum_of_lesser(in_a[size], in_b[size]) * (1 / n_sets(pair, size))  # of which a float may not hold the number
        for size in in_a.keys() & in_b.keys()
    ]
    expected = max(0.0, float(a.sum() + b.sum()) - 2.0 * math.fsum(by_chance))
    return Score(value, expected, adjust(value, expected, 0.0))


def _sum_of_lesser(x: FloatArray, y: FloatArray) -> float:
    """Return the sum, over all pairs of one number of each list, of the lesser. O(k log k)."""
    x, y = np.sort(x), np.sort(y)
    before = np.concatenate(([0.0], np.cumsum(y)))
    at = np.searchsorted(y, x)
    return float((before[at] + x * (y.size - at)).sum())


MEASURE = Measure(
    call=weighted_robinson_foulds,
    of="trees",
    unrooted=Unrooted("how much the branches of all splits differ in length, in the unit of the heights"),
    symbol="wRF",
    title="Weighted Robinson-Foulds",
    aliases=("wRF", "weighted RF"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    needs_heights=True,
    meaning="how much the branches above the clusters of both trees differ in length, in the unit of the heights",
    formula=(
        "wRF = Σ_C |w_a(C) - w_b(C)|\nw(C) = height of the parent of cluster C less that of C; 0 without such a cluster"
    ),
    chance="Σ w_a + Σ w_b - 2 Σ_s (1/C(n,s)) Σ min(w_a, w_b) over the clusters of s items of both; exact",
    source="Robinson and Foulds 1979",
    bibtex="robinson1979",
)
