"""The adjusted Wallace coefficient from b to a: how far pairs together in b stay together in a, beyond chance."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.kept_pairs import decompose_kept_pairs
from dendrometry.measures._shared.pair_counts import PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.adjusted_wallace_ab import wallace_curve, wallace_of, wallace_score
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


def adjusted_wallace_ba(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Wallace coefficient, adjusted for chance, from ``b`` to ``a``.

    The share of the pairs together in ``b`` that are together in ``a``, W = T / Q, adjusted for chance:
    (W - P/N) / (1 - P/N). It tells how well ``b`` predicts ``a``. This is `adjusted_wallace_ab` of ``b`` and ``a``; see
    there for undefined cases, cost and sources.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Up to 1 (every pair together in ``b`` is together in ``a``); 0 on average for random relabellings, negative
        for less agreement than by chance, at least -(n - 2)/2. Higher is more alike.

    Examples
    --------
    >>> from dendrometry.measures import adjusted_wallace_ba
    >>> adjusted_wallace_ba([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    """
    return _wallace_back(pair_counts(as_contingency(a, b)))


def _wallace_back(pairs: PairCounts) -> float:
    """Return the coefficient of pair counts, from b to a."""
    return wallace_of(pairs.swap())


def curve(levels: Levels) -> FloatArray:
    """Return the coefficient at every tick."""
    return wallace_curve(pair_columns(levels).swap())


def score(statistics: PartitionStatistics) -> Score:
    """Return the coefficient with its expectation."""
    return wallace_score(statistics.pairs.swap(), statistics.is_fixed)


def decompose(graph: Components) -> Parts:
    """Return the coefficient as a sum over components, weighted by their pairs, and over items."""
    return decompose_kept_pairs(graph, 1, _wallace_back)


MEASURE = Measure(
    call=adjusted_wallace_ba,
    of="partitions",
    symbol="AW_ba",
    title="Wallace, b to a",
    aliases=("adjusted Wallace of b to a",),
    score=score,
    lower=-math.inf,
    reached="-(n - 2)/2 to 1",
    symmetric=False,
    triangle=False,
    default=False,
    tested_by="pairs",
    curve=curve,
    decompose=decompose,
    meaning="how far pairs together in {b} stay together in {a}, beyond chance",
    formula="AW_ba = (T/Q - P/N) / (1 - P/N)",
    chance="0, exact",
    source="Severiano et al. 2011",
    bibtex="severiano2011",
    properties=Properties(normalised=False, join_weighted=False, content_weighted=True, monotone="weakly"),
)
