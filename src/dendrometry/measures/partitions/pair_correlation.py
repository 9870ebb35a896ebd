"""The correlation of pairs: Pearson's correlation of being together in one partition and in the other."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, negative, two_product, two_sum
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.pair_counts import PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def pair_correlation(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Pearson's correlation, over all pairs of items, of being together in one partition and in the other.

    With pair counts as in `rand`, (T N - P Q) / sqrt(P (N - P) Q (N - Q)). The angle of this correlation over pi,
    ``math.acos(pair_correlation(a, b)) / math.pi``, is the correlation distance.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above -1, up to 1. 1 for the same partition, 0 on average for random relabellings, negative for less agreement
        than by chance. Higher is more alike.

    Notes
    -----
    Exact integers up to one product, one root and one division. One cluster, or all singletons, against any other
    partition: 0, since no pair differs from the others there. A single item: 1. O(n) time. The correlation distance is
    a metric; ``1 - pair_correlation`` is not. The denominator is the geometric mean of two terms whose arithmetic mean
    is that of `adjusted_rand`, so that both have the same sign and this one is the further from 0.

    References
    ----------
    .. [1] M. M. Gösgens, A. Tikhonov, L. Prokhorenkova, "Systematic analysis of cluster similarity indices: how to
       validate validation measures", ICML 2021, PMLR 139, 3799-3808.

    Examples
    --------
    >>> from dendrometry.measures import pair_correlation
    >>> pair_correlation([0, 0, 1, 1], [0, 0, 1, 2])
    0.6324555320336759
    >>> pair_correlation([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return _correlation_of(pair_counts(as_contingency(a, b)))


def _correlation_of(pairs: PairCounts) -> float:
    """Return the correlation of pair counts."""
    if pairs.in_a == pairs.in_b == pairs.in_both:
        return 1.0
    of_a, of_b = (float(together * (pairs.all - together)) for together in (pairs.in_a, pairs.in_b))
    if not of_a * of_b:
        return 0.0
    above = pairs.in_both * pairs.all - pairs.in_a * pairs.in_b
    return min(above / math.sqrt(of_a * of_b), inside(1.0))


def curve(levels: Levels) -> FloatArray:
    """Return the correlation at every tick, the numerator computed with twice the precision."""
    pairs = pair_columns(levels)
    p, q, t = (column.astype(np.float64) for column in (pairs.in_a, pairs.in_b, pairs.in_both))
    above = two_sum(two_product(t, float(pairs.all)), negative(two_product(p, q))).high
    below = np.sqrt(p * (pairs.all - p) * (q * (pairs.all - q)))
    value = np.divide(above, below, out=np.zeros(below.size), where=below > 0.0)
    same = (pairs.in_a == pairs.in_b) & (pairs.in_b == pairs.in_both)
    return np.where(same, 1.0, np.minimum(value, inside(1.0)))


def score(statistics: PartitionStatistics) -> Score:
    """Return the correlation; its expectation is 0, so it is its own adjusted form."""
    value = _correlation_of(statistics.pairs)
    expected = 1.0 if statistics.is_fixed else 0.0
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=pair_correlation,
    of="partitions",
    symbol="CC",
    title="Pair correlation",
    aliases=(
        "correlation coefficient of pairs",
        "phi coefficient",
        "Hubert's gamma",
        "Hubert statistic",
        "MCC of pairs",
        "Matthews correlation of pairs",
    ),
    score=score,
    lower=-1.0,
    reached="above -1 to 1",
    triangle=False,
    default=False,
    tested_by="pairs",
    curve=curve,
    meaning="the correlation of being together in one partition and in the other, over all pairs of items",
    formula="CC = (TN - PQ) / √(P (N - P) Q (N - Q))",
    chance="0, exact",
    source="Gösgens et al. 2021",
    bibtex="gosgens2021",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
