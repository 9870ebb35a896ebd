"""The Fowlkes-Mallows index: the geometric mean of two shares of pairs that stay together."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.pair_counts import PairColumns, PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def fowlkes_mallows(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Fowlkes-Mallows index: the geometric mean of two shares of pairs that stay together.

    With pair counts as in `rand`, T / sqrt(PQ): the share of the pairs together in one partition that are together in
    the other, as the geometric mean of both directions.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (no pair together in both) to 1 (the same partition). Higher is more alike.

    Notes
    -----
    Exact integers up to one root and one division. Two all-singleton partitions, or a single item: 1, as for any
    partition and itself; pairs in one partition only: 0. O(n) time. ``1 - fowlkes_mallows`` is not a metric.

    References
    ----------
    .. [1] E. B. Fowlkes and C. L. Mallows, "A method for comparing two hierarchical clusterings", JASA 78 (1983)
       553-569.

    Examples
    --------
    >>> from dendrometry import fowlkes_mallows
    >>> fowlkes_mallows([0, 0, 1, 1], [0, 0, 1, 2])
    0.7071067811865475
    >>> fowlkes_mallows([0, 1, 2], [2, 1, 0])
    1.0
    """
    return fowlkes_mallows_of(pair_counts(as_contingency(a, b)))


def fowlkes_mallows_of(pairs: PairCounts) -> float:
    """Return the Fowlkes-Mallows index of pair counts."""
    if pairs.in_a == pairs.in_b == pairs.in_both:
        return 1.0
    return inside(pairs.in_both / math.sqrt(pairs.in_a * pairs.in_b)) if pairs.in_both else 0.0


def fowlkes_mallows_columns(pairs: PairColumns) -> FloatArray:
    """Return the Fowlkes-Mallows index at each level, with the same bits as `fowlkes_mallows`."""
    same = (pairs.in_a == pairs.in_b) & (pairs.in_b == pairs.in_both)
    root = np.sqrt(pairs.in_a.astype(np.float64) * pairs.in_b)
    value = np.divide(pairs.in_both, root, out=np.zeros(root.size), where=root > 0.0)
    return within(value, pairs.in_both == 0, same)


def curve(levels: Levels) -> FloatArray:
    """Return the index at every tick."""
    return fowlkes_mallows_columns(pair_columns(levels))


def score(statistics: PartitionStatistics) -> Score:
    """Return the index with its expectation."""
    pairs = statistics.pairs
    value = fowlkes_mallows_of(pairs)
    expected = 1.0 if statistics.is_fixed else math.sqrt(pairs.in_a * pairs.in_b) / pairs.all
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=fowlkes_mallows,
    of="partitions",
    symbol="B",
    title="Fowlkes–Mallows",
    aliases=("FMI", "Bk", "Fowlkes-Mallows index", "fowlkes_mallows_score", "FM_index"),
    score=score,
    triangle=False,
    tested_by="pairs",
    curve=curve,
    meaning="the share of pairs kept together, geometric mean of both directions",
    formula="B = T / √(PQ)",
    chance="√(PQ) / N, exact",
    source="Fowlkes and Mallows 1983",
    bibtex="fowlkes1983",
    properties=Properties(normalised=True, join_weighted=False, monotone="strictly"),
)
