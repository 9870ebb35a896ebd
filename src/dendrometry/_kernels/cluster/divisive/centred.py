"""Rows around their mean, and their products with the normal of a plane.

Dense rows are kept a second time in single precision, in which products take a fraction of the time. How far such a
product may be off is known; a row that is nearer to the plane than that is multiplied in full.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import LANES, FloatArray, njit
from dendrometry._kernels.cluster.distances.rows import Rows, fill_mean, fill_squared_from

__all__ = ["About", "Centred", "Room", "centre", "product", "single_error"]

_WORTH_SINGLE = 2**12  # fewer numbers are not kept twice
_TINY = 1e-20  # shorter rows are not kept in single precision, the range of which their products would leave
_SINGLE = 2.0**-24  # the rounding of one operation in single precision
_UNDERFLOW = 1e-36  # more than products of numbers up to 1 lose where they leave the range of single precision


class Centred(NamedTuple):
    """Rows, if dense with their mean subtracted so that products do not cancel, with what all trials need."""

    rows: Rows
    mean: FloatArray  # (d,) the mean of the rows, now 0 if they are dense
    radius: FloatArray  # (m,) the distance of each row from the mean
    single: NDArray[np.float32]  # (m, d and zeros up to a multiple of LANES) the rows; none if they are not kept twice


class About(NamedTuple):
    """The mean of rows, and the squared distance of each from it, as found by the split above; empty if unknown."""

    mean: FloatArray
    square: FloatArray


class Room(NamedTuple):
    """Where centred rows are written, if it is large enough."""

    value: FloatArray
    single: NDArray[np.float32]


@njit
def centre(rows: Rows, about: About, room: Room) -> Centred:
    """Return rows, of which no number exceeds 1, with what trials of two-means need. O(nnz + d)."""
    m, d = rows.start.size - 1, rows.n_columns
    mean, square = about
    if square.size < m:
        mean, square = np.empty(d), np.empty(m)
        fill_mean(rows, np.zeros(m, dtype=np.bool_), False, mean)
        fill_squared_from(rows, mean, square)
    is_dense = rows.value.size == m * d
    width = -(-d // LANES) * LANES
    n_single = m if is_dense and m * d >= _WORTH_SINGLE else 0
    if (is_dense and room.value.size < m * d) or room.single.size < n_single * width:
        room = Room(np.empty(m * d), np.empty(n_single * width, dtype=np.float32))
    single = room.single[: n_single * width].reshape(n_single, width)
    if is_dense:
        rows = _centre_dense(rows, mean, room.value[: m * d], single)
        mean = np.zeros(d)
    radius = np.sqrt(square)
    return Centred(rows, mean, radius, single if radius.max() > _TINY else single[:0])


@njit
def _centre_dense(rows: Rows, mean: FloatArray, value: FloatArray, single: NDArray[np.float32]) -> Rows:
    """Return dense rows less their mean, written in both precisions. O(nnz)."""
    d = mean.size
    for i in range(rows.start.size - 1):
        given, own = rows.value[i * d : (i + 1) * d], value[i * d : (i + 1) * d]
        for k in range(d):
            own[k] = given[k] - mean[k]
        if i < single.shape[0]:
            short = single[i]
            for k in range(d):
                short[k] = own[k]
            for k in range(d, short.size):
                short[k] = 0.0
    return Rows(rows.start, rows.column, value, d)


@njit
def single_error(centred: Centred) -> tuple[float, float]:
    """Return by how much single products may be off for a normal of length 1: for each unit of the radius, and at all.

    A term is rounded twice in its factors, once itself, and once in each sum that it goes into: those of its lane, and
    those of halves of the lanes. Some roundings more are those of lengths and of products in double precision.
    """
    return (centred.single.shape[1] // LANES + 12) * _SINGLE, _UNDERFLOW


@njit
def product(rows: Rows, i: int, point: FloatArray) -> float:
    """Return the product of row i and a point. O(nnz of the row)."""
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    total = 0.0
    for k in range(value.size):
        total += value[k] * point[column[k]]
    return total
