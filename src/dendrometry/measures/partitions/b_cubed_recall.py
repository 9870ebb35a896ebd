"""B-cubed recall: the mean share of an item's cluster in a that is with it in b."""

from __future__ import annotations

from typing import Literal

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


def b_cubed_recall(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """B-cubed recall: for an item on average, the share of its cluster in ``a`` that shares its cluster in ``b``.

    (1/n) sum of m**2 / s over the overlaps, m items of clusters of s items in ``a`` and t items in ``b``.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above 0, up to 1 (every cluster of ``a`` lies inside one of ``b``). Higher is more alike.

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
    >>> from dendrometry.measures import b_cubed_recall
    >>> b_cubed_recall([0, 0, 1, 1], [0, 0, 1, 2])
    0.75
    """
    return mean_share(as_contingency(a, b), 0)


def mean_share(table: Contingency, side: Literal[0, 1]) -> float:
    """Return the mean share of an item's cluster in a (side 0) or in b (1) that is with it in the other partition."""
    if table.n_cells == (table.n_a, table.n_b)[side]:
        return 1.0
    return inside(total(_shares(table, side) * table.count) / table.n_items)


def _shares(table: Contingency, side: Literal[0, 1]) -> FloatArray:
    """Return the share that each overlap has in its cluster in a or in b."""
    shares: FloatArray = table.count / (table.sizes_b[table.column] if side else table.sizes_a[table.row])
    return shares


def curve(levels: Levels, side: Literal[0, 1] = 0) -> FloatArray:
    """Return the mean share at every tick."""
    share, walk = levels.overlap_sums(side)[0] / levels.n, levels.walk
    return within(share, np.zeros(share.size, dtype=bool), walk.t == (walk.p, walk.q)[side])


def score(statistics: PartitionStatistics, side: Literal[0, 1] = 0) -> Score:
    """Return the mean share with its expectation."""
    table, n, pairs = statistics.table, statistics.table.n_items, statistics.pairs
    value, n_clusters = mean_share(table, side), (table.n_a, table.n_b)[side]
    together = (pairs.in_b, pairs.in_a)[side] / max(pairs.all, 1)
    expected = 1.0 if statistics.is_fixed else (n_clusters + (n - n_clusters) * together) / n
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components, side: Literal[0, 1] = 0) -> Parts:
    """Return the mean share as a sum over components, weighted by their sizes."""
    table = graph.table
    share = _shares(table, side)
    kept = sum_over_components(graph, graph.component_cell, share * table.count)
    whole = count_overlaps(graph) == count_clusters(graph)[side]
    return weigh_by_size(graph, within(kept / graph.sizes, np.zeros(whole.size, dtype=bool), whole), share)


MEASURE = Measure(
    call=b_cubed_recall,
    of="partitions",
    symbol="B3_R",
    title="B-cubed recall",
    aliases=("B3 recall",),
    score=score,
    reached="1/n to 1",
    symmetric=False,
    triangle=False,
    default=False,
    curve=curve,
    decompose=decompose,
    meaning="for an item on average, the share of its cluster in {a} that stays with it in {b}",
    formula="B3_R = (1/n) Σ m²/s",
    chance="(k + (n - k) Q/N) / n, exact, for k clusters in the first partition",
    source="Bagga and Baldwin 1998",
    bibtex="bagga1998",
    properties=Properties(normalised=False, join_weighted=True, monotone="strictly"),
)
