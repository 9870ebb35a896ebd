"""The cophenetic distance: the mean difference of the heights at which pairs of items join in two trees."""

from __future__ import annotations

import math

import numpy as np

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.contraction import Contraction
from dendrometry.tree_pair.heights import above_lowest
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def cophenetic_distance(a: HierarchyLike, b: HierarchyLike) -> float:
    """Mean absolute difference of the cophenetic heights in two trees.

    ``sum over pairs |h_a(i, j) - h_b(i, j)| / N`` over the N = n(n-1)/2 pairs, where h(i, j) is the height of the
    lowest node with both items: the L1 distance of the two cophenetic matrices, per pair.

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

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality.

    References
    ----------
    .. [1] R. R. Sokal, F. J. Rohlf, "The comparison of dendrograms by objective methods", Taxon 11 (1962),
       doi:10.2307/1217208.

    Examples
    --------
    >>> from dendrometry import cophenetic_distance, from_newick
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> cophenetic_distance(a, b)
    1.0
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the distance with its expectation."""
    need_pairs(statistics.pair)
    return score_of_walk(statistics.by_height)


def score_of_walk(walk: Contraction) -> Score:
    """Return the distance from a walk by the height clock; an expectation beyond the range of floats is None."""
    above, exponent = above_lowest(walk.time)
    steps = np.diff(above)
    value = float((steps * (walk.apart[:-1] / walk.pair.n_pairs)).sum())
    expected = value if walk.frame.is_fixed else float((steps * walk.frame.expected_apart[:-1]).sum())
    distance = _times_two_to(value, exponent)
    if distance is None:
        raise UndefinedMeasureError("the heights differ by more than a float can hold; bring them to a smaller scale")
    return Score(distance, _times_two_to(expected, exponent), adjust(value, expected, 0.0))


def _times_two_to(value: float, exponent: int) -> float | None:
    """Return value times 2**exponent, or None if that exceeds the range of floats."""
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return None


def need_pairs(pair: Pair) -> None:
    """Refuse a single item."""
    if pair.n_items < 2:
        raise UndefinedMeasureError("there must be at least two items for cophenetic heights; got a single item")


MEASURE = Measure(
    call=cophenetic_distance,
    of="trees",
    symbol="D",
    title="Cophenetic distance",
    aliases=("mean cophenetic difference",),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    needs_heights=True,
    meaning="the mean difference of the heights at which pairs of items join, in the unit of the heights",
    formula="D = (1/N) Σ_i<j |h_a(i,j) - h_b(i,j)|\nh(i,j) = height of the lowest node with i and j",
    chance="exact: the mean of |x - y|, x the height of any pair in the first tree, y of any in the second",
    source="Sokal and Rohlf 1962",
    bibtex="sokal1962",
)
