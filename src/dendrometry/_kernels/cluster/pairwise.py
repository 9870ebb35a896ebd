"""The square matrix of distances of points or of groups of points, block by block, without temporaries."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import FUSED_BYTES, FUSED_ROWS, fill_fused_squares, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared
from dendrometry._kernels.cluster.products import fill_products
from dendrometry._typing import FloatArray, IntArray

STRIP = 8  # blocks of rows that are filled together, so that what mirrors them lies side by side
_CLEAR = 0.01  # the part of the squared lengths below which a squared distance by products is cancelled
_ROWS = FUSED_ROWS  # of points that are multiplied before they are added to their groups
_MULTIPLE = max(_ROWS, FUSED_BYTES // 8)  # of points, to which blocks are filled up


class Groups(NamedTuple):
    """Points in blocks of whole groups: own part of a distance and weight in the mean of each.

    Block b holds the points ``start[b]`` to ``start[b + 1]`` and the groups ``slot[first[b]]`` to ``slot[first[b + 1] -
    1]``, largest first. Its points are in layers: the first of all its groups, then the second of those that have
    several, and so on; ``width[layer[b]]`` to ``width[layer[b + 1] - 1]`` are the numbers of points in each. ``place``
    is where the group of each point is among those of its block.
    """

    points: FloatArray
    own: FloatArray
    weight: FloatArray
    place: IntArray
    start: IntArray
    slot: IntArray
    first: IntArray
    layer: IntArray
    width: NDArray[np.uint64]


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
    n_blocks = groups.start.size - 1
    late = form[1] and form[3]  # the greatest root is the root of the greatest: fewer to take
    early = (form[0], form[1] and not late, form[2], form[3])
    rows = _empty_columns(groups, 0, n_blocks, STRIP)
    for strip in strips:
        first = strip * STRIP
        last = min(first + STRIP, n_blocks)
        for b in range(first, last):
            _transpose(groups, b, rows[b - first])
        for c in range(first, n_blocks):
            if stopped():
                return
            columns = _empty_columns(groups, c, c + 1, 1)[0]
            _transpose(groups, c, columns)
            for b in range(first, min(last, c + 1)):
                values = _distances(groups, length, (b, c), rows[b - first], columns, early)
                if late:
                    _take_roots(values)
                _put(values, groups, (b, c), n, matrix)


@njit
def _empty_columns(groups: Groups, first: int, last: int, count: int) -> FloatArray:
    """Return zeros for the points of several blocks, each at most as large as the largest of some. O(n d)."""
    widest = 0
    for b in range(first, last):
        widest = max(widest, groups.start[b + 1] - groups.start[b])
    return np.zeros((count, groups.points.shape[1], -(-widest // _MULTIPLE) * _MULTIPLE))


@njit
def _transpose(groups: Groups, b: int, out: FloatArray) -> None:
    """Set ``out`` to the points of a block, one column each, and to zeros after them. O(d) each."""
    points = groups.points[groups.start[b] : groups.start[b + 1]]
    for i in range(points.shape[0]):
        for k in range(points.shape[1]):
            out[k, i] = points[i, k]
    for k in range(out.shape[0]):
        for i in range(points.shape[0], out.shape[1]):
            out[k, i] = 0.0


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
    """Return the squared length of each point, and zeros after them, to which blocks are filled up. O(n d).

    A sum along an axis would take a second to compile.
    """
    length = np.zeros(points.shape[0] + _MULTIPLE)
    for i in range(points.shape[0]):
        for k in range(points.shape[1]):
            length[i] += points[i, k] * points[i, k]
    return length


@njit
def _distances(
    groups: Groups,
    length: FloatArray,
    at: tuple[int, int],
    rows: FloatArray,
    columns: FloatArray,
    form: tuple[float, bool, float, bool],
) -> FloatArray:
    """Return the greatest or the weighted mean distance of every pair of groups of two blocks. O(d) for two points.

    A few rows of points are multiplied while the roots of the rows before them are taken; these are then added to
    their groups, layer by layer, so that neighbouring numbers belong to different groups and are added at once.
    """
    alpha, root, top, farthest = form
    b, c = at
    start, end = groups.start[b], groups.start[b + 1]
    total = np.zeros((groups.first[b + 1] - groups.first[b], groups.first[c + 1] - groups.first[c]))
    buffer = np.zeros((2, _ROWS, columns.shape[1]))
    enough = _CLEAR * (length[start:end].max() + length[groups.start[c] : groups.start[c + 1]].max())
    for first in range(start, end + _ROWS, _ROWS):
        new = buffer[(first - start) // _ROWS % 2]
        old = buffer[1 - (first - start) // _ROWS % 2]
        some = (first, min(first + _ROWS, end))
        if top > 0.0:
            _from_similarities(new, groups, length, columns, (some, c), (alpha, top))
        elif first < end:
            roots = old.ravel() if root else old.ravel()[:0]
            across = length[groups.start[c] :]
            least = fill_fused_squares(rows, first - start, columns, new, roots, length[start:], across)
            if least < enough:
                _repair(new, groups, length, (some, c))
            if alpha != 1.0:  # otherwise points have no own parts
                _add_own(new, groups, (some, c), alpha)
        elif root:
            _take_roots(old)
        if first > start:
            _add_rows(old, groups, ((first - _ROWS, min(first, end)), c), farthest, total)
    return total


@njit
def _from_similarities(
    values: FloatArray,
    groups: Groups,
    length: FloatArray,
    columns: FloatArray,
    at: tuple[tuple[int, int], int],
    form: tuple[float, float],
) -> None:
    """Set the distances of some points from those of a block by their products, by differences where these cancel.

    Elsewhere the distance is the similarity at height 0 less the product, so that equal products are equal distances.
    """
    alpha, top = form
    some, c = at
    start = groups.start[c]
    for i in range(some[0], some[1]):
        value = values[i - some[0]][: groups.start[c + 1] - start]
        fill_products(groups.points[i], columns, value)
        for j in range(value.size):
            both = length[i] + length[start + j]
            if both - 2.0 * value[j] < _CLEAR * both:
                apart = squared(groups.points[i], groups.points[start + j])
                value[j] = alpha * apart + (groups.own[i] + groups.own[start + j])
            else:
                value[j] = top - value[j]


@njit
def _repair(values: FloatArray, groups: Groups, length: FloatArray, at: tuple[tuple[int, int], int]) -> None:
    """Replace squared distances of some points from those of a block, by products, where these cancelled. O(d) each."""
    some, c = at
    start, end = groups.start[c], groups.start[c + 1]
    for i in range(some[0], some[1]):
        value = values[i - some[0]]
        for j in range(end - start):
            if value[j] < _CLEAR * (length[i] + length[start + j]):
                value[j] = squared(groups.points[i], groups.points[start + j])


@njit
def _add_own(values: FloatArray, groups: Groups, at: tuple[tuple[int, int], int], alpha: float) -> None:
    """Turn squared distances of some points from those of a block into distances. O(values)."""
    some, c = at
    across = groups.own[groups.start[c] : groups.start[c + 1]]
    for i in range(some[0], some[1]):
        value = values[i - some[0]][: across.size]
        own = groups.own[i]
        for j in range(value.size):
            value[j] = alpha * value[j] + (own + across[j])


@njit
def _add_rows(
    values: FloatArray, groups: Groups, at: tuple[tuple[int, int], int], farthest: bool, total: FloatArray
) -> None:
    """Add the distances of some points from those of a block to the distances of their groups. O(values)."""
    some, c = at
    across = groups.width[groups.layer[c] : groups.layer[c + 1]]
    weight = groups.weight[groups.start[c] : groups.start[c + 1]]
    for i in range(some[0], some[1]):
        row = total[groups.place[i]]
        if farthest:
            _take_greatest(values[i - some[0]], across, row)
        else:
            _add_layers(values[i - some[0]], groups.weight[i], weight, across, row)


@njit
def _take_greatest(value: FloatArray, across: NDArray[np.uint64], row: FloatArray) -> None:
    """Let each number of a row be at least those of its column in every layer. O(values).

    Layers are short: to count from 0 on without a sign takes less time than slices do.
    """
    at = np.uint64(0)
    for width in across:
        for h in range(width):
            row[h] = max(row[h], value[at + h])
        at += width


@njit
def _add_layers(
    value: FloatArray, share: float, weight: FloatArray, across: NDArray[np.uint64], row: FloatArray
) -> None:
    """Add a share of the weighted numbers of every layer to those of a row. O(values)."""
    at = np.uint64(0)
    for width in across:
        for h in range(width):
            row[h] += share * weight[at + h] * value[at + h]
        at += width
