"""Completeness: how far each cluster of a lies inside one cluster of b."""

from __future__ import annotations

from numpy.typing import ArrayLike

from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.information_terms import decompose_by_entropy
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions import homogeneity
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


def completeness(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Completeness: the share of the entropy of ``b`` that ``a`` explains.

    1 - H(b|a) / H(b) = I / H(b). With ``a`` the true classes and ``b`` the clusters, completeness is 1 if every class
    lies in one cluster. This is `homogeneity` of ``b`` and ``a``; see there for cost, weakness and source.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent partitions) to 1 (every cluster of ``a`` lies inside one of ``b``), both exact. Higher is
        more alike. If ``b`` is one cluster: 1.

    Examples
    --------
    >>> from dendrometry.measures import completeness
    >>> completeness([0, 0, 1, 1], [0, 0, 1, 2])
    0.6666666666666666
    """
    return homogeneity.explained(as_contingency(a, b), 1)


def curve(levels: Levels) -> FloatArray:
    """Return the measure at every tick."""
    return homogeneity.curve(levels, 1)


def score(statistics: PartitionStatistics) -> Score:
    """Return the share with its expectation."""
    return homogeneity.score(statistics, 1)


def decompose(graph: Components) -> Parts:
    """Return the measure as a sum over components, weighted by their shares in the entropy."""
    return decompose_by_entropy(graph, (1,))


MEASURE = Measure(
    call=completeness,
    of="partitions",
    symbol="c",
    title="Completeness",
    aliases=("completeness_score",),
    score=score,
    symmetric=False,
    triangle=False,
    default=False,
    tested_by="information",
    curve=curve,
    decompose=decompose,
    meaning="how far each cluster of {a} lies inside one of {b}",
    formula="c = I / H(b)\nH = -Σ (s/n) log(s/n), over the clusters of one partition",
    chance="the mean of I over H(b), exact; above 0, and greater the more clusters there are",
    source="Rosenberg and Hirschberg 2007",
    bibtex="rosenberg2007",
    properties=Properties(normalised=True, join_weighted=False, content_weighted=True, monotone="weakly"),
)
