"""The terms at or above the labels of items, and sums of what true and predicted ones share at each threshold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry import _memory
from dendrometry._kernels import taxonomy as kernels
from dendrometry._kernels.taxonomy import Graph, Sets
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.dag import Dag

N_SUMS = 12
_BLOCK = 2**13  # items of the bootstrap that are looked at together, at one threshold


def counted_terms(dag: Dag) -> BoolArray:
    """Return which terms count: all but a sole root, which is above every term and so says nothing."""
    counts = np.ones(dag.n_terms, dtype=bool)
    if dag.roots.size == 1:
        counts[dag.roots] = False
    return counts


def graph_of(dag: Dag, counts: BoolArray) -> Graph:
    """Return the columns of a graph for loops."""
    return Graph(dag.parent_start.copy(), dag.parent.copy(), counts)


def propagate(graph: Graph, given: Sets) -> Sets:
    """Return the terms at or above the labels of each item; labels are in descending order of their reach."""
    start = np.concatenate(([0], np.cumsum(kernels.count_sets(graph, given))))
    _memory.require_memory(8 * int(start[-1]), "the terms of all items", "Score the items in parts.")
    held = Sets(start, np.empty(start[-1], dtype=np.int32), np.empty(start[-1], dtype=np.int32))
    kernels.fill_sets(graph, given, held)
    return held


def truth_sums(truth: Sets, weight: FloatArray) -> FloatArray:
    """Return, for each item, the number and the weight of its true terms, and whether there are any."""
    size = np.diff(truth.start).astype(np.float64)
    item = np.repeat(np.arange(size.size), np.diff(truth.start))
    heavy = np.bincount(item, weight[truth.term], size.size)
    own: FloatArray = np.column_stack((size, heavy, size > 0, heavy > 0.0))
    return own


def totals(truth: Sets, found: Sets, partner: IntArray, weight: FloatArray, n_thresholds: int) -> FloatArray:
    """Return the sums over all items at each threshold."""
    sums = np.zeros((1, n_thresholds, N_SUMS))
    kernels.add_shared(truth, found, partner, weight, sums)
    values: FloatArray = _from_differences(sums)[0]
    return values


def expected_sums(truth: Sets, found: Sets, weight: FloatArray, of_items: FloatArray, n_thresholds: int) -> FloatArray:
    """Return the means of the sums over all assignments of predictions to items, exact.

    The columns are shared, precision, recall, and the same weighted, at each threshold.
    """
    item = np.repeat(np.arange(of_items.shape[0]), np.diff(truth.start))
    columns = [
        np.ones(item.size),
        *(
            np.divide(1.0, of_items[:, k], out=np.zeros(of_items.shape[0]), where=of_items[:, k] > 0)[item]
            for k in (0, 1)
        ),
    ]
    by_term = [np.bincount(truth.term, column, weight.size) / of_items.shape[0] for column in columns]
    chance = np.column_stack((by_term[0], by_term[1], weight * by_term[0], weight * by_term[2]))
    sums = np.zeros((n_thresholds, 6))
    kernels.add_expected(found, weight, np.ascontiguousarray(chance), sums)
    values: FloatArray = _from_differences(sums[None])[0]
    return values


class Resampled(NamedTuple):
    """Sums over items drawn with replacement: (draws, thresholds, 12), and (draws, columns) of each item's own."""

    at: FloatArray
    own: FloatArray


def bootstrap(
    truth: Sets,
    found: Sets,
    weight: FloatArray,
    own: FloatArray,
    n_thresholds: int,
    n_draws: int,
    rng: np.random.Generator,
) -> Resampled:
    """Return the sums over as many items as there are, drawn with replacement, for each of some draws."""
    n_items = own.shape[0]
    block = max(_BLOCK // n_thresholds, 16)
    first = np.arange(0, n_items, block)
    sizes = np.minimum(block, n_items - first)
    drawn = rng.multinomial(n_items, sizes / n_items, size=n_draws)
    sums = np.zeros((n_draws, n_thresholds * N_SUMS))
    sums_own = np.zeros((n_draws, own.shape[1]))
    for at, (low, size) in enumerate(zip(first.tolist(), sizes.tolist(), strict=True)):
        times = np.empty((n_draws, size))
        for draw in range(n_draws):
            times[draw] = np.bincount(rng.integers(size, size=drawn[draw, at]), minlength=size)
        part = np.zeros((size, n_thresholds, N_SUMS))
        true, other = (Sets(side.start[low : low + size + 1], side.term, side.reach) for side in (truth, found))
        kernels.add_shared(true, other, np.arange(size), weight, part)
        sums += times @ _from_differences(part).reshape(size, -1)
        sums_own += times @ own[low : low + size]
    return Resampled(sums.reshape(n_draws, n_thresholds, N_SUMS), sums_own)


def _from_differences(sums: FloatArray) -> FloatArray:
    """Return the values at each threshold: sums of the differences from it on."""
    values: FloatArray = np.cumsum(sums[:, ::-1], axis=1)[:, ::-1]
    return values
