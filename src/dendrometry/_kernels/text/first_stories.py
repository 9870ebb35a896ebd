"""The nearest earlier document: an inverted index for most documents, the last few compared one by one.

The lists of a document's terms are read from the rarest on, and the document that leads is compared in full. If no
other can be nearer, that is all. Otherwise the terms of many documents are left. They are bounded by the lengths of
both documents in these terms, first in all of them, then in groups; what may still be nearest is compared in full. If
that is too much, the lists left are read as well.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit, njit_brief

__all__ = ["Past", "Room", "nearest"]

_ROUNDING = 1e-9
_SINGLE = 2.0**-23  # twice the rounding of one operation in single precision
_EQUAL = 1e-12  # products this near to each other are those of documents alike, summed in another order
_LOOK = 16  # entries of lists that are read before the document that leads is compared
_BLOCK = 64  # rows whose largest bound is kept
_PIECES = 16  # parts of all documents of which the most likely one is compared first


class Past(NamedTuple):
    """Sparse rows of length 1 and no negative weight; the first ``n_listed`` also by column."""

    indptr: IntArray
    column: NDArray[np.int32]
    weight: FloatArray
    begin: IntArray
    listed_row: NDArray[np.int32]
    listed_weight: NDArray[np.float32]
    group: NDArray[np.int8]  # of each column with a list, if many rows have it; otherwise -1
    common: NDArray[np.float32]  # the length of each listed row in columns of all groups, rounded up
    parts: NDArray[np.float32]  # its length in each group, rounded up
    n_listed: int
    n_rows: int


class Room(NamedTuple):
    """Room for a search: for each row a score, 0 before and after, and a bound; places for rows that were met."""

    score: NDArray[np.float32]
    bound: NDArray[np.float32]
    most: NDArray[np.float32]  # the largest bound of each block
    met: NDArray[np.int32]  # one more than rows


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
def _nearer(best: float, where: int, product: float, y: int) -> tuple[float, int]:
    """Return the greater of two products and its row, the earlier of equals."""
    if product > best + _EQUAL:
        return product, y
    if where >= 0 and product >= best - _EQUAL:
        return max(best, product), min(where, y)
    return best, where


@njit
def _columns_listed(column: IntArray, past: Past, is_common: bool) -> tuple[IntArray, int]:
    """Return the columns with a list, those of many rows or the others, and the number of entries of these lists."""
    chosen = np.empty(column.size, dtype=np.int64)
    n, entries = 0, 0
    for c in column:
        if c < past.group.size and (past.group[c] >= 0) == is_common:
            chosen[n] = c
            n += 1
            entries += past.begin[c + 1] - past.begin[c]
    return chosen[:n], entries


@njit
def _read(c: int, past: Past, dense: FloatArray, room: Room, n_met: int) -> int:
    """Add the products of the list of a column to the scores; return how many rows were met by now."""
    score, met = room.score, room.met
    row = past.listed_row[past.begin[c] : past.begin[c + 1]]
    weight = past.listed_weight[past.begin[c] : past.begin[c + 1]]
    own = np.float32(dense[c])
    for k in range(row.size):
        y = row[k]
        met[n_met] = y
        n_met += score[y] == 0.0  # a jump that is often not foreseen would cost more
        score[y] += own * weight[k]
    return n_met


@njit
def _largest(value: NDArray[np.float32]) -> int:
    """Return the position of the largest value, the first of equal ones. O(n)."""
    found = 0
    most = value[0]
    for y in range(value.size):
        if value[y] > most:
            found, most = y, value[y]
    return found


@njit
def _gather(
    column: IntArray, past: Past, dense: FloatArray, room: Room, found: tuple[float, int]
) -> tuple[int, float, tuple[float, int]]:
    """Read the lists of columns that few rows have; return how many rows were met, the length left, and the nearest.

    Stops when no row that was not met can be nearest, and the dot products of those met cost less than the lists left.
    The length left is that of the vector in columns not read; -1 if all lists were.
    """
    best, where = found
    chosen, left = _columns_listed(column, past, False)
    n_met, read, look, square = 0, 0, _LOOK, 1.0
    for c in column:
        square -= 0.0 if c < past.group.size else dense[c] * dense[c]
    for c in chosen:
        if read >= look:
            y = room.met[_largest(room.score[room.met[:n_met]])]
            best, where = _nearer(best, where, _dot(y, past, dense), y)
            look = 8 * read
        rest = np.sqrt(max(square, 0.0)) + _ROUNDING
        if rest < best and n_met * past.indptr[past.n_rows] < left * past.n_rows:
            return n_met, rest, (best, where)
        n_met = _read(c, past, dense, room, n_met)
        square -= dense[c] * dense[c]
        left -= past.begin[c + 1] - past.begin[c]
        read += past.begin[c + 1] - past.begin[c]
    return n_met, -1.0, (best, where)


@njit
def _fill_bounds(length: float, past: Past, room: Room) -> None:
    """Bound the products of all rows listed by their scores and by lengths in common columns; also for each block.

    Numbers that are not negative are ordered as their bits are, and the largest integer of many is found in vectors.
    """
    own = np.float32(length)
    for low in range(0, past.n_listed, _BLOCK):
        score, common = room.score[low : past.n_listed][:_BLOCK], past.common[low:][:_BLOCK]
        bound = room.bound[low : past.n_listed][:_BLOCK]
        for y in range(bound.size):
            bound[y] = score[y] + own * common[y]
        bits = bound.view(np.int32)
        most = np.int32(0)
        for y in range(bits.size):
            most = max(most, bits[y])
        room.most.view(np.int32)[low // _BLOCK] = most


@njit
def _compare_likely(past: Past, dense: FloatArray, room: Room, found: tuple[float, int]) -> tuple[float, int]:
    """Compare a row with the largest bound of its block, for the best blocks of some pieces of all. O(rows / block)."""
    best, where = found
    most = room.most[: (past.n_listed + _BLOCK - 1) // _BLOCK]
    step = most.size // _PIECES + 1
    for low in range(0, most.size, step):
        first = (low + _largest(most[low : low + step])) * _BLOCK
        y = first + _largest(room.bound[first : past.n_listed][:_BLOCK])
        best, where = _nearer(best, where, _dot(y, past, dense), y)
    return best, where


@njit
def _n_near(past: Past, room: Room, least: float) -> int:
    """Return how many bounds are no less than some number. O(rows / block + rows of blocks with such a bound)."""
    n = 0
    single = np.float32(least)
    for low in range(0, past.n_listed, _BLOCK):
        if room.most[low // _BLOCK] >= single:
            for bound in room.bound[low : past.n_listed][:_BLOCK]:
                n += bound >= single
    return n


@njit
def _compare_near(
    past: Past, dense: FloatArray, room: Room, length: NDArray[np.float32], found: tuple[float, int, float]
) -> tuple[float, int]:
    """Compare all rows whose bounds are no less than the best product: by all common columns, then by each group.

    ``length`` is that of the vector in each group; the last number of ``found`` is by how much bounds may be off.
    """
    best, where, off = found
    least = np.float32(best - off)
    for low in range(0, past.n_listed, _BLOCK):
        if room.most[low // _BLOCK] < least:
            continue
        for y in range(low, min(low + _BLOCK, past.n_listed)):
            if room.bound[y] >= least:
                bound = room.score[y]
                for g in range(length.size):
                    bound += length[g] * past.parts[y, g]
                if bound >= least:
                    best, where = _nearer(best, where, _dot(y, past, dense), y)
                    least = np.float32(best - off)
    return best, where


@njit
def _lengths(chosen: IntArray, past: Past, dense: FloatArray) -> NDArray[np.float32]:
    """Return the length of a vector in each group of common columns, rounded up."""
    square = np.zeros(past.parts.shape[1])
    for c in chosen:
        square[past.group[c]] += dense[c] * dense[c]
    return (np.sqrt(square) + _SINGLE).astype(np.float32)


@njit_brief
def nearest(column: IntArray, dense: FloatArray, past: Past, room: Room) -> tuple[int, float]:
    """Return the earlier row with the greatest dot product, the first of equal ones, and that product; -1 if it is 0.

    ``dense`` holds the weights of a vector of length 1 and ``column`` its columns, those of few rows first. Cost: the
    lists of the columns needed, the rows that may be nearest, the rows that are not listed, and, if the lists do not
    decide, one number for each row.
    """
    best, where = 0.0, -1
    for y in range(past.n_listed, past.n_rows):
        best, where = _nearer(best, where, _dot(y, past, dense), y)
    if past.n_listed == 0:
        return where, best
    off = (column.size + 16) * _SINGLE
    score = room.score[: past.n_listed]
    n_met, rest, (best, where) = _gather(column, past, dense, room, (best, where))
    if rest >= 0.0:
        for y in room.met[:n_met]:
            if score[y] + rest + off >= best:
                best, where = _nearer(best, where, _dot(y, past, dense), y)
            score[y] = 0.0
        return where, best
    chosen, left = _columns_listed(column, past, True)
    length = _lengths(chosen, past, dense)
    _fill_bounds(np.sqrt((dense[chosen] ** 2).sum()) + _SINGLE, past, room)
    best, where = _compare_likely(past, dense, room, (best, where))
    if _n_near(past, room, best - off) * past.indptr[past.n_rows] > left * past.n_rows:
        for c in chosen:
            n_met = _read(c, past, dense, room, n_met)
        length[:] = 0.0
        _fill_bounds(0.0, past, room)
    best, where = _compare_near(past, dense, room, length, (best, where, off))
    score[:] = 0.0
    return where, best
