"""The adjusted Wallace coefficient from a to b: how far pairs together in a stay together in b, beyond chance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import negative, two_product, two_quotient, two_sum
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.kept_pairs import decompose_kept_pairs
from dendrometry.measures._shared.pair_counts import PairColumns, PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def adjusted_wallace_ab(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Wallace coefficient, adjusted for chance, from ``a`` to ``b``.

    The share of the pairs together in ``a`` that are together in ``b``, W = T / P, adjusted for chance:
    (W - Q/N) / (1 - Q/N), with pair counts as in `rand`. It tells how well ``a`` predicts ``b``.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Up to 1 (every pair together in ``a`` is together in ``b``); 0 on average for random relabellings, negative
        for less agreement than by chance, at least -(n - 2)/2. Higher is more alike.

    Notes
    -----
    Exact integers up to one division. If ``a`` has no pair together, or ``b`` has all, the coefficient tells nothing:
    0, and 1 for a partition with itself. A single item: 1. O(n) time. Not symmetric:
    ``adjusted_wallace_ab(a, b) == adjusted_wallace_ba(b, a)``. `adjusted_rand` is the harmonic mean of both.

    References
    ----------
    .. [1] D. L. Wallace, "A method for comparing two hierarchical clusterings: comment", JASA 78 (1983) 569-576,
       doi:10.2307/2288118.
    .. [2] A. Severiano, F. R. Pinto, M. Ramirez, J. A. Carrico, "Adjusted Wallace coefficient as a measure of
       congruence between typing methods", Journal of Clinical Microbiology 49 (2011) 3997-4000,
       doi:10.1128/JCM.00624-11.

    Examples
    --------
    >>> from dendrometry.measures import adjusted_wallace_ab
    >>> adjusted_wallace_ab([0, 0, 1, 1], [0, 0, 1, 2])
    0.4
    """
    return wallace_of(pair_counts(as_contingency(a, b)))


def wallace_of(pairs: PairCounts) -> float:
    """Return the coefficient of pair counts."""
    if pairs.in_a == pairs.in_b == pairs.in_both:
        return 1.0
    most = pairs.in_a * (pairs.all - pairs.in_b)
    return (pairs.in_both * pairs.all - pairs.in_a * pairs.in_b) / most if most else 0.0


def curve(levels: Levels) -> FloatArray:
    """Return the coefficient at every tick."""
    return wallace_curve(pair_columns(levels))


def wallace_curve(pairs: PairColumns) -> FloatArray:
    """Return the coefficient of columns of pair counts, with twice the precision up to the last division."""
    p, q, t = (column.astype(np.float64) for column in (pairs.in_a, pairs.in_b, pairs.in_both))
    above = two_sum(two_product(t, float(pairs.all)), negative(two_product(p, q)))
    below = two_product(p, pairs.all - q)
    value = two_quotient(above, below, below.high > 0.0)
    return np.where((p == q) & (q == t), 1.0, value)


def score(statistics: PartitionStatistics) -> Score:
    """Return the coefficient with its expectation."""
    return wallace_score(statistics.pairs, statistics.is_fixed)


def wallace_score(pairs: PairCounts, is_fixed: bool) -> Score:
    """Return the coefficient of pair counts as a score; its expectation is 0, so it is its own adjusted form."""
    value, expected = wallace_of(pairs), 1.0 if is_fixed else 0.0
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the coefficient as a sum over components, weighted by their pairs, and over items."""
    return decompose_kept_pairs(graph, 0, wallace_of)


MEASURE = Measure(
    call=adjusted_wallace_ab,
    of="partitions",
    symbol="AW_ab",
    title="Wallace, a to b",
    aliases=("adjusted Wallace", "AW"),
    score=score,
    lower=-math.inf,
    reached="-(n - 2)/2 to 1",
    symmetric=False,
    triangle=False,
    default=False,
    tested_by="pairs",
    curve=curve,
    decompose=decompose,
    meaning="how far pairs together in {a} stay together in {b}, beyond chance",
    formula="AW_ab = (T/P - Q/N) / (1 - Q/N)",
    chance="0, exact",
    source="Severiano et al. 2011",
    bibtex="severiano2011",
    properties=Properties(normalised=False, join_weighted=False, content_weighted=True, monotone="weakly"),
)
