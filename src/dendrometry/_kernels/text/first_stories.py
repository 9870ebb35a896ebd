"""The nearest earlier document: an inverted index for most documents, the last few compared one by one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["Past", "nearest"]

_ROUNDING = 1e-9
_EQUAL = 1e-12  # products this near to each other are those of documents alike, summed in another order


class Past(NamedTuple):
    """Sparse rows of length 1 and no negative weight; the first ``n_listed`` also by column, in ``listed_*``."""

    indptr: IntArray
    column: NDArray[np.int32]
    weight: FloatArray
    begin: IntArray
    listed_row: NDArray[np.int32]
    listed_weight: FloatArray
    n_listed: int
    n_rows: int


@njit
def _dot(y: int, past: Past, dense: FloatArray) -> float:
    """Return the dot product of a row and a dense vector. O(entries of the row)."""
    total = 0.0
    for at in range(past.indptr[y], past.indptr[y + 1]):
        total += past.weight[at] * dense[past.column[at]]
    return total


@njit
def _n_listed(column: int, past: Past) -> int:
    """Return the number of rows listed under a column."""
    return past.begin[column + 1] - past.begin[column] if column < past.begin.size - 1 else 0


@njit
def _gather(column: IntArray, past: Past, dense: FloatArray, score: FloatArray, best: float) -> tuple[IntArray, float]:
    """Sum products into ``score`` column by column; return the rows found, and a bound on the remaining sum.

    Stops when no row that was not met can be nearest, and the dot products of those met cost less than the lists left.
    """
    met = np.empty(past.n_listed, dtype=np.int64)
    n_met, square, left = 0, 1.0, 0
    for c in column:
        left += _n_listed(c, past)
    for c in column:
        rest = np.sqrt(max(square, 0.0)) + _ROUNDING
        if rest < best and n_met * past.indptr[past.n_rows] < left * past.n_rows:
            return met[:n_met], rest
        for i in range(_n_listed(c, past)):
            k = past.begin[c] + i
            y = past.listed_row[k]
            if score[y] == 0.0:
                met[n_met] = y
                n_met += 1
            score[y] += dense[c] * past.listed_weight[k]
            best = max(best, score[y])
        left -= _n_listed(c, past)
        square -= dense[c] * dense[c]
    return met[:n_met], _ROUNDING


@njit
def _nearer(best: float, where: int, product: float, y: int) -> tuple[float, int]:
    """Return the greater of two products and its row, the earlier of equals."""
    if product > best + _EQUAL:
        return product, y
    if where >= 0 and product >= best - _EQUAL:
        return max(best, product), min(where, y)
    return best, where


@njit
def nearest(column: IntArray, dense: FloatArray, past: Past, score: FloatArray) -> tuple[int, float]:
    """Return the earlier row with the greatest dot product, the first of equal ones, and that product; -1 if it is 0.

    ``dense`` holds the weights of a vector of length 1 and ``column`` its columns, those with short lists first;
    ``score`` is zero, and is left so. Cost: the lists of the columns needed, the rows that may be nearest, and the
    rows that are not listed.
    """
    best, where = 0.0, -1
    for y in range(past.n_listed, past.n_rows):
        best, where = _nearer(best, where, _dot(y, past, dense), y)
    met, rest = _gather(column, past, dense, score, best)
    least = best
    for y in met:
        least = max(least, score[y])
    for y in met:
        if score[y] + rest >= least:
            best, where = _nearer(best, where, _dot(y, past, dense), y)
        score[y] = 0.0
    return where, best
