"""The V-measure: the harmonic mean of homogeneity and completeness."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.information_terms import (
    decide_small,
    decompose_by_entropy,
    entropy_sum,
    information_sum,
    is_independent,
)
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.mutual_information import information_curve
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def v_measure(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """V-measure: the harmonic mean of `homogeneity` and `completeness`.

    2 I / (H(a) + H(b)), the mutual information divided by the mean of the two entropies.

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
    One cluster against any other partition: 0; against itself, and a single item: 1. O(n) time. ``1 - v_measure`` is
    not a metric. Equal to the normalised mutual information of scikit-learn; `normalized_mutual_information` divides by
    the larger entropy.

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg, "V-measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007, 410-420.

    Examples
    --------
    >>> from dendrometry.measures import v_measure
    >>> v_measure([0, 0, 1, 1], [0, 0, 1, 2])
    0.8
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    if is_independent(table):
        return 0.0
    both = entropy_sum(table.sizes_a) + entropy_sum(table.sizes_b)
    value = 1.0 - sum(table.lost) / both  # precise near 1; near 0 the quotient is
    return inside(value if value > 0.5 else 2.0 * information_sum(table) / both)


def curve(levels: Levels) -> FloatArray:
    """Return the measure at every tick."""
    both = 2.0 * math.log(levels.n) - (levels.held(0) + levels.held(1)) / levels.n
    value = np.divide(2.0 * information_curve(levels), both, out=np.ones(both.size), where=both > 0.0)
    value = decide_small(levels, value, v_measure)
    return within(value, value == 0.0, levels.same)


def score(statistics: PartitionStatistics) -> Score:
    """Return the measure with its expectation."""
    value, shared = v_measure(statistics.table), statistics.expected_information
    if shared is None:
        return Score(value)
    expected = 1.0 if statistics.is_fixed else 2.0 * shared / sum(statistics.entropies)
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the measure as a sum over components, weighted by their shares in the entropies."""
    return decompose_by_entropy(graph, (0, 1))


MEASURE = Measure(
    call=v_measure,
    of="partitions",
    symbol="V",
    title="V-measure",
    aliases=("v_measure_score", "normalized_mutual_info_score"),
    score=score,
    triangle=False,
    default=False,
    tested_by="information",
    curve=curve,
    decompose=decompose,
    meaning="the mutual information over the mean of the two entropies",
    formula="V = 2I / (H(a) + H(b))\nH = -Σ (s/n) log(s/n), over the clusters of one partition",
    chance="the mean of I over the mean of the entropies, exact; above 0, and greater the more clusters there are",
    source="Rosenberg and Hirschberg 2007",
    bibtex="rosenberg2007",
    properties=Properties(normalised=True, join_weighted=False, content_weighted=True, monotone="weakly"),
)
