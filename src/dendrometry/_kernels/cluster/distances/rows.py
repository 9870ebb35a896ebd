"""Points as sparse rows: their distances from a point, and their mean. Rows without zeros left out are dense points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit

__all__ = ["Rows", "fill_mean", "fill_row", "fill_squared_from", "largest_of_rows", "scale_to_unit"]


class Rows(NamedTuple):
    """Points: row i holds ``value[start[i]:start[i + 1]]`` in those columns, which ascend, and 0 elsewhere."""

    start: IntArray
    column: NDArray[np.integer]
    value: FloatArray
    n_columns: int


@njit
def fill_row(rows: Rows, i: int, out: FloatArray) -> None:
    """Set ``out`` to row i, written out with its zeros. O(d)."""
    out[:] = 0.0
    for at in range(rows.start[i], rows.start[i + 1]):
        out[rows.column[at]] = rows.value[at]


@njit
def fill_squared_from(rows: Rows, point: FloatArray, out: FloatArray) -> None:
    """Set ``out[i]`` to the squared distance of row i from a point. O(nnz + d).

    What a row holds is subtracted before it is squared, so that nothing cancels in dense points; the rest of the
    point's length is added up in the order of the columns, so that rows equal to the point are at exactly 0.
    """
    length = 0.0
    for k in range(point.size):
        length += point[k] * point[k]
    for i in range(out.size):
        apart = 0.0
        held = 0.0
        for at in range(rows.start[i], rows.start[i + 1]):
            p = point[rows.column[at]]
            gap = rows.value[at] - p
            apart += gap * gap
            held += p * p
        out[i] = apart + max(length - held, 0.0)


@njit
def fill_mean(rows: Rows, side: BoolArray, wanted: bool, out: FloatArray) -> int:
    """Set ``out`` to the mean of the rows on one side, and return how many there are. O(nnz + d)."""
    out[:] = 0.0
    count = 0
    for i in range(side.size):
        if side[i] == wanted:
            count += 1
            for at in range(rows.start[i], rows.start[i + 1]):
                out[rows.column[at]] += rows.value[at]
    if count > 0:
        for k in range(out.size):
            out[k] /= count
    return count


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
