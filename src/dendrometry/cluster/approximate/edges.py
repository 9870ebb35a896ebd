"""Graphs of neighbours from users: arrays of k neighbours or a sparse matrix, checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import real_array
from dendrometry._check.points import is_sparse
from dendrometry._check.sparse import sound_csr
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError

_ROUNDING = 1e-6  # of a distance: by more, the two directions of an edge must not differ


class Edges(NamedTuple):
    """The neighbours of each item: those of i are ``neighbour[start[i] : start[i + 1]]``, as far away as ``length``."""

    start: IntArray
    neighbour: NDArray[np.int32]
    length: FloatArray | None


def edges_of(neighbours: Any, distances: Any) -> Edges:
    """Return a graph given as arrays of neighbours and distances, or as a sparse matrix of distances."""
    if is_sparse(neighbours):
        if distances is not None:
            raise InvalidInputError("distances must not be given beside a sparse matrix, whose values they are")
        return _of_matrix(neighbours)
    array = real_array(neighbours, "neighbours", 2)
    if array.dtype.kind not in "iu":
        raise InvalidInputError(f"neighbours must be whole numbers, the positions of items; got {array.dtype}")
    n, k = array.shape
    if n == 0 or n > np.iinfo(np.int32).max:
        raise InvalidInputError(f"neighbours must be given for 1 to 2**31 - 1 items; got {n:,}")
    outside = (array < 0) | (array >= n)
    if outside.any():
        i, j = divmod(int(np.argmax(outside)), k)
        raise InvalidInputError(
            f"neighbours must be items from 0 to {n - 1:,}; got {array[i, j]} in row {i}, column {j}"
            " (a missing neighbour: search for more of them, or pass a sparse matrix without it)"
        )
    length = None
    if distances is not None:
        given = real_array(distances, "distances", 2)
        if given.shape != array.shape:
            raise InvalidInputError(f"distances must have the shape of neighbours, {array.shape}; got {given.shape}")
        length = _lengths(given.ravel(), lambda at: f"row {at // k}, column {at % k}")
    return Edges(k * np.arange(n + 1), array.astype(np.int32).ravel(), length)


def _of_matrix(matrix: Any) -> Edges:
    """Return the stored values of a sparse matrix as edges; a stored 0 is an edge of length 0."""
    rows = sound_csr(matrix)
    if rows.shape[0] != rows.shape[1] or rows.shape[0] == 0:
        raise InvalidInputError(f"a graph must be a square matrix of at least one row; got shape {rows.shape}")
    start, column = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)

    def place(at: int) -> str:
        return f"row {int(np.searchsorted(start, at, side='right')) - 1}, column {column[at]}"

    return Edges(start, column, _lengths(rows.data, place))


def _lengths(values: NDArray[Any], place: Any) -> FloatArray:
    """Return the lengths of edges, refusing missing and negative ones."""
    with np.errstate(over="ignore", invalid="ignore"):
        length: FloatArray = values.astype(np.float64)
    for bad, rule in ((~np.isfinite(length), "finite"), (length < 0.0, "at least 0")):
        if bad.any():
            at = int(np.argmax(bad))
            raise InvalidInputError(f"distances of neighbours must be {rule}; got {values[at]!s} at {place(at)}")
    return length


def undirected(edges: Edges) -> tuple[IntArray, IntArray, FloatArray]:
    """Return each edge once, its lower item first, with its length (0 if none were given).

    Lengths of the two directions that differ are refused.
    """
    n = edges.start.size - 1
    item = np.repeat(np.arange(n), np.diff(edges.start))
    apart = item != edges.neighbour
    item, other = item[apart], edges.neighbour[apart].astype(np.int64)
    length = np.zeros(item.size) if edges.length is None else edges.length[apart]
    low, high = np.minimum(item, other), np.maximum(item, other)
    order = np.lexsort((length, high, low))
    low, high, length = low[order], high[order], length[order]
    again = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    gap = np.where(again, length[1:] - length[:-1] - _ROUNDING * length[1:], 0.0)
    if (gap > 0.0).any():
        at = int(np.argmax(gap))
        raise InvalidInputError(
            f"both directions of an edge must have one distance; items {low[at]} and {high[at]} have {length[at]:.6g}"
            f" and {length[at + 1]:.6g} (pass points, from which distances are computed)"
        )
    once = np.concatenate([[True], ~again])[: low.size]
    return low[once], high[once], length[once]
