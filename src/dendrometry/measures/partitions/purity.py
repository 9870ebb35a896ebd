"""Purity: the share of items in the majority class of their cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.matching import largest_overlaps, mark_largest
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    count_clusters,
    count_overlaps,
    sum_over_components,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def purity(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Purity: the share of items in the most frequent class of ``a`` in their cluster of ``b``.

    (1/n) sum over the clusters of ``b`` of their largest overlap with a cluster of ``a``, the true classes. Some texts
    call it the Meila-Heckerman measure; the measure of that paper matches each class once, see
    `classification_accuracy`.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above 0, up to 1 (every cluster of ``b`` lies inside one of ``a``). Higher is more alike.

    Notes
    -----
    Exact integers up to one division. O(n) time. Not symmetric. Grows with the number of clusters of ``b``: all
    singletons are pure. Its mean over relabellings is exact, from the law of the largest overlap of a cluster whose
    items are drawn from the classes; it is left out if that would take more than about a second, as for a few classes
    of more than some 100,000 items, or for hundreds of different sizes.

    References
    ----------
    .. [1] Y. Zhao, G. Karypis, "Empirical and theoretical comparisons of selected criterion functions for document
       clustering", Machine Learning 55 (2004) 311-331, doi:10.1023/B:MACH.0000027785.44527.d6.
    .. [2] B. Levin, "On calculations involving the maximum cell frequency", Communications in Statistics - Theory and
       Methods 12 (1983) 1299-1327.

    Examples
    --------
    >>> from dendrometry.measures import purity
    >>> purity([0, 0, 1, 1], [0, 0, 0, 1])
    0.75
    """
    table = as_contingency(a, b)
    if table.n_cells == table.n_b:
        return 1.0
    return inside(int(largest_overlaps(table.column, table.count, table.n_b).sum()) / table.n_items)


def curve(levels: Levels) -> FloatArray:
    """Return the purity at every tick."""
    share, walk = levels.overlap_sums(1)[1] / levels.n, levels.walk
    return within(share, np.zeros(share.size, dtype=bool), walk.t == walk.q)


def score(statistics: PartitionStatistics) -> Score:
    """Return the purity with its expectation."""
    value, kept = purity(statistics.table), statistics.expected_largest_b
    if kept is None:
        return Score(value)
    expected = kept / statistics.table.n_items
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the purity as a sum over components, weighted by their sizes."""
    table = graph.table
    largest = largest_overlaps(table.column, table.count, table.n_b)
    kept = sum_over_components(graph, graph.component_b, largest)
    whole = count_overlaps(graph) == count_clusters(graph)[1]
    score = within(kept / graph.sizes, np.zeros(whole.size, dtype=bool), whole)
    return weigh_by_size(graph, score, mark_largest(table.column, table.count).astype(np.float64))


MEASURE = Measure(
    call=purity,
    of="partitions",
    symbol="purity",
    title="Purity",
    aliases=("cluster purity", "purity_score"),
    score=score,
    reached="1/n to 1",
    symmetric=False,
    triangle=False,
    default=False,
    curve=curve,
    decompose=decompose,
    meaning="the share of items in the most frequent class of their cluster; {a} holds the classes",
    formula="purity = (1/n) Σ over the clusters of b of their greatest m",
    chance="(1/n) Σ over the clusters of b of the mean of their greatest m, whose law is exact",
    source="Zhao and Karypis 2004",
    bibtex="zhao2004",
    properties=Properties(normalised=False, join_weighted=True, monotone="weakly"),
)
