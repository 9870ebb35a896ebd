"""Mutual information: the information that two partitions share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._kernels._jit import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.information.terms import decide_small, information_sum, is_independent
from dendrometry.measures.partitions.readings.readings import PartitionReadings
from dendrometry.measures.score import Score
from dendrometry.walk.levels import Levels

__all__ = ["MEASURE", "information_curve", "mutual_information"]


def mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Mutual information: the information that two partitions share, in nats.

    I = H(a) + H(b) - H(a, b): the sum over overlaps of size m between clusters of sizes s and t of
    (m/n) log(mn / (st)).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent partitions, exact) to the lesser of the two entropies. It is not normalised, so neither end
        is better in general.

    Notes
    -----
    Not a similarity: a single cluster has mutual information 0 with itself. Small values are precise too. O(n) time.

    Examples
    --------
    >>> from dendrometry import mutual_information
    >>> mutual_information([0, 0, 1, 1], [5, 5, 7, 7])
    0.6931471805599453
    """
    table = as_contingency(a, b)
    return 0.0 if is_independent(table) else information_sum(table) / table.n_items


def information_curve(levels: Levels) -> FloatArray:
    """Return the mutual information at every tick, from the running sums."""
    told: FloatArray = math.log(levels.n) - (levels.held(0) + levels.held(1) - levels.held_in_both()) / levels.n
    return told


def curve(levels: Levels) -> FloatArray:
    """Return the mutual information at every tick."""
    value = decide_small(levels, information_curve(levels), mutual_information)
    return np.where(np.maximum(levels.groups[0], levels.groups[1])[:-1] == 1, 0.0, value)


def score(readings: PartitionReadings) -> Score:
    """Return the information with its expectation; it is not a similarity, so it has no adjusted form."""
    return Score(mutual_information(readings.table), readings.expected_information)


MEASURE = Measure(
    call=mutual_information,
    of="partitions",
    symbol="I",
    score=score,
    kind="information",
    identical=None,
    upper=math.inf,
    reached="0 to log n",
    triangle=False,
    tested_by="information",
    curve=curve,
    says="what one partition tells of the other, in nats",
    formula="I = Σ (m/n) log(mn / st)",
    chance="no short formula; above 0, and greater the more clusters there are",
    source="doi:10.1016/j.jmva.2006.11.013",
    bibtex="meila2007",
    properties=Properties(normalised=False, decomposable=True, join_weighted=False, monotone="weakly"),
)
