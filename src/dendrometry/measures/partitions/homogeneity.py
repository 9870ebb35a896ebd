"""Homogeneity: how far each cluster of b lies inside one cluster of a."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

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


def homogeneity(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Homogeneity: the share of the entropy of ``a`` that ``b`` explains.

    1 - H(a|b) / H(a) = I / H(a). With ``a`` the true classes and ``b`` the clusters, homogeneity is 1 if every
    cluster holds items of one class only.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent partitions) to 1 (every cluster of ``b`` lies inside one of ``a``), both exact. Higher is
        more alike.

    Notes
    -----
    If ``a`` is one cluster, nothing is left to explain: 1. O(n) time. Not symmetric:
    ``homogeneity(a, b) == completeness(b, a)``. Grows with the number of clusters of ``b`` even by chance: see the
    adjusted value, or `adjusted_mutual_information`.

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg, "V-measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007, 410-420.

    Examples
    --------
    >>> from dendrometry.measures import homogeneity
    >>> homogeneity([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    """
    return explained(as_contingency(a, b), 0)


def explained(table: Contingency, side: Literal[0, 1]) -> float:
    """Return the share of the entropy of a (side 0) or of b (1) that the other partition explains."""
    if table.n_cells == (table.n_b, table.n_a)[side]:
        return 1.0
    if is_independent(table):
        return 0.0
    entropy = entropy_sum((table.sizes_a, table.sizes_b)[side])
    value = 1.0 - table.lost[1 - side] / entropy  # precise near 1; near 0 the quotient is
    return inside(value if value > 0.5 else information_sum(table) / entropy)


def curve(levels: Levels, side: Literal[0, 1] = 0) -> FloatArray:
    """Return the share at every tick."""
    entropy = math.log(levels.n) - levels.held(side) / levels.n
    value = np.divide(information_curve(levels), entropy, out=np.ones(entropy.size), where=entropy > 0.0)
    value = decide_small(levels, value, partial(explained, side=side))
    return within(value, value == 0.0, levels.walk.t == (levels.walk.q, levels.walk.p)[side])


def score(statistics: PartitionStatistics, side: Literal[0, 1] = 0) -> Score:
    """Return the share with its expectation."""
    value, shared = explained(statistics.table, side), statistics.expected_information
    entropy = statistics.entropies[side]
    if shared is None:
        return Score(value)
    expected = 1.0 if entropy == 0.0 or statistics.is_fixed else shared / entropy
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the measure as a sum over components, weighted by their shares in the entropy."""
    return decompose_by_entropy(graph, (0,))


MEASURE = Measure(
    call=homogeneity,
    of="partitions",
    symbol="h",
    title="Homogeneity",
    aliases=("homogeneity_score",),
    score=score,
    symmetric=False,
    triangle=False,
    default=False,
    tested_by="information",
    curve=curve,
    decompose=decompose,
    meaning="how far each cluster of {b} lies inside one of {a}",
    formula="h = I / H(a)\nH = -Σ (s/n) log(s/n), over the clusters of one partition",
    chance="the mean of I over H(a), exact; above 0, and greater the more clusters there are",
    source="Rosenberg and Hirschberg 2007",
    bibtex="rosenberg2007",
    properties=Properties(normalised=True, join_weighted=False, content_weighted=True, monotone="weakly"),
)
