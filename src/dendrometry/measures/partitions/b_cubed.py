"""The B-cubed F-score: the harmonic mean of B-cubed precision and recall."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.b_cubed_precision import b_cubed_precision
from dendrometry.measures.partitions.b_cubed_precision import curve as precision_curve
from dendrometry.measures.partitions.b_cubed_recall import b_cubed_recall
from dendrometry.measures.partitions.b_cubed_recall import curve as recall_curve
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


def b_cubed(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """B-cubed F-score: the harmonic mean of `b_cubed_precision` and `b_cubed_recall`.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above 0, up to 1 (the same partition). Higher is more alike.

    Notes
    -----
    O(n) time. Symmetric; the triangle inequality does not hold. Its mean over relabellings has no formula: it is a
    ratio of precision and recall, whose own means are exact. Since it is concave in these, its mean is at most the
    harmonic mean of theirs.

    References
    ----------
    .. [1] A. Bagga, B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", COLING-ACL
       1998, 79-85.
    .. [2] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering evaluation metrics based
       on formal constraints", Information Retrieval 12 (2009) 461-486, doi:10.1007/s10791-008-9066-8.

    Examples
    --------
    >>> from dendrometry.measures import b_cubed
    >>> b_cubed([0, 0, 1, 1], [0, 0, 1, 2])
    0.8571428571428571
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    precision, recall = b_cubed_precision(table), b_cubed_recall(table)
    return inside(2.0 * precision * recall / (precision + recall))


def curve(levels: Levels) -> FloatArray:
    """Return the F-score at every tick."""
    precision, recall = precision_curve(levels), recall_curve(levels)
    value = 2.0 * precision * recall / (precision + recall)
    return within(value, np.zeros(value.size, dtype=bool), levels.same)


def score(statistics: PartitionStatistics) -> Score:
    """Return the F-score; its expectation has no formula."""
    return Score(b_cubed(statistics.table))


MEASURE = Measure(
    call=b_cubed,
    of="partitions",
    symbol="B3",
    title="B-cubed",
    aliases=("B3", "BCubed F", "B-cubed F1"),
    score=score,
    reached="2/(n + 1) to 1",
    triangle=False,
    default=False,
    expects=False,
    curve=curve,
    meaning="the harmonic mean of the shares of an item's cluster that stay with it, in both directions",
    formula="B3 = 2 B3_P B3_R / (B3_P + B3_R)",
    chance="no formula, at most the harmonic mean of the means of B3_P and B3_R; expected_by_chance() estimates it",
    source="Bagga and Baldwin 1998",
    bibtex="bagga1998",
    properties=Properties(normalised=False, join_weighted=False, monotone="strictly"),
)
