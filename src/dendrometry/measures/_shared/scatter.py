"""Squared error around the means of clusters and of their parts, from feature vectors or from distances."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.distances import n_items_of
from dendrometry._typing import FloatArray, IntArray


class Scatter(NamedTuple):
    """For each cluster: the squared error around the means of its parts, and around its own mean.

    Both are in units of the cluster's own spread, so that neither overflows nor underflows.
    """

    within_parts: FloatArray
    within: FloatArray


def scatter_of_parts(features: FloatArray, cell_cluster: IntArray, item_cell: IntArray, n_clusters: int) -> Scatter:
    """Return the scatter of every cluster, inside its parts and in total.

    Vectors are first taken relative to a member of the same group, so that equal vectors have a spread of exactly 0
    despite the rounding of their mean. O(items x features).
    """
    if features.size and np.abs(features).max() > 2.0**1020:
        features = features / 4.0
    item_cluster = cell_cluster[item_cell]
    away = features - features[_members(item_cluster, n_clusters)[item_cluster]]
    reach = np.zeros(n_clusters)
    np.maximum.at(reach, item_cluster, np.abs(away).max(axis=1, initial=0.0))
    unit = np.where(reach > 0.0, reach, 1.0)
    away /= unit[item_cluster, np.newaxis]
    n_cells = cell_cluster.size
    within = _scatter(away, item_cluster, n_clusters)
    inner = _scatter(away - away[_members(item_cell, n_cells)[item_cell]], item_cell, n_cells)
    order = np.lexsort((inner, cell_cluster))  # of the parts of a cluster by value: names do not change a bit
    left: FloatArray = np.bincount(cell_cluster[order], weights=inner[order], minlength=n_clusters)  # type: ignore[assignment]
    return Scatter(left, within)


def scatter_of_distances(
    distances: NDArray[Any], item: IntArray, cell_cluster: IntArray, item_cell: IntArray
) -> Scatter:
    """Return the scatter of every cluster, inside its parts and in total, from distances between the items.

    The squared error of m points around their mean is the sum over their pairs of the squared distance, divided by m.
    ``item`` is the row of each item in the distances, square or condensed. O(squares of the sizes of the clusters).
    """
    item_cluster = cell_cluster[item_cell]
    n_clusters = int(cell_cluster.max()) + 1
    order = np.lexsort((item_cell, item_cluster))
    left, within = np.zeros(n_clusters), np.zeros(n_clusters)
    for c, members in enumerate(np.split(order, np.cumsum(np.bincount(item_cluster))[:-1])):
        square = _square_of(distances, item[members])
        reach = square.max()
        if reach > 0.0:
            square = (square / reach) ** 2
            within[c] = square.sum() / (2 * members.size)
            starts = np.flatnonzero(np.diff(item_cell[members], prepend=-1))
            parts = zip(starts.tolist(), [*starts[1:].tolist(), members.size], strict=True)
            inner = [square[start:stop, start:stop].sum() / (2 * (stop - start)) for start, stop in parts]
            left[c] = sum(sorted(inner))
    return Scatter(left, within)


def _square_of(distances: NDArray[Any], at: IntArray) -> FloatArray:
    """Return the distances between some items as a square matrix."""
    if distances.ndim == 2:
        return distances[np.ix_(at, at)].astype(np.float64)
    n, square = n_items_of(distances), np.zeros((at.size, at.size))
    row, column = np.triu_indices(at.size, 1)
    low, high = np.minimum(at[row], at[column]), np.maximum(at[row], at[column])
    square[row, column] = square[column, row] = distances[low * (2 * n - low - 1) // 2 + high - low - 1]
    return square


def _members(group: IntArray, n_groups: int) -> IntArray:
    """Return one item of each group."""
    member = np.zeros(n_groups, dtype=np.int64)
    member[group] = np.arange(group.size)
    return member


def _scatter(values: FloatArray, group: IntArray, n_groups: int) -> FloatArray:
    """Return the squared error of each group around its mean."""
    size = np.bincount(group, minlength=n_groups)
    total = np.zeros(n_groups)
    for column in values.T:
        mean = np.bincount(group, weights=column, minlength=n_groups) / size
        total += np.bincount(group, weights=(column - mean[group]) ** 2, minlength=n_groups)
    return total
