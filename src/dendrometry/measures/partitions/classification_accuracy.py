"""Classification accuracy: the share of items in matched clusters, for the best one-to-one matching."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.matching import match_cells
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    strict_scores,
    sum_over_components,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score


def classification_accuracy(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Classification accuracy: the share of items in matched clusters, for the best one-to-one matching.

    A = (1/n) max over one-to-one matchings of clusters of the sum of their overlaps. In coreference resolution
    this is CEAF with the overlap as similarity.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 1/n (one cluster against all singletons) to 1 (the same partition). Higher is more alike.

    Notes
    -----
    Exact integers up to one division. ``1 - classification_accuracy`` is a metric. Each connected component of
    overlapping clusters is a separate assignment problem, solved on its overlaps alone: a sparse table never becomes
    dense. O(n) time plus, for each cluster that is not matched with its largest overlap, one search of its component:
    O(clusters x overlaps log overlaps) in the worst case. A table that is at least half full is solved as a matrix,
    O(clusters^3) in the worst case.

    References
    ----------
    .. [1] M. Meila and D. Heckerman, "An experimental comparison of model-based clustering methods", Machine
       Learning 42 (2001) 9-29, doi:10.1023/A:1007648401407.

    Examples
    --------
    >>> from dendrometry.measures import classification_accuracy
    >>> classification_accuracy(["x", "x", "x", "y"], [1, 1, 2, 1])
    0.5
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    return inside(int(table.count[match_cells(table)].sum()) / table.n_items)


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity; its expectation has no known formula."""
    return Score(classification_accuracy(statistics.table))


def decompose(graph: Components) -> Parts:
    """Return the similarity as a sum over components, weighted by their sizes."""
    cells = match_cells(graph.table)
    kept = sum_over_components(graph, graph.component_cell[cells], graph.table.count[cells])
    matched = np.zeros(graph.table.n_cells)
    matched[cells] = 1.0
    return weigh_by_size(graph, strict_scores(graph, kept / graph.sizes), matched)


MEASURE = Measure(
    call=classification_accuracy,
    of="partitions",
    symbol="A",
    title="Accuracy",
    aliases=(
        "clustering accuracy",
        "ACC",
        "CEAF",
        "MMM",
        "maximum matching measure",
        "Hungarian accuracy",
        "unsupervised accuracy",
        "Meilă-Heckerman",
    ),
    score=score,
    reached="1/n to 1",
    triangle=True,
    expects=False,
    decompose=decompose,
    meaning="the share of items in matched clusters, one to one",
    formula="A = (the greatest Σ m over overlaps that share no cluster) / n",
    chance="no formula, above 0; expected_by_chance() estimates it",
    source="Meilă and Heckerman 2001",
    bibtex="meila2001",
    properties=Properties(normalised=False, join_weighted=True, subcomponent_consistent=True, monotone="weakly"),
)
