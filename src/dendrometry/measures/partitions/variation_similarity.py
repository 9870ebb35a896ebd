"""Variation of information as a similarity, normalised by its bound for n items."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    count_clusters,
    count_overlaps,
    strict_scores,
    weigh_with_rest,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.variation_of_information import (
    variation_curve,
    variation_of_components,
    variation_of_information,
)
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def variation_similarity(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Variation of information as a similarity, normalised by its bound for n items: V = 1 - VI / log n.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent, and no two items together in both) to 1 (the same partition), both exact. Higher is more
        alike.

    Notes
    -----
    It depends on n, so values of different data sets are not comparable. A single item: 1. O(n) time.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98
       (2007) 873-895, doi:10.1016/j.jmva.2006.11.013.

    Examples
    --------
    >>> from dendrometry.measures import variation_similarity
    >>> variation_similarity([0, 0, 1, 1], [0, 0, 1, 2])
    0.75
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    if table.n_cells == table.n_items == table.n_a * table.n_b:
        return 0.0
    return inside(1.0 - variation_of_information(table) / math.log(table.n_items))


def curve(levels: Levels) -> FloatArray:
    """Return the similarity at every tick."""
    grid = levels.groups[0][:-1] * levels.groups[1][:-1] == levels.n
    value = 1.0 - variation_curve(levels) / math.log(max(levels.n, 2))
    return within(value, grid & (levels.walk.t == 0), levels.same)


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity with its expectation."""
    value, lost = variation_similarity(statistics.table), statistics.expected_variation
    if lost is None:
        return Score(value)
    expected = 1.0 if statistics.is_fixed else 1.0 - lost / math.log(statistics.table.n_items)
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the similarity as a sum over components, weighted by size x log(size)."""
    logs, n = np.log(graph.sizes), graph.table.n_items
    score = 1.0 - np.divide(variation_of_components(graph), logs, out=np.zeros(logs.size), where=logs > 0.0)
    n_a, n_b = count_clusters(graph)
    grid = (count_overlaps(graph) == graph.sizes) & (n_a * n_b == graph.sizes)
    weight = graph.sizes * logs / (n * math.log(max(n, 2)))
    return weigh_with_rest(graph, weight, strict_scores(graph, score, grid))


MEASURE = Measure(
    call=variation_similarity,
    of="partitions",
    symbol="V",
    title="Variation similarity",
    aliases=("VI similarity",),
    score=score,
    triangle=True,
    tested_by="information",
    curve=curve,
    decompose=decompose,
    meaning="the variation of information as a similarity, over log n",
    formula="V = 1 - VI / log n",
    chance="1 - the mean of VI / log n, exact; above 0",
    source="Meilă 2007",
    bibtex="meila2007",
    properties=Properties(normalised=True, join_weighted=False, monotone="strictly"),
)
