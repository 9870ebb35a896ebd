"""The Jaccard index of pairs: the pairs together in both partitions over those together in either."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.pair_counts import PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


def jaccard(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Jaccard index of the pairs of items that are together.

    With pair counts as in `rand`, T / (P + Q - T): of the pairs together in at least one partition, the share together
    in both. Pairs that are apart in both do not count.

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
    Exact integers up to one division. Two all-singleton partitions, and a single item: 1. O(n) time. ``1 - jaccard`` is
    a metric. Its mean over relabellings has no formula: it is a ratio in T, of which the mean alone is known; see
    `dendrometry.comparison.expected_by_chance`. Since it
    is convex in T, its mean is at least its value at the mean of T.

    References
    ----------
    .. [1] P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11 (1912) 37-50,
       doi:10.1111/j.1469-8137.1912.tb05611.x.

    Examples
    --------
    >>> from dendrometry.measures import jaccard
    >>> jaccard([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    return _jaccard_of(pair_counts(as_contingency(a, b)))


def _jaccard_of(pairs: PairCounts) -> float:
    """Return the index of pair counts."""
    either = pairs.in_a + pairs.in_b - pairs.in_both
    if pairs.in_both == either:
        return 1.0
    return inside(pairs.in_both / either) if pairs.in_both else 0.0


def curve(levels: Levels) -> FloatArray:
    """Return the index at every tick."""
    pairs = pair_columns(levels)
    either = pairs.in_a + pairs.in_b - pairs.in_both
    return within(pairs.in_both / np.maximum(either, 1), pairs.in_both == 0, pairs.in_both == either)


def score(statistics: PartitionStatistics) -> Score:
    """Return the index; its expectation has no formula."""
    return Score(_jaccard_of(statistics.pairs))


MEASURE = Measure(
    call=jaccard,
    of="partitions",
    symbol="J",
    title="Jaccard",
    aliases=("Jaccard index", "Jaccard coefficient of pairs"),
    score=score,
    triangle=True,
    default=False,
    expects=False,
    tested_by="pairs",
    curve=curve,
    meaning="of the pairs together in either partition, the share together in both",
    formula="J = T / (P + Q - T)",
    chance="no formula, at least PQ / (N (P + Q) - PQ); expected_by_chance() estimates it",
    source="Jaccard 1912",
    bibtex="jaccard1912",
    properties=Properties(normalised=True, join_weighted=False, monotone="strictly"),
)
