"""The square matrix of distances of points or of groups of points, block by block, without temporaries."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, fill_product, njit, stopped
from dendrometry._kernels.cluster.distances.differences import squared
from dendrometry._kernels.cluster.distances.products import fill_products

__all__ = ["STRIP", "Groups", "fill_square"]

STRIP = 8  # blocks of rows that are filled together, so that what mirrors them lies side by side


class Groups(NamedTuple):
    """Points in blocks of whole groups: own part of a distance and weight in the mean of each.

    Block b holds the points ``start[b]`` to ``start[b + 1]`` and the groups ``slot[first[b]]`` to ``slot[first[b + 1] -
    1]``, largest first. Its points are in layers: the first of all its groups, then the second of those that have
    several, and so on; ``width[layer[b]]`` to ``width[layer[b + 1] - 1]`` are the numbers of points in each.
    """

    points: FloatArray
    own: FloatArray
    weight: FloatArray
    start: IntArray
    slot: IntArray
    first: IntArray
    layer: IntArray
    width: IntArray


@njit
def fill_square(
    strips: IntArray, groups: Groups, form: tuple[float, bool, float, bool], n: int, matrix: NDArray[Any]
) -> None:
    """Fill the rows of the groups in some strips from the diagonal on, and the columns that mirror them.

    ``form`` is alpha, whether to take the root, the similarity at height 0 if distances are similarities less than that
    (otherwise 0), and whether the farthest members count. A distance of points is ``alpha`` times the squared distance
    plus the points' own parts, or the root of that; one of groups the greatest or the weighted mean. Of a matrix with n
    = 0 the half is filled: see `half_matrix`. O(n d) for each row.
    """
    length = _squared_lengths(groups.points)
    start = groups.start
    late = form[1] and form[3]  # the greatest root is the root of the greatest: fewer to take
    for strip in strips:
        for c in range(strip * STRIP, start.size - 1):
            if stopped():
                return
            for b in range(strip * STRIP, min(strip * STRIP + STRIP, c + 1)):
                rows, columns = (start[b], start[b + 1]), (start[c], start[c + 1])
                values = _distances(groups, length, rows, columns, (form[0], form[1] and not late, form[2]))
                if values.shape != (groups.first[b + 1] - groups.first[b], groups.first[c + 1] - groups.first[c]):
                    values = _grouped(values, groups, b, c, form[3])
                if late:
                    _take_roots(values)
                _put(values, groups, (b, c), n, matrix)


@njit
def _take_roots(values: FloatArray) -> None:
    """Replace numbers by their roots. O(values)."""
    for i in range(values.shape[0]):
        value = values[i]
        for j in range(value.size):
            value[j] = np.sqrt(value[j])


@njit
def _put(values: FloatArray, groups: Groups, at: tuple[int, int], n: int, matrix: NDArray[Any]) -> None:
    """Write the values of two blocks to a flat square matrix, and mirror them; of one block, only half. O(values).

    Number by number: an assignment of slices would take two seconds to compile.
    """
    row = groups.slot[groups.first[at[0]] : groups.first[at[0] + 1]]
    column = groups.slot[groups.first[at[1]] : groups.first[at[1] + 1]]
    alone = at[0] == at[1]
    if n == 0:
        _put_half(values, row, column, alone, matrix)
        return
    for i in range(row.size):
        to = row[i] * n
        for j in range(i if alone else 0, column.size):
            matrix[to + column[j]] = values[i, j]
    for j in range(column.size):
        to = column[j] * n
        for i in range(j if alone else row.size):
            matrix[to + row[i]] = values[i, j]


@njit
def _put_half(values: FloatArray, row: IntArray, column: IntArray, alone: bool, matrix: NDArray[Any]) -> None:
    """Write the values of two blocks to the half of a matrix, where the columns of values are rows. O(values)."""
    for j in range(column.size):
        c = column[j]
        if alone:
            for i in range(j):
                high = max(c, row[i])
                matrix[high * (high - 1) // 2 + min(c, row[i])] = values[i, j]
        else:
            to = c * (c - 1) // 2
            for i in range(row.size):
                matrix[to + row[i]] = values[i, j]


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
    across = groups.points[columns[0] : columns[1]].T
    values = np.empty((rows[1] - rows[0], columns[1] - columns[0]))
    if top > 0.0:
        across = np.ascontiguousarray(across)
        for i in range(values.shape[0]):
            fill_products(groups.points[rows[0] + i], across, values[i])
            _from_similarities(values[i], groups, length, (rows[0] + i, columns[0]), (alpha, top))
        return values
    fill_product(groups.points[rows[0] : rows[1]], across, values)
    _from_products(values, groups, length, (rows[0], columns[0]), (alpha, root))
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
def _from_products(
    values: FloatArray, groups: Groups, length: FloatArray, at: tuple[int, int], form: tuple[float, bool]
) -> None:
    """Turn the products of the points of two blocks into distances, by differences where products cancel.

    That is where a squared distance is less than a hundredth of the squared lengths. ``at`` is the first point of each
    block.
    """
    alpha, root = form
    across = length[at[1] : at[1] + values.shape[1]]
    own_across = groups.own[at[1] : at[1] + values.shape[1]]
    for i in range(values.shape[0]):
        value = values[i]
        own_length = length[at[0] + i]
        own = groups.own[at[0] + i]
        n_cancelled = 0
        for j in range(value.size):
            both = own_length + across[j]
            x = both - 2.0 * value[j]
            n_cancelled += x < 0.01 * both
            value[j] = x
        if n_cancelled:
            _repair(value, groups.points, length, (at[0] + i, at[1]))
        if root:
            for j in range(value.size):
                value[j] = np.sqrt(alpha * value[j] + (own + own_across[j]))
        else:
            for j in range(value.size):
                value[j] = alpha * value[j] + (own + own_across[j])


@njit
def _repair(value: FloatArray, points: FloatArray, length: FloatArray, at: tuple[int, int]) -> None:
    """Replace squared distances of a point from some others, by products, where these cancelled. O(d) each."""
    i, first = at
    for j in range(value.size):
        if value[j] < 0.01 * (length[i] + length[first + j]):
            value[j] = squared(points[i], points[first + j])


@njit
def _grouped(values: FloatArray, groups: Groups, b: int, c: int, farthest: bool) -> FloatArray:
    """Return the greatest or the weighted mean distance of every pair of groups of two blocks. O(values).

    Points are taken layer by layer, so that neighbouring numbers belong to different groups and are added at once.
    """
    total = np.zeros((groups.first[b + 1] - groups.first[b], groups.first[c + 1] - groups.first[c]))
    own_weight = groups.weight[groups.start[b] : groups.start[b + 1]]
    weight = groups.weight[groups.start[c] : groups.start[c + 1]]
    layers = groups.width[groups.layer[b] : groups.layer[b + 1]]
    across = groups.width[groups.layer[c] : groups.layer[c + 1]]
    for g in range(total.shape[0]):
        row = total[g]
        i = g
        for layer in layers:
            if g >= layer:
                break
            if farthest:
                _take_greatest(values[i], across, row)
            else:
                _add_layers(values[i], own_weight[i], weight, across, row)
            i += layer
    return total


@njit
def _take_greatest(value: FloatArray, across: IntArray, row: FloatArray) -> None:
    """Let each number of a row be at least those of its column in every layer. O(values)."""
    at = 0
    for width in across:
        part = value[at : at + width]
        into = row[:width]
        for h in range(part.size):
            into[h] = max(into[h], part[h])
        at += width


@njit
def _add_layers(value: FloatArray, share: float, weight: FloatArray, across: IntArray, row: FloatArray) -> None:
    """Add a share of the weighted numbers of every layer to those of a row. O(values)."""
    at = 0
    for width in across:
        part = value[at : at + width]
        part_weight = weight[at : at + width]
        into = row[:width]
        for h in range(part.size):
            into[h] += share * part_weight[h] * part[h]
        at += width
