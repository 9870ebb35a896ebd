"""The nearest earlier document: an inverted index for most documents, the last few compared one by one.

The terms of few documents are looked up in lists. If these do not decide, the terms of many documents are added: a
column for each, with a number for every document, in single precision and four columns at a time, those with the most
weight first. What may be nearest within that precision, and with what was not added, is compared in full.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit, njit_brief

__all__ = ["HEAVY", "Past", "Room", "nearest"]

HEAVY = 16  # wide columns that are added first

_ROUNDING = 1e-9
_SINGLE = 1e-5  # a sum of products in single precision, of vectors of length 1, is off by less
_EQUAL = 1e-12  # products this near to each other are those of documents alike, summed in another order
_CHEAPER = 0.1  # the time of a product with a wide column, beside that of one with an entry of a row
_BLOCK = 2048  # documents whose sums stay in the innermost cache


class Past(NamedTuple):
    """Sparse rows of length 1 and no negative weight; the first ``n_listed`` also by column.

    A column has a list, in ``listed_*``, or, if ``wide_at`` is not -1, a row of ``wide`` with a number for all rows.
    """

    indptr: IntArray
    column: NDArray[np.int32]
    weight: FloatArray
    begin: IntArray
    listed_row: NDArray[np.int32]
    listed_weight: FloatArray
    wide_at: NDArray[np.int32]
    wide: NDArray[np.float32]  # the columns with the most weight first
    light: NDArray[np.float32]  # the length of each row in all but the first few of these columns
    n_listed: int
    n_rows: int


class Room(NamedTuple):
    """Room for a search: for each row a score, 0 before and after, and places for those met, one more than rows."""

    score: FloatArray
    met: NDArray[np.int32]


@njit
def _dot(y: int, past: Past, dense: FloatArray) -> float:
    """Return the dot product of a row and a dense vector. O(entries of the row)."""
    column = past.column[past.indptr[y] : past.indptr[y + 1]]
    weight = past.weight[past.indptr[y] : past.indptr[y + 1]]
    total = 0.0
    for k in range(column.size):
        total += weight[k] * dense[column[k]]
    return total


@njit
def _n_listed(column: int, past: Past) -> int:
    """Return the number of rows in the list of a column."""
    return past.begin[column + 1] - past.begin[column] if column < past.begin.size - 1 else 0


@njit
def _wide_at(column: int, past: Past) -> int:
    """Return the row of ``wide`` that holds a column; -1 if none does."""
    return past.wide_at[column] if column < past.wide_at.size else -1


@njit
def _gather(column: IntArray, past: Past, dense: FloatArray, room: Room, best: float) -> tuple[int, float, float]:
    """Sum products into ``score`` list by list; return how many rows were met, a bound on the rest, and the best score.

    Stops when no row that was not met can be nearest, and the dot products of those met cost less than the lists left.
    """
    score, met = room.score, room.met
    n_met, square, left = 0, 1.0, 0
    for c in column:
        left += _n_listed(c, past)
    for c in column:
        rest = np.sqrt(max(square, 0.0)) + _ROUNDING
        if rest < best and n_met * past.indptr[past.n_rows] < left * past.n_rows:
            return n_met, rest, best
        if _wide_at(c, past) >= 0:
            continue
        size = _n_listed(c, past)
        if size > 0:
            row = past.listed_row[past.begin[c] : past.begin[c] + size]
            weight = past.listed_weight[past.begin[c] : past.begin[c] + size]
            for k in range(size):
                y = row[k]
                met[n_met] = y
                n_met += score[y] == 0.0  # a jump that is often not foreseen would cost more
                score[y] += dense[c] * weight[k]
                best = max(best, score[y])
        left -= size
        square -= dense[c] * dense[c]
    return n_met, np.sqrt(max(square, 0.0)) + _ROUNDING, best


@njit
def _chosen_wide(
    column: IntArray, past: Past, dense: FloatArray, first: int, last: int
) -> tuple[IntArray, NDArray[np.float32], float]:
    """Return the rows of ``wide`` from ``first`` to ``last`` - 1 that hold columns of a vector, and its weights there.

    Both are padded to a multiple of four. The third value is the length of the weights.
    """
    chosen = np.zeros(column.size + 3, dtype=np.int64)
    weight = np.zeros(column.size + 3, dtype=np.float32)
    n, square = 0, 0.0
    for c in column:
        at = _wide_at(c, past)
        if first <= at < last:
            chosen[n] = at
            weight[n] = dense[c]
            square += dense[c] * dense[c]
            n += 1
    n += -n % 4
    return chosen[:n], weight[:n], np.sqrt(square)


@njit
def _add_wide(chosen: IntArray, weight: NDArray[np.float32], past: Past, score: FloatArray) -> None:
    """Add the products with wide columns to the scores of all rows listed. O(columns * rows)."""
    room = np.empty(_BLOCK, dtype=np.float32)
    for low in range(0, past.n_listed, _BLOCK):
        high = min(low + _BLOCK, past.n_listed)
        total = room[: high - low]
        total[:] = 0.0
        for k in range(0, chosen.size, 4):
            p, q, r, s = weight[k], weight[k + 1], weight[k + 2], weight[k + 3]
            a, b = past.wide[chosen[k], low:high], past.wide[chosen[k + 1], low:high]
            c, d = past.wide[chosen[k + 2], low:high], past.wide[chosen[k + 3], low:high]
            for y in range(total.size):
                total[y] += p * a[y] + q * b[y] + (r * c[y] + s * d[y])
        block = score[low:high]
        for y in range(total.size):
            block[y] += total[y]


@njit
def _nearer(best: float, where: int, product: float, y: int) -> tuple[float, int]:
    """Return the greater of two products and its row, the earlier of equals."""
    if product > best + _EQUAL:
        return product, y
    if where >= 0 and product >= best - _EQUAL:
        return max(best, product), min(where, y)
    return best, where


@njit
def _largest(score: FloatArray) -> int:
    """Return the position of the largest score, the first of equal ones. O(n)."""
    found = 0
    most = score[0]
    for y in range(score.size):
        if score[y] > most:
            found, most = y, score[y]
    return found


@njit
def _add_heaviest(column: IntArray, past: Past, dense: FloatArray, score: FloatArray) -> tuple[float, int]:
    """Add the wide columns to the scores; return the length of the vector in those left out, and the largest score.

    The lighter columns are left out if few rows may be nearest without them.
    """
    n_heavy = min(HEAVY, past.wide.shape[0])
    chosen, weight, _ = _chosen_wide(column, past, dense, 0, n_heavy)
    _add_wide(chosen, weight, past, score)
    chosen, weight, left = _chosen_wide(column, past, dense, n_heavy, past.wide.shape[0])
    largest = _largest(score)
    most = score[largest] - 2.0 * _SINGLE
    n_near = 0
    for y in range(past.n_listed):
        n_near += score[y] + left * past.light[y] >= most
    if chosen.size == 0 or n_near * past.indptr[past.n_rows] < chosen.size * past.n_listed * past.n_rows * _CHEAPER:
        return left, largest
    _add_wide(chosen, weight, past, score)
    return 0.0, _largest(score)


@njit
def _few_are_near(column: IntArray, past: Past, score: FloatArray, rest: float, least: float) -> bool:
    """Return whether to compare the rows met that may be nearest, by their scores, without the wide columns."""
    n_wide = 0
    for c in column:
        n_wide += _wide_at(c, past) >= 0
    if n_wide == 0 or rest >= least:
        return n_wide == 0
    n_near = 0
    for one in score:
        n_near += one + rest >= least
    return bool(n_near * past.indptr[past.n_rows] < n_wide * past.n_listed * past.n_rows * _CHEAPER)


@njit_brief
def nearest(column: IntArray, dense: FloatArray, past: Past, room: Room) -> tuple[int, float]:
    """Return the earlier row with the greatest dot product, the first of equal ones, and that product; -1 if it is 0.

    ``dense`` holds the weights of a vector of length 1 and ``column`` its columns, those of few rows first. Cost: the
    lists of the columns needed, the rows that may be nearest, the rows that are not listed, and, if the lists do not
    decide, the wide columns.
    """
    best, where = 0.0, -1
    for y in range(past.n_listed, past.n_rows):
        best, where = _nearer(best, where, _dot(y, past, dense), y)
    if past.n_listed == 0:
        return where, best
    n_met, rest, least = _gather(column, past, dense, room, best)
    score, met = room.score[: past.n_listed], room.met[:n_met]
    if _few_are_near(column, past, score[met], rest, least):
        for y in met:
            if score[y] + rest >= least:
                best, where = _nearer(best, where, _dot(y, past, dense), y)
            score[y] = 0.0
        return where, best
    left, largest = _add_heaviest(column, past, dense, score)
    best, where = _nearer(best, where, _dot(largest, past, dense), largest)
    for y in range(past.n_listed):
        if score[y] + left * past.light[y] + _SINGLE >= best:
            best, where = _nearer(best, where, _dot(y, past, dense), y)
        score[y] = 0.0
    return where, best
