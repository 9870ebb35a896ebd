"""The L_p distance of the heights at which pairs of items join in two trees."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._check.numbers import real_number
from dendrometry._exact import total
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.measures.trees.cophenetic_l_infinity import largest_difference
from dendrometry.tree_pair.contraction import height_clock
from dendrometry.tree_pair.heights import above_lowest
from dendrometry.tree_pair.joint import Joint, steps_down
from dendrometry.tree_pair.pair import Pair, joined_pairs
from dendrometry.tree_pair.statistics import PairStatistics

_MOST = 1_000.0  # from here on the value differs little from the largest difference
_MOST_STEPS = 1_000_000_000  # a minute or two


def cophenetic_lp(a: HierarchyLike, b: HierarchyLike, *, p: float = 2.0) -> float:
    """Mean of order p of the absolute differences of the cophenetic heights in two trees; for p = 2 their RMS.

    ``(sum over pairs |h_a(i, j) - h_b(i, j)|**p / N)**(1/p)`` over the N = n(n-1)/2 pairs, where h(i, j) is the height
    of the lowest node with both items: the L_p distance of the two cophenetic matrices, per pair. The greater p, the
    more the largest differences count.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items. Heights are not rescaled: they must have the same unit.
    p : float
        The order, from 1, which gives `cophenetic_distance`, to 1,000; in the limit it is `cophenetic_l_infinity`.

    Returns
    -------
    float
        At least 0, in the unit of the heights. Lower is more alike; 0 if every pair joins at the same height. Grows
        with p.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights or has inversions, there is only one item, or a difference exceeds the range of floats.
    InvalidInputError
        If ``p`` is not a number from 1 to 1,000, or both trees are so deep that more than a billion steps are needed,
        as for two caterpillars from about 45,000 items on.

    See Also
    --------
    cophenetic_distance : The mean difference, which is fast for deep trees too.
    cophenetic_l_infinity : The largest difference, likewise.

    Notes
    -----
    O(n d) time for the mean depth d of the shallower tree, O(n) space; the L_p distance itself, without the division by
    the number of pairs, is ``N**(1/p)`` times the value. Symmetric; obeys the triangle inequality. For p = 2, the mean
    of the square over all relabellings is the mean of h_a**2 and that of h_b**2, less twice the product of the means of
    h_a and h_b. `compare` shows its root as the value by chance, and adjusts the square.

    References
    ----------
    .. [1] G. Cardona, A. Mir, F. Rossello, L. Rotger, D. Sanchez, "Cophenetic metrics for phylogenetic trees, after
       Sokal and Rohlf", BMC Bioinformatics 14 (2013) 3, doi:10.1186/1471-2105-14-3.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import cophenetic_lp
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> cophenetic_lp(a, b), cophenetic_lp(a, b, p=1)
    (1.2909944487358056, 1.0)
    """
    p = real_number(p, "p", least=1.0, most=_MOST)
    a, b = as_hierarchies(a, b)
    return _mean_of_order(Pair.of_trees(a, b), p)


def score(statistics: PairStatistics) -> Score:
    """Return the root mean square, with the root of the mean of its square; beyond the range of floats that is None."""
    pair = statistics.pair
    value = _mean_of_order(pair, 2.0)
    square, exponent = _expected_square(pair)
    try:
        expected = math.ldexp(math.sqrt(square), exponent)
    except OverflowError:
        return Score(value)
    return Score(value, expected, adjust(math.ldexp(value, -exponent) ** 2, square, 0.0))


def _expected_square(pair: Pair) -> tuple[float, int]:
    """Return the mean of the mean square over all relabellings, for heights in units of 2**exponent, and the exponent.

    Each height of the one tree meets each of the other as often. So the mean is the sum of the variances of the heights
    of pairs in both trees, and of the squared difference of their means.
    """
    share_a, share_b = (joined_pairs(tree) / pair.n_pairs for tree in (pair.a, pair.b))
    in_a, in_b = share_a > 0.0, share_b > 0.0
    heights = np.concatenate((height_clock(pair.a)[in_a], height_clock(pair.b)[in_b]))
    above, exponent = above_lowest(heights)
    (mean_a, variance_a), (mean_b, variance_b) = (
        _mean_and_variance(share, height)
        for share, height in zip((share_a[in_a], share_b[in_b]), np.split(above, [in_a.sum()]), strict=True)
    )
    return variance_a + variance_b + (mean_a - mean_b) ** 2, exponent


def _mean_and_variance(share: FloatArray, value: FloatArray) -> tuple[float, float]:
    """Return the mean and the variance of values with given shares."""
    mean = total(share * value)
    return mean, total(share * (value - mean) ** 2)


def _mean_of_order(pair: Pair, p: float) -> float:
    """Return the mean of order p, with the largest difference as the unit."""
    largest = largest_difference(pair)
    if largest == 0.0:
        return 0.0
    exceeded = limit(PairStatistics(pair))
    if exceeded:
        raise InvalidInputError(exceeded)
    a, b = pair.a, pair.b
    if steps_down(b) < steps_down(a):
        a, b = b, a
    sum_of_powers = Joint.of(a, b, pair.count).sum_of_powers(height_clock(a), height_clock(b), p, largest)
    return largest * min(1.0, math.pow(sum_of_powers / pair.n_pairs, 1.0 / p))


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps: the rows of all nodes of the shallower tree, each looked at about four times."""
    return 4 * _n_rows(statistics.pair)


def limit(statistics: PairStatistics) -> str:
    """Return why the trees are too deep, or "" if they are not."""
    steps = _n_rows(statistics.pair)
    if steps <= _MOST_STEPS:
        return ""
    return (
        f"comparing the heights of pairs in two deep trees must take at most {_MOST_STEPS:,} steps;"
        f" these take {steps:,} (cophenetic_distance and cophenetic_l_infinity are fast for deep trees)"
    )


def _n_rows(pair: Pair) -> int:
    """Return the number of rows of all nodes of the shallower tree."""
    return min(steps_down(pair.a), steps_down(pair.b))


MEASURE = Measure(
    call=cophenetic_lp,
    of="trees",
    symbol="D₂",
    title="RMS height difference",
    aliases=("RMS cophenetic difference",),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    exact=False,
    default=False,
    needs_heights=True,
    is_root=True,
    cost=cost,
    slow="comparing the heights of pairs",
    limit=limit,
    meaning="the root mean square difference of the heights at which pairs of items join, in the unit of the heights",
    formula=(
        "D₂ = √((1/N) Σ_i<j (h_a(i,j) - h_b(i,j))²)\n"
        "h(i,j) = height of the lowest node with i and j; with p: powers and root of order p"
    ),
    chance="the root of the mean square, exact: √(mean of h_a² + mean of h_b² - 2 × mean of h_a × mean of h_b)",
    source="Cardona et al. 2013",
    bibtex="cardona2013",
)
