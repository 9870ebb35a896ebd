"""The summands of information measures, for each overlap, precise even if they nearly cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._exact import LEAST, log_ratio, total, within
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.measures.components import Components, Parts, sum_over_components, weigh_with_rest
from dendrometry.tree_pair.levels import Levels

_SERIES = [(-1) ** k / (k * (k - 1)) for k in range(2, 10)]  # of (1 + x) log(1 + x) - x, over x squared
_DOUBTFUL = 1e-9  # far above the rounding errors of the running sums, far below the values of random partitions


def variation_terms(table: Contingency) -> FloatArray:
    """Return the share of each cell in n times the variation of information."""
    given_a, given_b = table.lost_terms
    return given_a + given_b


def surplus(table: Contingency, n_items: IntArray | int) -> NDArray[Any]:
    """Return the exact excess of each overlap over independence: items x n - size x size.

    ``n_items`` is n, for all cells or for each.
    """
    kind = np.int64 if table.n_items < 1 << 31 else object
    size_a, size_b = table.sizes_a.astype(kind)[table.row], table.sizes_b.astype(kind)[table.column]
    above: NDArray[Any] = table.count.astype(kind) * n_items - size_a * size_b
    return above


def is_independent(table: Contingency) -> bool:
    """Whether every pair of clusters overlaps exactly as expected under independence, decided in whole numbers."""
    return table.n_cells == table.n_a * table.n_b and not surplus(table, table.n_items).any()


def mutual_terms(table: Contingency, n_items: FloatArray | float) -> FloatArray:
    """Return m log(mn / (st)) for each cell; ``n_items`` is n, for all cells or for each."""
    logs: FloatArray = np.log(table.count * n_items / _products(table))
    return table.count * logs


def _products(table: Contingency) -> FloatArray:
    """Return the product of the sizes of the two clusters of each cell."""
    products: FloatArray = table.sizes_a[table.row].astype(np.float64) * table.sizes_b[table.column]
    return products


def information_sum(table: Contingency) -> float:
    """Return n times the mutual information of partitions that are not independent.

    If all clusters overlap, the terms may nearly cancel. They are then replaced by m log(mn / (st)) - m + st/n, which
    has the same sum and is never negative: st/n ((1 + x) log(1 + x) - x), where mn = (1 + x) st.
    """
    if table.n_cells < table.n_a * table.n_b:
        return max(total(mutual_terms(table, float(table.n_items))), LEAST)
    products = _products(table)
    x = surplus(table, table.n_items).astype(np.float64) / products
    near = np.abs(x) < 0.01
    series = x * x * np.polynomial.polynomial.polyval(np.where(near, x, 0.0), _SERIES)
    terms = products / table.n_items * np.where(near, series, (1.0 + x) * np.log1p(x) - x)
    return max(total(terms), LEAST)


def entropy_sum(sizes: IntArray) -> float:
    """Return n times the entropy of a partition into clusters of these sizes."""
    return total(sizes * log_ratio(sizes.sum(), sizes))


def decide_small(levels: Levels, value: FloatArray, measure: Callable[[Contingency], float]) -> FloatArray:
    """Return values; those that may be rounding errors of 0 are computed again from the partitions, exactly."""
    for tick in np.flatnonzero((value < _DOUBTFUL) & ~levels.same).tolist():
        value[tick] = measure(levels.table(tick))
    return value


def depends(graph: Components) -> NDArray[np.bool_]:
    """Return whether the two partitions of each component depend on each other at all, decided in whole numbers."""
    above = (surplus(graph.table, graph.sizes[graph.component_cell]) != 0).astype(np.int64)
    dependent: NDArray[np.bool_] = sum_over_components(graph, graph.component_cell, above) > 0
    return dependent


def decompose_by_entropy(graph: Components, sides: tuple[int, ...]) -> Parts:
    """Return the share of the entropy of a (side 0), of b (1), or of both that is not lost, as a sum over components.

    The weight of a component is its share in the entropy H. The score of an item is 1 - log(t/m) / H, where it shares
    its cluster of t items on the other side with m items of its own cluster.
    """
    table, n_components = graph.table, graph.n_components
    entropy, lost = np.zeros(n_components), np.zeros(table.n_cells)
    whole = np.ones(n_components, dtype=bool)
    for side in sides:
        group, sizes = ((graph.component_a, table.sizes_a), (graph.component_b, table.sizes_b))[side]
        entropy += sum_over_components(graph, group, sizes * log_ratio(graph.sizes[group], sizes))
        whole &= np.bincount(group, minlength=n_components) == 1
        lost += table.lost_terms[1 - side]
    rest = sum_over_components(graph, graph.component_cell, lost)
    score = 1.0 - np.divide(rest, entropy, out=np.zeros(n_components), where=entropy > 0.0)
    score = within(score, ~depends(graph) & ~whole, whole)
    all_of_it = sum(entropy_sum((table.sizes_a, table.sizes_b)[side]) for side in sides)
    if all_of_it == 0.0:
        return Parts(np.ones(1), score, overlap_score=np.ones(table.n_cells))
    item_score = 1.0 - lost / table.count / (all_of_it / table.n_items)
    return weigh_with_rest(graph, entropy / all_of_it, score)._replace(overlap_score=item_score)
