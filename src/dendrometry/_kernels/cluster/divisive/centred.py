"""Rows around their mean, and their products with the normal of a plane.

Dense rows are kept a second time in single precision, in blocks by column, in which many products take a quarter of the
time. How far such a product may be off is known; a row that is nearer to the plane than that is multiplied in full.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, njit
from dendrometry._kernels.cluster.distances.rows import Rows, fill_mean, fill_squared_from

__all__ = ["BLOCK", "Centred", "add_moved", "add_row", "centre", "fill_block", "product", "single_error"]

BLOCK = 256  # rows of which the products are computed together

_WORTH_SINGLE = 2**12  # fewer numbers are not kept twice
_TILE = 16  # rows that are written by column together: as many numbers as the cache moves at a time
_TINY = 1e-100  # the squares of shorter rows leave the range of numbers
_SINGLE = 2.0**-24  # the rounding of one operation in single precision
_UNDERFLOW = 1e-30  # more than products of numbers up to 1 lose where they leave the range of single precision


class Centred(NamedTuple):
    """Rows, if dense with their mean subtracted so that products do not cancel, with what all trials need."""

    rows: Rows
    mean: FloatArray  # (d,) the mean of the rows, now 0 if they are dense
    radius: FloatArray  # (m,) the distance of each row from the mean
    single: NDArray[np.float32]  # the rows over ``unit``, a block after the other, each by column; empty if not kept
    unit: float  # a power of two, no less than any radius


@njit
def centre(rows: Rows) -> Centred:
    """Return rows with what trials of two-means need. O(nnz + d)."""
    m, d = rows.start.size - 1, rows.n_columns
    value = rows.value
    mean = np.empty(d)
    fill_mean(rows, np.zeros(m, dtype=np.bool_), False, mean)
    is_dense = value.size == m * d
    if is_dense:
        value = value.copy()
        for i in range(m):
            row = value[i * d : (i + 1) * d]
            for k in range(d):
                row[k] -= mean[k]
        mean[:] = 0.0
    centred = Rows(rows.start, rows.column, value, d)
    radius = np.empty(m)
    fill_squared_from(centred, mean, radius)
    radius = np.sqrt(radius)
    largest = radius.max()
    unit = math.ldexp(1.0, math.frexp(largest)[1])
    single = np.empty(value.size if is_dense and value.size >= _WORTH_SINGLE and largest > _TINY else 0, np.float32)
    for low in range(0, single.size // d, BLOCK):
        _fill_by_column(value[low * d : (low + BLOCK) * d], 1.0 / unit, single[low * d : (low + BLOCK) * d], d)
    return Centred(centred, mean, radius, single, unit)


@njit
def _fill_by_column(value: FloatArray, scale: float, out: NDArray[np.float32], d: int) -> None:
    """Set ``out`` to some dense rows times a number, column after column. O(numbers)."""
    n = value.size // d
    for low in range(0, n, _TILE):
        high = min(low + _TILE, n)
        for k in range(d):
            for i in range(low, high):
                out[k * n + i] = value[i * d + k] * scale


@njit
def fill_block(centred: Centred, low: int, normal: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Set ``out`` to the products of the block of rows from ``low`` on, as kept in single precision. O(d * rows)."""
    n, d = out.size, normal.size
    block = centred.single[low * d : (low + n) * d].reshape(d, n)
    out[:] = 0.0
    for k in range(0, d - 3, 4):
        p, q, r, s = normal[k], normal[k + 1], normal[k + 2], normal[k + 3]
        a, b, c, e = block[k], block[k + 1], block[k + 2], block[k + 3]
        for i in range(n):
            out[i] += (p * a[i] + q * b[i]) + (r * c[i] + s * e[i])
    for k in range(d - d % 4, d):
        p, a = normal[k], block[k]
        for i in range(n):
            out[i] += p * a[i]


@njit
def single_error(centred: Centred) -> tuple[float, float]:
    """Return by how much `fill_block` may be off for a normal of length 1: for each unit of the radius, and at all.

    In units of the rows. Each of the d terms and each of the numbers is rounded; two roundings more are those of the
    length and of products in double precision.
    """
    return (centred.mean.size + 8) * _SINGLE, _UNDERFLOW * centred.unit


@njit
def product(rows: Rows, i: int, point: FloatArray) -> float:
    """Return the product of row i and a point. O(nnz of the row)."""
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    total = 0.0
    for k in range(value.size):
        total += value[k] * point[column[k]]
    return total


@njit
def add_row(rows: Rows, i: int, sign: float, total: FloatArray) -> None:
    """Add row i, times 1 or -1, to a sum. O(nnz of the row)."""
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    for k in range(value.size):
        total[column[k]] += sign * value[k]


@njit
def add_moved(centred: Centred, moved: BoolArray, side: BoolArray, total: FloatArray) -> None:
    """Add the rows that moved to the sum of the second side, or subtract them. O(m + nnz of these rows)."""
    rows = centred.rows
    d = total.size
    is_dense = rows.value.size == side.size * d
    for i in range(side.size):
        if moved[i]:
            sign = 1.0 if side[i] else -1.0
            if is_dense:
                value = rows.value[i * d : (i + 1) * d]
                for k in range(d):
                    total[k] += sign * value[k]
            else:
                add_row(rows, i, sign, total)
