"""B-cubed precision: the mean share of an item's cluster in b that is with it in a."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside, total, within
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
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


def b_cubed_precision(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """B-cubed precision: for an item on average, the share of its cluster in ``b`` that shares its cluster in ``a``.

    (1/n) sum of m**2 / t over the overlaps, m items of clusters of s items in ``a`` and t items in ``b``.

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
    O(n) time. Never below 1/n. Not symmetric: ``b_cubed_recall(a, b) == b_cubed_precision(b, a)``.

    References
    ----------
    .. [1] A. Bagga, B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", COLING-ACL
       1998, 79-85.
    .. [2] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering evaluation metrics based
       on formal constraints", Information Retrieval 12 (2009) 461-486, doi:10.1007/s10791-008-9066-8.

    Examples
    --------
    >>> from dendrometry.measures import b_cubed_precision
    >>> b_cubed_precision([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    """
    table = as_contingency(a, b)
    if table.n_cells == table.n_b:
        return 1.0
    return inside(total(table.count / table.sizes_b[table.column] * table.count) / table.n_items)


def curve(levels: Levels) -> FloatArray:
    """Return the mean share at every tick."""
    share, walk = levels.overlap_sums(1)[0] / levels.n, levels.walk
    return within(share, np.zeros(share.size, dtype=bool), walk.t == walk.q)


def score(statistics: PartitionStatistics) -> Score:
    """Return the mean share with its expectation."""
    table, n = statistics.table, statistics.table.n_items
    value, pairs = b_cubed_precision(table), statistics.pairs
    together = pairs.in_a / max(pairs.all, 1)
    expected = 1.0 if statistics.is_fixed else (table.n_b + (n - table.n_b) * together) / n
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the mean share as a sum over components, weighted by their sizes."""
    table = graph.table
    share = table.count / table.sizes_b[table.column]
    kept = sum_over_components(graph, graph.component_cell, share * table.count)
    whole = count_overlaps(graph) == count_clusters(graph)[1]
    return weigh_by_size(graph, within(kept / graph.sizes, np.zeros(whole.size, dtype=bool), whole), share)


MEASURE = Measure(
    call=b_cubed_precision,
    of="partitions",
    symbol="B3_P",
    title="B-cubed precision",
    score=score,
    reached="1/n to 1",
    symmetric=False,
    triangle=False,
    default=False,
    curve=curve,
    decompose=decompose,
    says="for an item on average, the share of its cluster in the second partition that stays with it in the other",
    formula="B3_P = (1/n) Σ m²/t",
    chance="(k + (n - k) P/N) / n, exact, for k clusters in the second partition",
    source="Bagga and Baldwin 1998",
    bibtex="bagga1998",
    properties=Properties(normalised=False, join_weighted=True, monotone="weakly"),
)
