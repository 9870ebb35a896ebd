"""Variation of information: the information that each partition lacks about the other."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import LEAST
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.information_terms import variation_terms
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    sum_over_components,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def variation_of_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Variation of information: the information that each partition lacks about the other, in nats.

    VI = H(b|a) + H(a|b): the sum over overlaps of size m between clusters of sizes s and t of
    (m/n) (log(s/m) + log(t/m)).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (the same partition) to log n. Lower is more alike.

    Notes
    -----
    A metric. No term is negative, so small distances are precise. O(n) time.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98
       (2007) 873-895, doi:10.1016/j.jmva.2006.11.013.

    Examples
    --------
    >>> from dendrometry import variation_of_information
    >>> variation_of_information([0, 0, 1, 1], [0, 1, 0, 1])
    1.3862943611198906
    """
    table = as_contingency(a, b)
    return sum(table.lost) / table.n_items


def variation_curve(levels: Levels) -> FloatArray:
    """Return the variation of information at every tick."""
    value = (levels.held(0) + levels.held(1) - 2.0 * levels.held_in_both) / levels.n
    return np.where(levels.same, 0.0, np.maximum(value, LEAST))


def score(statistics: PartitionStatistics) -> Score:
    """Return the distance with its expectation."""
    value, expected = variation_of_information(statistics.table), statistics.expected_variation
    return Score(value, expected, None if expected is None else adjust(value, expected, 0.0))


def variation_of_components(graph: Components) -> FloatArray:
    """Return the variation of information of each component."""
    lost: FloatArray = sum_over_components(graph, graph.component_cell, variation_terms(graph.table)) / graph.sizes
    return lost


def decompose(graph: Components) -> Parts:
    """Return the distance as a sum over components, weighted by their sizes."""
    return weigh_by_size(graph, variation_of_components(graph), variation_terms(graph.table) / graph.table.count)


MEASURE = Measure(
    call=variation_of_information,
    of="partitions",
    symbol="VI",
    title="Variation of information",
    aliases=("VI", "VOI"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    reached="0 to log n",
    triangle=True,
    tested_by="information",
    curve=variation_curve,
    decompose=decompose,
    meaning="the information that they do not share, in nats",
    formula="VI = Σ (m/n) (log(s/m) + log(t/m))",
    chance="H(a) + H(b) - 2 × the mean of I, exact",
    source="Meilă 2007",
    bibtex="meila2007",
    properties=Properties(normalised=False, join_weighted=True, monotone="strictly"),
)
