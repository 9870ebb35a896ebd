"""Rounds of merges on a square matrix of distances: rows are combined first, then columns inside every row."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.lance_williams import blend
from dendrometry._typing import BoolArray, FloatArray, IntArray

_ROWS = 16  # written at once
_COLUMNS = 512  # compared before it is asked whether there is a nearer one among them


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
    """Combine the columns of all pairs in some rows; those that are swallowed keep what they held. O(pairs) each.

    ``size`` is that after the round.
    """
    for r in rows:
        row = matrix[r]
        m = size[r]
        for p in range(pairs.low.size):
            pair = (pairs.n_low[p], pairs.n_high[p], pairs.distance[p])
            row[pairs.low[p]] = blend(update, row[pairs.low[p]], row[pairs.high[p]], pair, m)
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
def spread(rows: IntArray, low: IntArray, matrix: NDArray[Any]) -> None:
    """Copy the rows of new clusters to their columns in some other rows. O(pairs) each.

    Several rows are written at once, since what they take lies side by side.
    """
    for start in range(0, rows.size, _ROWS):
        block = rows[start : start + _ROWS]
        for i in low:
            new = matrix[i]
            for r in block:
                matrix[r, i] = new[r]
        if stopped():
            break


@njit
def find_nearest(
    rows: IntArray, matrix: NDArray[Any], bits: NDArray[Any], gone: NDArray[Any], nearest: Nearest
) -> None:
    """Set the nearest slot of some rows, the lowest where several are as near. O(n) each.

    ``bits`` is the matrix read as integers: of numbers that are not negative the least has the least bits, and integers
    are compared several at a time. ``gone`` is a lower bound on bits: those of infinity where a slot is empty.
    """
    for r in rows:
        row = bits[r]
        least = row[r]
        at = 0
        tied = False
        for start in range(0, row.size, _COLUMNS):
            x = _least(row[start : start + _COLUMNS], gone[start : start + _COLUMNS])
            if x < least:
                least = x
                at = start
                tied = False
            elif x == least:
                tied = True
        last = min(at + _COLUMNS, row.size)
        while max(row[at], gone[at]) != least:
            at += 1
        for s in range(at + 1, last):
            tied |= max(row[s], gone[s]) == least
        nearest.slot[r] = at
        nearest.distance[r] = matrix[r, at]
        nearest.tied[r] = tied
        if stopped():
            break


@njit
def _least(row: NDArray[Any], gone: NDArray[Any]) -> Any:
    """Return the least of some bits. O(n)."""
    least = max(row[0], gone[0])
    for s in range(row.size):
        x = row[s] if row[s] > gone[s] else gone[s]
        least = x if x < least else least
    return least
