"""The branch score distance: the root of the squared differences in length of the branches of two trees."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._exact import total
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
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of, split_sizes
from dendrometry.unrooted import UnrootedTree


def branch_score(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Euclidean distance of two trees by the lengths of the branches above their clusters.

    ``sqrt(sum over clusters (w_a - w_b)**2)``, where w is the height of the parent of a cluster less its own, and 0
    for a cluster that a tree does not have. Single items count if they are alone in their leaf; the root has no branch.

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
        If a tree has no heights or has inversions, or the sum of all lengths exceeds the range of floats.

    See Also
    --------
    weighted_robinson_foulds : The sum of the differences, in which long branches count less.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality. Of unrooted trees (see `io.unroot`) it
    compares the branches of splits. 0 for a single item. The mean of the square over all relabellings is the sum of all
    w_a**2 and w_b**2, less, for each size s of clusters, twice the product of the sum of their w_a with that of their
    w_b, divided by the number of sets of s items. `compare` shows its root as the value by chance, and adjusts the
    square.

    References
    ----------
    .. [1] M. K. Kuhner, J. Felsenstein, "A simulation comparison of phylogeny algorithms under equal and unequal
       evolutionary rates", Molecular Biology and Evolution 11 (1994) 459-468,
       doi:10.1093/oxfordjournals.molbev.a040126.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import branch_score
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> branch_score(a, b)
    3.3166247903554
    """
    statistics = PairStatistics(pair_of(*as_trees(a, b)))
    return _distance(statistics, *branch_lengths(statistics.pair))


def score(statistics: PairStatistics) -> Score:
    """Return the distance, with the root of the mean of its square."""
    a, b = branch_lengths(statistics.pair)
    value = _distance(statistics, a, b)
    exponent = _exponent(np.append(a, b))
    square = _expected_square(statistics.pair, np.ldexp(a, -exponent), np.ldexp(b, -exponent))
    adjusted = adjust(math.ldexp(value, -exponent) ** 2, square, 0.0)
    return Score(value, math.ldexp(math.sqrt(square), exponent), adjusted)


def _distance(statistics: PairStatistics, a: FloatArray, b: FloatArray) -> float:
    """Return the distance for lengths of branches, from differences rescaled so that no square leaves the floats."""
    difference = differences_in_length(statistics, a, b)
    exponent = _exponent(difference)
    return math.ldexp(math.sqrt(total(np.ldexp(difference, -exponent) ** 2)), exponent)


def _exponent(length: FloatArray) -> int:
    """Return the exponent of the least power of two above all lengths."""
    return int(np.frexp(length.max())[1])


def _expected_square(pair: Pair, a: FloatArray, b: FloatArray) -> float:
    """Return the mean of the square over all relabellings: a cluster becomes any of its size, equally often.

    Single items all have a place in both trees, so their part is computed as variances and the difference of the means:
    it is exactly 0 if all their lengths are equal. In larger sizes at most a third is subtracted from the squares.
    """
    n_alone, larger, moments = n_sets(pair, 1), [], []
    for tree, length in ((pair.a, a), (pair.b, b)):
        is_alone = split_sizes(pair, tree.size) == 1
        larger.append(length[~is_alone])
        moments.append(_mean_and_squares(np.append(length[is_alone], np.zeros(n_alone - is_alone.sum()))))
    (mean_a, squares_a), (mean_b, squares_b) = moments
    in_a, in_b = lengths_by_size(pair, pair.a, a), lengths_by_size(pair, pair.b, b)
    by_chance = [
        total(in_a[size]) * total(in_b[size]) * (1 / n_sets(pair, size))  # of which a float may not hold the number
        for size in (in_a.keys() & in_b.keys()) - {1}
    ]
    alone = squares_a + squares_b + n_alone * (mean_a - mean_b) ** 2
    return alone + total(np.concatenate(larger) ** 2) - 2.0 * math.fsum(by_chance)


def _mean_and_squares(length: FloatArray) -> tuple[float, float]:
    """Return the mean of lengths and the sum of the squares around it, exact if all are equal."""
    least = float(length.min())
    mean = least + total(length - least) / length.size
    return mean, total((length - mean) ** 2)


MEASURE = Measure(
    call=branch_score,
    of="trees",
    unrooted=Unrooted("the root of the squared differences in length of the branches of all splits"),
    symbol="KF",
    title="Branch score",
    aliases=("KF", "Kuhner-Felsenstein", "branch score distance", "branch length distance"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    needs_heights=True,
    is_root=True,
    meaning=(
        "the root of the squared differences in length of the branches above the clusters of both trees, in the unit"
        " of the heights"
    ),
    formula=(
        "KF = √(Σ_C (w_a(C) - w_b(C))²)\nw(C) = height of the parent of cluster C less that of C; 0 without such a"
        " cluster"
    ),
    chance=(
        "the root of the mean square, exact: √(Σ w_a² + Σ w_b² - 2 Σ_s W_a(s) W_b(s) / C(n,s)), where W(s) is the sum"
        " of w over the clusters of s items"
    ),
    source="Kuhner and Felsenstein 1994",
    bibtex="kuhner1994",
)
