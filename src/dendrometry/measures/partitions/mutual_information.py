"""Mutual information: the information that two partitions share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import LEAST, log_ratio, total
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.information_terms import (
    decide_small,
    depends,
    information_sum,
    is_independent,
    mutual_terms,
)
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    sum_over_components,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


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
    shared: FloatArray = math.log(levels.n) - (levels.held(0) + levels.held(1) - levels.held_in_both) / levels.n
    return shared


def curve(levels: Levels) -> FloatArray:
    """Return the mutual information at every tick."""
    value = decide_small(levels, information_curve(levels), mutual_information)
    return np.where(np.maximum(levels.groups[0], levels.groups[1])[:-1] == 1, 0.0, value)


def score(statistics: PartitionStatistics) -> Score:
    """Return the information with its expectation; it is not a similarity, so it has no adjusted form."""
    return Score(mutual_information(statistics.table), statistics.expected_information)


def decompose(graph: Components) -> Parts:
    """Return the information as a sum over components, weighted by their sizes, plus the entropy of the join."""
    table, size = graph.table, graph.sizes[graph.component_cell]
    terms = mutual_terms(table, size.astype(np.float64))
    shared = sum_over_components(graph, graph.component_cell, terms) / graph.sizes
    n = table.n_items
    offset = total(graph.sizes * log_ratio(np.int64(n), graph.sizes)) / n
    return weigh_by_size(graph, np.where(depends(graph), np.maximum(shared, LEAST), 0.0))._replace(offset=offset)


MEASURE = Measure(
    call=mutual_information,
    of="partitions",
    symbol="I",
    title="Mutual information",
    aliases=("MI", "mutual_info_score"),
    score=score,
    kind="information",
    identical=None,
    upper=math.inf,
    reached="0 to log n",
    triangle=False,
    tested_by="information",
    curve=curve,
    decompose=decompose,
    meaning="the information that the partitions share, in nats",
    formula="I = Σ (m/n) log(mn / st)",
    chance=(
        "exact: each overlap of clusters of s and t items is hypergeometric; above 0, and greater the more clusters"
        " there are"
    ),
    source="Meilă 2007",
    bibtex="meila2007",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
