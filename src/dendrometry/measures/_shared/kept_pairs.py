"""Parts of the adjusted Wallace coefficients: which clusters keep their pairs of items together, and which items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from dendrometry._exact import total
from dendrometry._typing import FloatArray, IntArray
from dendrometry.measures._shared.pair_counts import PairCounts, pair_counts
from dendrometry.measures.components import Components, Parts, sum_over_components


def decompose_kept_pairs(graph: Components, side: Literal[0, 1], coefficient: Callable[[PairCounts], float]) -> Parts:
    """Return the coefficient of the pairs together in a (side 0) or in b (1) as a sum over components.

    A component with P of these pairs, and a share q of its own pairs together on the other side, weighs P (1 - q), as a
    share of the same for all items; the offset is 1 less all weights. The score of an item is the share of the other
    items of its cluster that stay with it, adjusted as the coefficient is; it weighs as much as these are many.
    """
    table, whole = graph.table, pair_counts(graph.table)
    value, most = coefficient(whole), _most(whole, side)
    every = _pairs_of_components(graph)
    score = np.array([coefficient(pairs) for pairs in every])
    if most == 0:  # no pair is together, or all are on the other side
        weight = np.ones(1) if len(every) == 1 else np.zeros(len(every))
    else:
        weight = np.array([_most(pairs, side) * whole.all / (max(pairs.all, 1) * most) for pairs in every])
    size = table.sizes_a[table.row] if side == 0 else table.sizes_b[table.column]
    offset = value - total(weight * score) if most == 0 else 1.0 - total(weight)
    return Parts(
        weight,
        score,
        0.0 if len(every) == 1 else offset,
        value=value,
        overlap_score=_item_scores(table.count, size, whole, side) if most else np.full(table.n_cells, value),
        overlap_weight=(size - 1).astype(np.float64),
    )


def _most(pairs: PairCounts, side: Literal[0, 1]) -> int:
    """Return the denominator of the coefficient."""
    own, other = (pairs.in_a, pairs.in_b) if side == 0 else (pairs.in_b, pairs.in_a)
    return own * (pairs.all - other)


def _pairs_of_components(graph: Components) -> list[PairCounts]:
    """Return the pair counts of each component, exactly."""
    table = graph.table
    kind = np.int64 if table.n_items < 1 << 31 else object
    columns = [
        (sum_over_components(graph, group, sizes.astype(kind) * (sizes.astype(kind) - 1)) // 2).tolist()
        for group, sizes in (
            (graph.component_a, table.sizes_a),
            (graph.component_b, table.sizes_b),
            (graph.component_cell, table.count),
        )
    ]
    all_pairs = [size * (size - 1) // 2 for size in graph.sizes.tolist()]
    return [PairCounts(*counts) for counts in zip(*columns, all_pairs, strict=True)]


def _item_scores(count: IntArray, size: IntArray, whole: PairCounts, side: Literal[0, 1]) -> FloatArray:
    """Return the adjusted share of the other items of its cluster that stay with an item; 1 if there are none."""
    other = whole.in_b if side == 0 else whole.in_a
    lost = np.divide(size - count, size - 1, out=np.zeros(count.size), where=size > 1)
    score: FloatArray = 1.0 - lost * (whole.all / (whole.all - other))
    return score
