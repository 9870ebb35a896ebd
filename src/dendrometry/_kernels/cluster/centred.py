"""Rows around their mean, and their products with the normal of a plane.

Dense rows are kept a second time as whole numbers of 16 bits, which are multiplied exactly, in a fraction of the time.
How far their products may be off from those of the rows is known; a row that is nearer to the plane than that is
multiplied in full.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.rows import Rows, fill_mean, fill_squared_from, squared_length
from dendrometry._typing import BoolArray, FloatArray, IntArray

_WORTH_SHORT = 2**12  # fewer numbers are not kept twice
_UNIT = 2.0**15 - 2.0  # the length of a row in whole numbers, none of which exceeds 16 bits
TINY = 1e-200  # a row that is shorter has only zeros in whole numbers, and is always multiplied in full


class Centred(NamedTuple):
    """Rows, if dense with their mean subtracted so that products do not cancel, with what all trials need."""

    rows: Rows
    mean: FloatArray  # (d,) the mean of the rows, now 0 if they are dense
    radius: FloatArray  # (m,) the distance of each row from the mean
    short: NDArray[np.int16]  # (m, d) the rows in units of which each is _UNIT long; none if they are not kept twice


class About(NamedTuple):
    """The mean of some rows, and the squared distance of each row from it; empty if unknown."""

    mean: FloatArray
    square: FloatArray


class Room(NamedTuple):
    """Where centred rows are written, if it is large enough."""

    value: FloatArray
    short: NDArray[np.int16]


@njit
def about_side(rows: Rows, side: BoolArray, wanted: bool) -> About:
    """Return the mean of the rows on one side, and the squared distance of every row from it. O(nnz + d)."""
    mean, square = np.empty(rows.n_columns), np.empty(side.size)
    fill_mean(rows, side, wanted, mean)
    fill_squared_from(rows, mean, square)
    return About(mean, square)


@njit
def centre(rows: Rows, about: About, room: Room) -> Centred:
    """Return rows, of which no number exceeds 1, with what trials of two-means need. O(nnz + d)."""
    m, d = rows.start.size - 1, rows.n_columns
    mean, square = about if about.square.size == m else about_side(rows, np.zeros(m, dtype=np.bool_), False)
    is_dense = rows.value.size == m * d
    n_short = m if is_dense and m * d >= _WORTH_SHORT else 0
    if is_dense and (room.value.size < m * d or room.short.size < n_short * d):
        room = Room(np.empty(m * d), np.empty(n_short * d, dtype=np.int16))
    short = room.short[: n_short * d].reshape(n_short, d)
    radius = np.sqrt(square)
    if is_dense:
        rows = _centre_dense(rows, mean, radius, room.value[: m * d], short)
        mean = np.zeros(d)
    return Centred(rows, mean, radius, short)


@njit
def _centre_dense(
    rows: Rows, mean: FloatArray, radius: FloatArray, value: FloatArray, short: NDArray[np.int16]
) -> Rows:
    """Return dense rows less their mean, written in full and as whole numbers. O(nnz)."""
    d = mean.size
    for i in range(radius.size):
        given, own = rows.value[i * d : (i + 1) * d], value[i * d : (i + 1) * d]
        for k in range(d):
            own[k] = given[k] - mean[k]
        if i < short.shape[0]:
            units = _UNIT / radius[i] if radius[i] > TINY else 0.0
            whole = short[i]
            for k in range(d):
                whole[k] = np.int16(np.rint(own[k] * units))
    return Rows(rows.start, rows.column, value, d)


class Plane(NamedTuple):
    """The normal of a plane in whole numbers, its length in full, and how far products are off per unit of radius."""

    whole: NDArray[np.int16]  # empty if rows are multiplied in full
    length: float
    error: float


@njit
def short_plane(centred: Centred, normal: FloatArray) -> Plane:
    """Return the normal of a plane for products with the rows that are kept twice. O(d).

    A number of a row, or of the normal, is off by at most half of its unit, and all of them by sqrt(d) / 2 units. So a
    product is off by sqrt(d) / 2 of these units times the length of either, which is at most _UNIT + sqrt(d) / 2.
    """
    length = np.sqrt(squared_length(normal))
    whole = np.empty(normal.size if centred.short.shape[0] > 0 and length > TINY else 0, dtype=np.int16)
    for k in range(whole.size):
        whole[k] = np.int16(np.rint(normal[k] / length * _UNIT))
    off = np.sqrt(float(normal.size)) / _UNIT
    return Plane(whole, length, length * off * (1.0 + off))


@njit
def fill_near(centred: Centred, due: IntArray, plane: Plane, near: FloatArray) -> None:
    """Set ``near[j]`` to the product of row ``due[j]`` and the normal of a plane, both in whole numbers. O(d rows).

    Four rows are multiplied at a time, none of which waits for another; those beyond the end are the last once more.
    """
    last = due.size - 1
    per_unit = plane.length / _UNIT / _UNIT
    for j in range(0, due.size, 4):
        second, third, fourth = min(j + 1, last), min(j + 2, last), min(j + 3, last)
        a, b = centred.short[due[j]], centred.short[due[second]]
        c, e = centred.short[due[third]], centred.short[due[fourth]]
        p = q = r = s = np.int32(0)
        for k in range(plane.whole.size):
            n = np.int32(plane.whole[k])
            p = np.int32(p + np.int32(a[k]) * n)
            q = np.int32(q + np.int32(b[k]) * n)
            r = np.int32(r + np.int32(c[k]) * n)
            s = np.int32(s + np.int32(e[k]) * n)
        near[j], near[second], near[third], near[fourth] = p * per_unit, q * per_unit, r * per_unit, s * per_unit


@njit
def product(rows: Rows, i: int, point: FloatArray) -> float:
    """Return the product of row i and a point. O(nnz of the row)."""
    column = rows.column[rows.start[i] : rows.start[i + 1]]
    value = rows.value[rows.start[i] : rows.start[i + 1]]
    total = 0.0
    for k in range(value.size):
        total += value[k] * point[column[k]]
    return total
