"""Points as sparse rows: their distances from a point, and their mean. Rows without zeros left out are dense points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Rows(NamedTuple):
    """Points: row i holds ``value[start[i]:start[i + 1]]`` in those columns, which ascend, and 0 elsewhere."""

    start: IntArray
    column: NDArray[np.integer]  # best without a sign, which would be asked for at every look-up
    value: FloatArray
    n_columns: int


class Entries(NamedTuple):
    """Room for the columns and values of rows."""

    column: NDArray[np.integer]
    value: FloatArray


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
    if value.size == point.size:
        for k in range(value.size):
            gap = value[k] - point[k]
            apart += gap * gap
        return apart
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
    n_fours = out.size - out.size % 4 if rows.value.size == out.size * d else 0
    for i in range(0, n_fours, 4):  # dense: the sums of four rows do not wait for each other
        some = rows.value[i * d : (i + 4) * d]
        first, second, third, fourth = some[:d], some[d : 2 * d], some[2 * d : 3 * d], some[3 * d :]
        a = b = c = e = 0.0
        for k in range(d):
            p = point[k]
            a += (first[k] - p) * (first[k] - p)
            b += (second[k] - p) * (second[k] - p)
            c += (third[k] - p) * (third[k] - p)
            e += (fourth[k] - p) * (fourth[k] - p)
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, e
    for i in range(n_fours, out.size):
        out[i] = squared_from(rows, i, point, length)


@njit
def add_row(rows: Rows, i: int, sign: float, total: FloatArray) -> None:
    """Add row i, times 1 or -1, to a sum. O(nnz of the row)."""
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    for k in range(value.size):
        total[column[k]] += sign * value[k]


@njit
def add_rows(rows: Rows, some: IntArray, side: BoolArray, wanted: bool, total: FloatArray) -> None:
    """Add some rows to a sum, one after the other; those that are not on the wanted side are subtracted. O(nnz + d)."""
    d = total.size
    value = rows.value
    n_fours = some.size - some.size % 4 if value.size == side.size * d else 0
    for j in range(0, n_fours, 4):  # dense: the sum is loaded once for four rows
        first, second, third, fourth = some[j] * d, some[j + 1] * d, some[j + 2] * d, some[j + 3] * d
        a, b, c, e = (
            value[first : first + d],
            value[second : second + d],
            value[third : third + d],
            value[fourth : fourth + d],
        )
        p, q = _sign(side[some[j]] == wanted), _sign(side[some[j + 1]] == wanted)
        r, s = _sign(side[some[j + 2]] == wanted), _sign(side[some[j + 3]] == wanted)
        for k in range(d):
            total[k] = (((total[k] + p * a[k]) + q * b[k]) + r * c[k]) + s * e[k]
    for i in some[n_fours:]:
        add_row(rows, i, _sign(side[i] == wanted), total)


@njit
def _rows_on(side: BoolArray, wanted: bool) -> IntArray:
    """Return the rows on one side, in order. O(rows)."""
    some = np.empty(side.size, dtype=np.int64)
    n_some = 0
    for i in range(side.size):
        some[n_some] = i
        n_some += side[i] == wanted
    return some[:n_some]


@njit
def _sign(positive: bool) -> float:
    """Return 1 or -1."""
    return 1.0 if positive else -1.0


@njit
def fill_mean(rows: Rows, side: BoolArray, wanted: bool, out: FloatArray) -> int:
    """Set ``out`` to the mean of the rows on one side, and return how many there are. O(nnz + d)."""
    out[:] = 0.0
    some = _rows_on(side, wanted)
    add_rows(rows, some, side, wanted, out)
    if some.size > 0:
        for k in range(out.size):
            out[k] /= some.size
    return some.size


@njit
def _number_columns(rows: Rows, some: IntArray, is_dense: bool) -> tuple[NDArray[np.uint32], IntArray]:
    """Return new numbers of the columns in which some rows have entries, in order, and these columns. O(nnz + d)."""
    used = np.full(rows.n_columns, is_dense)
    for i in some[: 0 if is_dense else some.size]:
        for c in rows.column[rows.start[i] : rows.start[i + 1]]:
            used[c] = True
    number = np.empty(rows.n_columns, dtype=np.uint32)
    held = np.empty(rows.n_columns, dtype=np.int64)
    n_used = 0
    for k in range(rows.n_columns):
        number[k] = n_used
        held[n_used] = k
        n_used += used[k]
    return number, held[:n_used]


@njit
def rows_of_side(rows: Rows, side: BoolArray, wanted: bool, room: Entries) -> tuple[Rows, IntArray]:
    """Return the rows of one side, with only the columns in which they have entries, in order, and these. O(nnz + d).

    The entries are written into the room if it has as many as those of both sides: first those of the left side.
    """
    is_dense = rows.value.size == side.size * rows.n_columns
    some = _rows_on(side, wanted)
    start = np.zeros(some.size + 1, dtype=np.int64)
    for r in range(some.size):
        start[r + 1] = start[r] + rows.start[some[r] + 1] - rows.start[some[r]]
    n = start[some.size]
    if room.value.size < rows.value.size:
        room = Entries(np.empty(n, dtype=np.uint32), np.empty(n))
    elif wanted:
        room = Entries(room.column[rows.value.size - n :], room.value[rows.value.size - n :])
    number, held = _number_columns(rows, some, is_dense)
    column = rows.column[:n] if is_dense else room.column[:n]  # all dense rows have the same
    value = room.value[:n]
    for r in range(some.size):
        low, high = start[r], start[r + 1]
        at, end = rows.start[some[r]], rows.start[some[r] + 1]
        if not is_dense:
            own, given_column = column[low:high], rows.column[at:end]
            for k in range(own.size):
                own[k] = number[given_column[k]]
        copy, given = value[low:high], rows.value[at:end]
        for k in range(copy.size):
            copy[k] = given[k]
    return Rows(start, column, value, held.size), held


@njit
def part_rows(rows: Rows, side: BoolArray) -> tuple[tuple[Rows, IntArray], tuple[Rows, IntArray]]:
    """Return what `rows_of_side` does for either side, in memory of their own. O(nnz + d)."""
    nowhere = Entries(np.empty(0, dtype=np.uint32), np.empty(0))
    return rows_of_side(rows, side, False, nowhere), rows_of_side(rows, side, True, nowhere)


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
