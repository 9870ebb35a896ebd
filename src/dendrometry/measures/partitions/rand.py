"""The Rand index: the share of pairs of items on which two partitions agree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._exact import inside, within
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.pair_counts import PairColumns, PairCounts, pair_columns, pair_counts
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import (
    Components,
    Parts,
    strict_scores,
    sum_over_components,
    weigh_with_rest,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels


def rand(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Rand index: the share of pairs of items on which two partitions agree.

    With T pairs together in both, P in a, Q in b and N pairs in total, (N - P - Q + 2 T) / N.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (one cluster against all singletons) to 1 (the same partition). Higher is more alike. It is near 1
        for any two partitions into many clusters: see `adjusted_rand`.

    Notes
    -----
    Exact integers up to one division. A single item: 1. O(n). ``1 - rand`` is a metric.

    References
    ----------
    .. [1] W. M. Rand, "Objective criteria for the evaluation of clustering methods", JASA 66 (1971) 846-850.

    Examples
    --------
    >>> from dendrometry import rand
    >>> rand([0, 0, 1, 1], [0, 0, 1, 2])
    0.8333333333333334
    """
    return rand_of(pair_counts(as_contingency(a, b)))


def rand_of(pairs: PairCounts) -> float:
    """Return the Rand index of pair counts."""
    agreed = pairs.all - pairs.in_a - pairs.in_b + 2 * pairs.in_both
    if agreed == pairs.all:
        return 1.0
    return inside(agreed / pairs.all) if agreed else 0.0


def rand_columns(pairs: PairColumns) -> FloatArray:
    """Return the Rand index at each level, with the same bits as `rand`."""
    agreed = pairs.all - pairs.in_a - pairs.in_b + 2 * pairs.in_both
    return within(agreed / max(pairs.all, 1), agreed == 0, agreed == pairs.all)


def curve(levels: Levels) -> FloatArray:
    """Return the index at every tick."""
    return rand_columns(pair_columns(levels))


def score(statistics: PartitionStatistics) -> Score:
    """Return the index with its expectation."""
    pairs = statistics.pairs
    value, every, product = rand_of(pairs), pairs.all, pairs.in_a * pairs.in_b
    expected = 1.0 if statistics.is_fixed else 1.0 - ((pairs.in_a + pairs.in_b) * every - 2 * product) / every**2
    return Score(value, expected, adjust(value, expected, 1.0))


def decompose(graph: Components) -> Parts:
    """Return the index as a sum over components, weighted by their pairs of items."""
    table, n = graph.table, graph.table.n_items
    together = [
        sum_over_components(graph, group, sizes * (sizes - 1))
        for group, sizes in (
            (graph.component_a, _counts(table.sizes_a, n)),
            (graph.component_b, _counts(table.sizes_b, n)),
            (graph.component_cell, _counts(table.count, n)),
        )
    ]
    sizes = _counts(graph.sizes, n)
    every = sizes * (sizes - 1)
    agreed = every - together[0] - together[1] + 2 * together[2]
    score = np.divide(
        agreed.astype(np.float64), every.astype(np.float64), out=np.ones(sizes.size), where=graph.sizes > 1
    )
    weight = every.astype(np.float64) / max(n * (n - 1), 1)
    return weigh_with_rest(graph, weight, strict_scores(graph, score, agreed == 0))


def _counts(sizes: IntArray, n_items: int) -> NDArray[Any]:
    """Return sizes whose squares, and their sums, stay exact."""
    return sizes if n_items < 1 << 31 else sizes.astype(object)


MEASURE = Measure(
    call=rand,
    of="partitions",
    symbol="R",
    title="Rand",
    aliases=("RI", "Rand index", "rand_score"),
    score=score,
    triangle=True,
    tested_by="pairs",
    curve=curve,
    decompose=decompose,
    meaning="the share of pairs of items that both partitions treat alike; near 1 for many clusters",
    formula="R = (N - P - Q + 2T) / N",
    chance="1 - (P + Q)/N + 2PQ/N², exact",
    source="Rand 1971",
    bibtex="rand1971",
    properties=Properties(normalised=True, join_weighted=False, monotone="strictly"),
)
