"""Points as sparse rows: their distances from a point, and their mean. Rows without zeros left out are dense points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit

__all__ = [
    "Rows",
    "fill_mean",
    "fill_row",
    "fill_squared_from",
    "largest_of_rows",
    "part_rows",
    "scale_to_unit",
    "squared_from",
    "squared_length",
]


class Rows(NamedTuple):
    """Points: row i holds ``value[start[i]:start[i + 1]]`` in those columns, which ascend, and 0 elsewhere."""

    start: IntArray
    column: NDArray[np.integer]  # best without a sign, which would be asked for at every look-up
    value: FloatArray
    n_columns: int


@njit
def fill_row(rows: Rows, i: int, out: FloatArray) -> None:
    """Set ``out`` to row i, written out with its zeros. O(d)."""
    out[:] = 0.0
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    for k in range(value.size):
        out[column[k]] = value[k]


@njit
def squared_length(point: FloatArray) -> float:
    """Return the squared length of a point, added up in the order of the columns. O(d)."""
    length = 0.0
    for k in range(point.size):
        length += point[k] * point[k]
    return length


@njit
def squared_from(rows: Rows, i: int, point: FloatArray, length: float) -> float:
    """Return the squared distance of row i from a point of that squared length. O(nnz of the row).

    What a row holds is subtracted before it is squared, so that nothing cancels in dense points; the rest of the
    point's length is added up in the order of the columns, so that rows equal to the point are at exactly 0.
    """
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    apart = 0.0
    held = 0.0
    for k in range(value.size):
        p = point[column[k]]
        gap = value[k] - p
        apart += gap * gap
        held += p * p
    return apart + max(length - held, 0.0)


@njit
def fill_squared_from(rows: Rows, point: FloatArray, out: FloatArray) -> None:
    """Set ``out[i]`` to the squared distance of row i from a point. O(nnz + d)."""
    length = squared_length(point)
    d = point.size
    if rows.value.size == out.size * d:
        for i in range(out.size):
            value = rows.value[i * d : (i + 1) * d]
            apart = 0.0
            for k in range(d):
                gap = value[k] - point[k]
                apart += gap * gap
            out[i] = apart
    else:
        for i in range(out.size):
            out[i] = squared_from(rows, i, point, length)


@njit
def fill_mean(rows: Rows, side: BoolArray, wanted: bool, out: FloatArray) -> int:
    """Set ``out`` to the mean of the rows on one side, and return how many there are. O(nnz + d)."""
    out[:] = 0.0
    count = 0
    is_dense = rows.value.size == side.size * out.size
    for i in range(side.size):
        if side[i] == wanted:
            count += 1
            value = rows.value[rows.start[i] : rows.start[i + 1]]
            if is_dense:
                for k in range(out.size):
                    out[k] += value[k]
            else:
                column = rows.column[rows.start[i] : rows.start[i + 1]]
                for k in range(value.size):
                    out[column[k]] += value[k]
    if count > 0:
        for k in range(out.size):
            out[k] /= count
    return count


@njit
def part_rows(rows: Rows, side: BoolArray) -> tuple[Rows, Rows]:
    """Return the rows of either side, each with only the columns in which they have entries, in order. O(nnz + d)."""
    return _rows_of_side(rows, side, False), _rows_of_side(rows, side, True)


@njit
def _number_columns(rows: Rows, side: BoolArray, wanted: bool, is_dense: bool) -> tuple[NDArray[np.uint32], int]:
    """Return new numbers of the columns in which one side has entries, in order, and how many. O(nnz + d)."""
    used = np.full(rows.n_columns, is_dense)
    for i in range(0 if is_dense else side.size):
        if side[i] == wanted:
            for c in rows.column[rows.start[i] : rows.start[i + 1]]:
                used[c] = True
    number = np.empty(rows.n_columns, dtype=np.uint32)
    n_used = 0
    for k in range(rows.n_columns):
        number[k] = n_used
        n_used += used[k]
    return number, n_used


@njit
def _rows_of_side(rows: Rows, side: BoolArray, wanted: bool) -> Rows:
    """Return the rows of one side, with only the columns in which they have entries, in order. O(nnz + d)."""
    is_dense = rows.value.size == side.size * rows.n_columns
    n_rows, n = 0, 0
    for i in range(side.size):
        if side[i] == wanted:
            n_rows += 1
            n += rows.start[i + 1] - rows.start[i]
    number, n_used = _number_columns(rows, side, wanted, is_dense)
    start = np.zeros(n_rows + 1, dtype=np.int64)
    column = rows.column[:n] if is_dense else np.empty(n, dtype=np.uint32)  # all dense rows have the same
    value = np.empty(n)
    r = 0
    for i in range(side.size):
        if side[i] == wanted:
            low, high = start[r], start[r] + rows.start[i + 1] - rows.start[i]
            if not is_dense:
                own, held = column[low:high], rows.column[rows.start[i] : rows.start[i + 1]]
                for k in range(own.size):
                    own[k] = number[held[k]]
            value[low:high] = rows.value[rows.start[i] : rows.start[i + 1]]
            r += 1
            start[r] = high
    return Rows(start, column, value, n_used)


@njit
def largest_of_rows(start: NDArray[np.integer], value: FloatArray) -> FloatArray:
    """Return the largest of the absolute values of every row, 0 for an empty one. O(nnz)."""
    largest = np.zeros(start.size - 1)
    for i in range(largest.size):
        for at in range(start[i], start[i + 1]):
            largest[i] = max(largest[i], abs(value[at]))
    return largest


@njit
def scale_to_unit(start: NDArray[np.integer], value: FloatArray, exponent: NDArray[np.integer]) -> None:
    """Bring rows to length 1, in place; the power of two of each row's exponent is taken out before it is squared."""
    for i in range(exponent.size):
        length = 0.0
        shift = -int(exponent[i])
        for at in range(start[i], start[i + 1]):
            value[at] = math.ldexp(value[at], shift)
            length += value[at] * value[at]
        length = math.sqrt(length)
        for at in range(start[i], start[i + 1]):
            value[at] /= length
