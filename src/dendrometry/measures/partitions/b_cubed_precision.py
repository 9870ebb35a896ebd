"""B-cubed precision: the mean share of an item's cluster in b that is with it in a."""

from __future__ import annotations

from numpy.typing import ArrayLike

from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions import b_cubed_recall
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


def b_cubed_precision(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """B-cubed precision: for an item on average, the share of its cluster in ``b`` that shares its cluster in ``a``.

    (1/n) sum of m**2 / t over the overlaps, m items of clusters of s items in ``a`` and t items in ``b``. This is
    `b_cubed_recall` of ``b`` and ``a``; see there for cost and sources.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above 0, up to 1 (every cluster of ``b`` lies inside one of ``a``). Higher is more alike.

    Examples
    --------
    >>> from dendrometry.measures import b_cubed_precision
    >>> b_cubed_precision([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    """
    return b_cubed_recall.mean_share(as_contingency(a, b), 1)


def curve(levels: Levels) -> FloatArray:
    """Return the mean share at every tick."""
    return b_cubed_recall.curve(levels, 1)


def score(statistics: PartitionStatistics) -> Score:
    """Return the mean share with its expectation."""
    return b_cubed_recall.score(statistics, 1)


def decompose(graph: Components) -> Parts:
    """Return the mean share as a sum over components, weighted by their sizes."""
    return b_cubed_recall.decompose(graph, 1)


MEASURE = Measure(
    call=b_cubed_precision,
    of="partitions",
    symbol="B3_P",
    title="B-cubed precision",
    aliases=("B3 precision",),
    score=score,
    reached="1/n to 1",
    symmetric=False,
    triangle=False,
    default=False,
    curve=curve,
    decompose=decompose,
    meaning="for an item on average, the share of its cluster in {b} that stays with it in {a}",
    formula="B3_P = (1/n) Σ m²/t",
    chance="(k + (n - k) P/N) / n, exact, for k clusters in the second partition",
    source="Bagga and Baldwin 1998",
    bibtex="bagga1998",
    properties=Properties(normalised=False, join_weighted=True, monotone="weakly"),
)
