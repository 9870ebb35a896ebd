"""Variation of information as a similarity, normalised by its bound for a number of clusters."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._display import printable_repr
from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.measures._shared.information_terms import decide_small
from dendrometry.measures._shared.matching import largest_overlaps
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    count_clusters,
    count_overlaps,
    strict_scores,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.variation_of_information import (
    variation_curve,
    variation_of_components,
    variation_of_information,
)
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def bounded_variation_similarity(a: ArrayLike | Contingency, b: ArrayLike | None = None, *, max_clusters: int) -> float:
    """Variation of information as a similarity, normalised for a number of clusters: K = 1 - VI / (2 log max_clusters).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.
    max_clusters : int
        The largest number of clusters of a partition, at least that of either. Fixed in advance, it makes pairs of
        partitions of different data sets comparable.

    Returns
    -------
    float
        From 0 (independent partitions into that many clusters of the same size) to 1 (the same partition), both exact.
        Higher is more alike.

    Raises
    ------
    InvalidInputError
        If ``max_clusters`` is not a whole number, or a partition has more clusters.

    Notes
    -----
    O(n).

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98
       (2007) 873-895, doi:10.1016/j.jmva.2006.11.013.

    Examples
    --------
    >>> from dendrometry.measures import bounded_variation_similarity
    >>> bounded_variation_similarity([0, 0, 1, 1], [0, 0, 0, 1], max_clusters=2)
    0.40563906222956636
    """
    table = as_contingency(a, b)
    k = check_bound(max(table.n_a, table.n_b), max_clusters)
    if table.is_identical:
        return 1.0
    if table.n_a == table.n_b == k and table.n_cells == k * k and (table.count == table.count[0]).all():
        return 0.0
    return inside(1.0 - variation_of_information(table) / (2.0 * math.log(k)))


def check_bound(most: int, max_clusters: object) -> int:
    """Return the bound on the number of clusters as an integer, refusing one below ``most``."""
    if isinstance(max_clusters, bool | np.bool_) or not isinstance(max_clusters, int | np.integer):
        raise InvalidInputError(f"max_clusters must be a whole number; got {printable_repr(max_clusters)}")
    if max_clusters < most:
        raise InvalidInputError(
            f"max_clusters must be at least the number of clusters of either partition, {most:,}; got {max_clusters}"
        )
    return int(max_clusters)


def curve(levels: Levels, max_clusters: int | None = None) -> FloatArray:
    """Return the similarity at every tick, for a given bound, or for the larger number of clusters at each tick.

    Levels with more groups than a given bound are not used, and have arbitrary values.
    """
    groups = np.maximum(levels.groups[0], levels.groups[1])[:-1]
    logs = np.log(np.maximum(groups if max_clusters is None else np.full(groups.size, max_clusters), 2))

    def measure(table: Contingency) -> float:
        most = max(table.n_a, table.n_b)
        return bounded_variation_similarity(table, max_clusters=max(max_clusters or 0, most))

    value = decide_small(levels, 1.0 - variation_curve(levels) / (2.0 * logs), measure)
    return within(value, value == 0.0, levels.same)


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity with its expectation."""
    if statistics.max_clusters is None:
        raise InvalidInputError(
            "bounded_variation_similarity needs a bound on the number of clusters, max_clusters; got none",
            Remedy("", ..., "takes it", "compare_partitions"),
            Remedy("", ..., "takes it", "bounded_variation_similarity"),
            Remedy("", ..., "variation_similarity needs none"),
        )
    value = bounded_variation_similarity(statistics.table, max_clusters=statistics.max_clusters)
    lost = statistics.expected_variation
    if lost is None:
        return Score(value)
    expected = 1.0 if statistics.is_fixed else 1.0 - lost / (2.0 * math.log(statistics.max_clusters))
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components, *, max_clusters: int | None = None) -> Parts:
    """Return the similarity as a sum over components, weighted by their sizes; all have the same bound."""
    bound = check_bound(max(graph.table.n_a, graph.table.n_b), max_clusters)
    n_cells, (n_a, n_b) = count_overlaps(graph), count_clusters(graph)
    largest = largest_overlaps(graph.component_cell, graph.table.count, graph.n_components)
    even = (graph.sizes % n_cells == 0) & (graph.sizes // n_cells == largest)
    worst = even & (n_a == bound) & (n_b == bound) & (n_cells == n_a * n_b)
    score = 1.0 - variation_of_components(graph) / (2.0 * math.log(max(bound, 2)))
    return weigh_by_size(graph, strict_scores(graph, score, worst))


MEASURE = Measure(
    call=bounded_variation_similarity,
    of="partitions",
    symbol="K",
    title="Bounded variation similarity",
    aliases=("bounded VI similarity",),
    score=score,
    triangle=True,
    needs_bound=True,
    tested_by="information",
    curve=curve,
    decompose=decompose,
    meaning="the variation of information as a similarity, over 2 log k for at most k clusters",
    formula="K = 1 - VI / (2 log k)",
    chance="1 - the mean of VI / (2 log K), exact; above 0",
    source="Meilă 2007",
    bibtex="meila2007",
    properties=Properties(normalised=False, join_weighted=True, subcomponent_consistent=False, monotone="strictly"),
)
