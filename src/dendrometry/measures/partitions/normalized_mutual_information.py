"""Mutual information divided by the larger of the two entropies."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.information_terms import decide_small, entropy_sum, information_sum, is_independent
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.mutual_information import information_curve
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def normalized_mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Mutual information divided by the larger of the two entropies.

    NMI = I / max(H(a), H(b)). With this normalisation, 1 - NMI is a metric; with others (the sum, the smaller entropy,
    the root of the product) it is not.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent partitions) to 1 (the same partition), both exact. Higher is more alike.

    Notes
    -----
    One cluster against any other partition: 0, since its entropy is 0. One cluster against itself, and a single item:
    1. O(n) time.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11
       (2010) 2837-2854.

    Examples
    --------
    >>> from dendrometry import normalized_mutual_information
    >>> normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2])
    0.6666666666666666
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    if is_independent(table):
        return 0.0
    of_b, of_a = table.lost
    entropy_a, entropy_b = entropy_sum(table.sizes_a), entropy_sum(table.sizes_b)
    value = 1.0 - max(of_a / entropy_a, of_b / entropy_b)  # precise near 1; near 0 the quotient is
    return inside(value if value > 0.5 else information_sum(table) / max(entropy_a, entropy_b))


def curve(levels: Levels) -> FloatArray:
    """Return the measure at every tick."""
    entropy = math.log(levels.n) - np.minimum(levels.held(0), levels.held(1)) / levels.n
    value = np.divide(information_curve(levels), entropy, out=np.zeros(entropy.size), where=entropy > 0.0)
    value = decide_small(levels, value, normalized_mutual_information)
    return within(value, value == 0.0, levels.same)


def score(statistics: PartitionStatistics) -> Score:
    """Return the measure with its expectation."""
    value, shared = normalized_mutual_information(statistics.table), statistics.expected_information
    if shared is None:
        return Score(value)
    expected = 1.0 if statistics.is_fixed else shared / max(statistics.entropies)
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=normalized_mutual_information,
    of="partitions",
    symbol="NMI",
    title="Normalized mutual information",
    aliases=("NMI", "NMI max"),
    score=score,
    triangle=True,
    tested_by="information",
    curve=curve,
    meaning="the mutual information over the larger of the two entropies",
    formula=("NMI = I / max(H(a), H(b))\nH = -Σ (s/n) log(s/n), over the clusters of one partition"),
    chance="the mean of I over the larger entropy, exact; above 0, and greater the more clusters there are",
    source="Vinh et al. 2010",
    bibtex="vinh2010",
    properties=Properties(normalised=True, join_weighted=False, monotone="weakly"),
)
