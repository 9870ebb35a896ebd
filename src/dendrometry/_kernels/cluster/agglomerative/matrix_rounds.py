"""Rounds of merges on a square matrix of distances: rows are combined first, then columns inside every row."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit, stopped
from dendrometry._kernels.cluster.agglomerative.lance_williams import blend

__all__ = ["Nearest", "Pairs", "combine_columns", "combine_rows", "find_nearest", "mirror"]


class Pairs(NamedTuple):
    """The pairs of slots that merge: which, their sizes before, and the distance at which they merge."""

    low: IntArray
    high: IntArray
    n_low: FloatArray
    n_high: FloatArray
    distance: FloatArray


class Nearest(NamedTuple):
    """For each slot the nearest one, its distance, and whether another one is exactly as near."""

    slot: IntArray
    distance: FloatArray
    tied: BoolArray


@njit
def combine_rows(which: IntArray, pairs: Pairs, size: FloatArray, update: int, matrix: NDArray[Any]) -> None:
    """Set the row of ``low`` of some pairs to the distances of the union; ``size`` is the old one. O(n) each."""
    for p in which:
        row = matrix[pairs.low[p]]
        other = matrix[pairs.high[p]]
        pair = (pairs.n_low[p], pairs.n_high[p], pairs.distance[p])
        for s in range(row.size):
            row[s] = blend(update, row[s], other[s], pair, size[s])
        if stopped():
            break


@njit
def combine_columns(rows: IntArray, pairs: Pairs, size: FloatArray, update: int, matrix: NDArray[Any]) -> None:
    """Combine the columns of all pairs in some rows, where the swallowed ones fall out of reach. O(pairs) each.

    ``size`` is that after the round.
    """
    for r in rows:
        row = matrix[r]
        m = size[r]
        for p in range(pairs.low.size):
            i = pairs.low[p]
            j = pairs.high[p]
            pair = (pairs.n_low[p], pairs.n_high[p], pairs.distance[p])
            row[i] = blend(update, row[i], row[j], pair, m)
            row[j] = np.inf
        row[r] = np.inf
        if stopped():
            break


@njit
def mirror(which: IntArray, pairs: Pairs, matrix: NDArray[Any]) -> None:
    """Let two new clusters have one distance, whichever row it is read from. O(pairs) each."""
    for p in which:
        for q in range(p):
            matrix[pairs.low[p], pairs.low[q]] = matrix[pairs.low[q], pairs.low[p]]
        if stopped():
            break


@njit
def find_nearest(rows: IntArray, matrix: NDArray[Any], bits: NDArray[Any], nearest: Nearest) -> None:
    """Set the nearest slot of some rows, the lowest where several are as near. O(n) each.

    ``bits`` is the matrix read as integers: of numbers that are not negative the least has the least bits, and integers
    are compared several at a time.
    """
    for r in rows:
        row = bits[r]
        least = row[0]
        for s in range(row.size):
            x = row[s]
            least = x if x < least else least
        at = -1
        tied = False
        for s in range(row.size):
            if row[s] == least:
                if at >= 0:
                    tied = True
                    break
                at = s
        nearest.slot[r] = at
        nearest.distance[r] = matrix[r, at]
        nearest.tied[r] = tied
        if stopped():
            break
