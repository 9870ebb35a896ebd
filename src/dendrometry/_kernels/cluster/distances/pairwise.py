"""The square matrix of distances of points or of groups of points, block by block, without temporaries."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, fill_product, njit, stopped
from dendrometry._kernels.cluster.distances.differences import squared
from dendrometry._kernels.cluster.distances.products import fill_products

__all__ = ["Groups", "fill_square"]


class Groups(NamedTuple):
    """Points in the order of their groups: the group, own part of a distance and weight in the mean of each.

    Block b holds the points ``start[b]`` to ``start[b + 1]``, whole groups each.
    """

    points: FloatArray
    group: IntArray
    own: FloatArray
    weight: FloatArray
    start: IntArray


@njit
def fill_square(
    blocks: IntArray, groups: Groups, form: tuple[float, bool, float, bool], n: int, matrix: NDArray[Any]
) -> None:
    """Fill the rows of the groups in some blocks from the diagonal on, and the columns that mirror them.

    ``form`` is alpha, whether to take the root, the similarity at height 0 if distances are similarities less than that
    (otherwise 0), and whether the farthest members count. A distance of points is ``alpha`` times the squared distance
    plus the points' own parts, or the root of that; one of groups the greatest or the weighted mean. O(n d) for each
    row.
    """
    length = _squared_lengths(groups.points)
    start = groups.start
    for b in blocks:
        rows = (start[b], start[b + 1])
        first = groups.group[rows[0]]
        for c in range(b, start.size - 1):
            if stopped():
                return
            columns = (start[c], start[c + 1])
            values = _distances(groups, length, rows, columns, (form[0], form[1], form[2]))
            to = groups.group[columns[0]]
            n_groups = (groups.group[rows[1] - 1] - first + 1, groups.group[columns[1] - 1] - to + 1)
            if n_groups != values.shape:
                values = _grouped(values, groups, (rows[0], columns[0]), n_groups, form[3])
            _put(values, first, to, n, matrix)


@njit
def _put(values: FloatArray, first: int, to: int, n: int, matrix: NDArray[Any]) -> None:
    """Write values to a flat square matrix from a row and a column on, and mirror them. O(values).

    Number by number: an assignment of slices would take two seconds to compile.
    """
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            matrix[(first + i) * n + to + j] = values[i, j]
    for j in range(values.shape[1]):
        for i in range(values.shape[0]):
            matrix[(to + j) * n + first + i] = values[i, j]


@njit
def _squared_lengths(points: FloatArray) -> FloatArray:
    """Return the squared length of each point. O(n d). A sum along an axis would take a second to compile."""
    length = np.zeros(points.shape[0])
    for i in range(length.size):
        for k in range(points.shape[1]):
            length[i] += points[i, k] * points[i, k]
    return length


@njit
def _distances(
    groups: Groups, length: FloatArray, rows: tuple[int, int], columns: tuple[int, int], form: tuple[float, bool, float]
) -> FloatArray:
    """Return the distances of the points of two blocks. O(d) each."""
    alpha, root, top = form
    across = np.ascontiguousarray(groups.points[columns[0] : columns[1]].T)
    values = np.empty((rows[1] - rows[0], columns[1] - columns[0]))
    if top > 0.0:
        for i in range(values.shape[0]):
            fill_products(groups.points[rows[0] + i], across, values[i])
            _from_similarities(values[i], groups, length, (rows[0] + i, columns[0]), (alpha, top))
        return values
    fill_product(groups.points[rows[0] : rows[1]], across, values)
    for i in range(values.shape[0]):
        value = values[i]
        _from_products(value, groups.points, length, rows[0] + i, columns[0])
        own = groups.own[rows[0] + i]
        for j in range(value.size):
            value[j] = alpha * value[j] + (own + groups.own[columns[0] + j])
        if root:
            for j in range(value.size):
                value[j] = np.sqrt(value[j])
    return values


@njit
def _from_similarities(
    value: FloatArray, groups: Groups, length: FloatArray, at: tuple[int, int], form: tuple[float, float]
) -> None:
    """Turn the products of point i with some points into distances, by differences where products cancel.

    Elsewhere the distance is the similarity at height 0 less the product, so that equal products are equal distances.
    """
    alpha, top = form
    i, first = at
    for j in range(value.size):
        both = length[i] + length[first + j]
        if both - 2.0 * value[j] < 0.01 * both:
            apart = squared(groups.points[i], groups.points[first + j])
            value[j] = alpha * apart + (groups.own[i] + groups.own[first + j])
        else:
            value[j] = top - value[j]


@njit
def _from_products(value: FloatArray, points: FloatArray, length: FloatArray, i: int, first: int) -> None:
    """Turn the products of point i with some points into squared distances, by differences where products cancel.

    That is where a squared distance is less than a hundredth of the squared lengths.
    """
    n_cancelled = 0
    for j in range(value.size):
        both = length[i] + length[first + j]
        value[j] = both - 2.0 * value[j]
        n_cancelled += value[j] < 0.01 * both
    if n_cancelled:
        for j in range(value.size):
            if value[j] < 0.01 * (length[i] + length[first + j]):
                value[j] = squared(points[i], points[first + j])


@njit
def _grouped(
    values: FloatArray, groups: Groups, at: tuple[int, int], n_groups: tuple[int, int], farthest: bool
) -> FloatArray:
    """Return the greatest or the weighted mean distance of every pair of groups of one block. O(values)."""
    total = np.zeros(n_groups)
    for i in range(values.shape[0]):
        row = total[groups.group[at[0] + i] - groups.group[at[0]]]
        share = groups.weight[at[0] + i]
        for j in range(values.shape[1]):
            g = groups.group[at[1] + j] - groups.group[at[1]]
            if farthest:
                row[g] = max(row[g], values[i, j])
            else:
                row[g] += share * groups.weight[at[1] + j] * values[i, j]
    return total
