"""The nearest of the past documents: an inverted index for most of them, the last few compared one by one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["Past", "nearest"]

_ROUNDING = 1e-9


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
def _gather(column: IntArray, past: Past, dense: FloatArray, score: FloatArray, best: float) -> tuple[IntArray, float]:
    """Sum products into ``score`` column by column, until no other row can be nearest; return those met, and the rest.

    The rest is the length of the columns left out: the most that they can add.
    """
    met = np.empty(past.n_listed, dtype=np.int64)
    n_met = 0
    square = 1.0
    for c in column:
        if np.sqrt(max(square, 0.0)) + _ROUNDING < best:
            break
        if c < past.begin.size - 1:
            for k in range(past.begin[c], past.begin[c + 1]):
                y = past.listed_row[k]
                if score[y] == 0.0:
                    met[n_met] = y
                    n_met += 1
                score[y] += dense[c] * past.listed_weight[k]
                best = max(best, score[y])
        square -= dense[c] * dense[c]
    return met[:n_met], np.sqrt(max(square, 0.0)) + _ROUNDING


@njit
def nearest(column: IntArray, dense: FloatArray, past: Past, score: FloatArray) -> tuple[int, float]:
    """Return the past row with the greatest dot product, the earliest of equals, and that product; -1 if it is 0.

    ``dense`` holds the weights of a vector of length 1 and ``column`` its columns, those with short lists first;
    ``score`` is zero, and is left so. Cost: the lists of the columns needed, the rows that may be nearest, and the
    rows that are not listed.
    """
    best, where = 0.0, -1
    for y in range(past.n_listed, past.n_rows):
        product = _dot(y, past, dense)
        if product > best:
            best, where = product, y
    met, rest = _gather(column, past, dense, score, best)
    least = best
    for y in met:
        least = max(least, score[y])
    for y in met:
        if score[y] + rest >= least:
            product = _dot(y, past, dense)
            if product > best or (product == best and y < where):
                best, where = product, y
        score[y] = 0.0
    return where, best
