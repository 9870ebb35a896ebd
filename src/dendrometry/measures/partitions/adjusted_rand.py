"""The adjusted Rand index: agreement on pairs of items beyond chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, two_quotient
from dendrometry._kernels._jit import on_columns
from dendrometry._kernels.measures import pair_columns as kernels
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.pair_counts import MANY_LEVELS, PairColumns, PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def adjusted_rand(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Rand index adjusted for chance: agreement on pairs of items beyond that of random relabellings.

    With pair counts as in `rand`, (T - PQ/N) / ((P + Q)/2 - PQ/N).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From -1/2 to 1. 1 for the same partition, 0 on average for random relabellings, negative for less agreement than
        by chance. Higher is more alike.

    Notes
    -----
    Exact integers up to one division. One cluster, or all singletons, against any other partition: 0. A single item: 1.
    O(n) time. Not a metric: the triangle inequality fails.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2 (1985) 193-218,
       doi:10.1007/BF01908075.

    Examples
    --------
    >>> from dendrometry import adjusted_rand
    >>> adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2])
    0.5714285714285714
    >>> adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return adjusted_rand_of(pair_counts(as_contingency(a, b)))


def adjusted_rand_of(pairs: PairCounts) -> float:
    """Return the adjusted Rand index of pair counts."""
    if pairs.in_a == pairs.in_b == pairs.in_both:
        return 1.0
    expected = pairs.in_a * pairs.in_b
    above = 2 * (pairs.in_both * pairs.all - expected)
    return min(above / ((pairs.in_a + pairs.in_b) * pairs.all - 2 * expected), inside(1.0))


def adjusted_rand_columns(pairs: PairColumns) -> FloatArray:
    """Return the adjusted Rand index at each level, computed with twice the precision up to the last division."""
    if pairs.in_a.size >= MANY_LEVELS:
        values = np.empty(pairs.in_a.size)
        kernels.fill_adjusted_rand(pairs.in_a, pairs.in_b, pairs.in_both, float(pairs.all), values)
        return values
    p, q, t = (column.astype(np.float64) for column in (pairs.in_a, pairs.in_b, pairs.in_both))
    same = (pairs.in_a == pairs.in_b) & (pairs.in_b == pairs.in_both)
    above, below = on_columns(kernels.adjusted_rand_terms)(p, q, t, float(pairs.all))
    value = two_quotient(above, below, ~same)
    return np.where(same, 1.0, np.minimum(value, inside(1.0)))


def curve(levels: Levels) -> FloatArray:
    """Return the index at every tick."""
    return adjusted_rand_columns(pair_columns(levels))


def score(statistics: PartitionStatistics) -> Score:
    """Return the index; its expectation is 0, so it is its own adjusted form."""
    value = adjusted_rand_of(statistics.pairs)
    expected = 1.0 if statistics.is_fixed else 0.0
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=adjusted_rand,
    of="partitions",
    symbol="AR",
    title="Adjusted Rand",
    aliases=("ARI", "adjusted Rand index", "adjusted_rand_score", "Hubert-Arabie index", "corrected Rand"),
    score=score,
    lower=-0.5,
    reached="-1/2 to 1",
    triangle=False,
    headline=True,
    tested_by="pairs",
    curve=curve,
    meaning="the Rand index, rescaled so that its expectation by chance is 0",
    formula="AR = (T - PQ/N) / ((P + Q)/2 - PQ/N)",
    chance="0, exact",
    source="Hubert and Arabie 1985",
    bibtex="hubert1985",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
