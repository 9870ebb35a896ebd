"""Van Dongen's criterion as a similarity."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.matching import largest_overlaps, mark_largest
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    strict_scores,
    sum_over_components,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust


def van_dongen(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Van Dongen's criterion as a similarity: the share of items in the best partner of their cluster.

    N = (sum over clusters of a of the largest overlap + the same for b) / (2n). 2n(1 - N) is the number of
    moves of items that turn one partition into the other by way of their meet.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Up to 1 (the same partition); never below ceil(2 sqrt(n)) / (2n), so never 0. Higher is more alike.

    Notes
    -----
    Exact integers up to one division. ``1 - van_dongen`` is a metric. Clusters that are not the best partner of any
    other are ignored. O(n) time. The mean over relabellings is exact, as for `purity`, and left out in the same cases.

    References
    ----------
    .. [1] S. van Dongen, "Performance criteria for graph clustering and Markov cluster experiments", CWI report
       INS-R0012 (2000).

    Examples
    --------
    >>> from dendrometry.measures import van_dongen
    >>> van_dongen([0, 0, 1, 1], [0, 1, 0, 1])
    0.5
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    kept = int(largest_overlaps(table.row, table.count, table.n_a).sum())
    kept += int(largest_overlaps(table.column, table.count, table.n_b).sum())
    return inside(kept / (2 * table.n_items))


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity with its expectation."""
    value, kept_a, kept_b = van_dongen(statistics.table), statistics.expected_largest_a, statistics.expected_largest_b
    if kept_a is None or kept_b is None:
        return Score(value)
    expected = (kept_a + kept_b) / (2 * statistics.table.n_items)
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the similarity as a sum over components, weighted by their sizes."""
    table, twice = graph.table, 2.0 * graph.sizes
    kept_a = sum_over_components(graph, graph.component_a, largest_overlaps(table.row, table.count, table.n_a))
    kept_b = sum_over_components(graph, graph.component_b, largest_overlaps(table.column, table.count, table.n_b))
    kept = (mark_largest(table.row, table.count).astype(np.float64) + mark_largest(table.column, table.count)) / 2.0
    return weigh_by_size(graph, strict_scores(graph, kept_a / twice + kept_b / twice), kept)


MEASURE = Measure(
    call=van_dongen,
    of="partitions",
    symbol="N",
    title="van Dongen",
    aliases=("van Dongen similarity",),
    score=score,
    reached="⌈2√n⌉/2n to 1",
    triangle=True,
    decompose=decompose,
    meaning="the share of items in the best partner of their cluster",
    formula="N = (Σ over the clusters of both sides of their greatest m) / 2n",
    chance="(1/2n) Σ over the clusters of both sides of the mean of their greatest m, whose law is exact",
    source="van Dongen 2000",
    bibtex="vandongen2000",
    properties=Properties(normalised=False, join_weighted=True, subcomponent_consistent=False, monotone="weakly"),
)
