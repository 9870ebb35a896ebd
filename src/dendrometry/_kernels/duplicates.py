"""Single link above a threshold: pairs of similar sparse rows through an inverted index, joined by union-find."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["Lists", "Links", "Rows", "indexed_parts", "join", "link_rows", "roots"]


class Rows(NamedTuple):
    """Sparse rows of length 1, their columns in ascending order from the most to the least frequent.

    From ``start`` on the entries of a row are in the index; ``before`` is the length of the part before each entry.
    """

    indptr: IntArray
    indices: NDArray[np.int32]
    data: FloatArray
    start: IntArray
    before: FloatArray


class Lists(NamedTuple):
    """The inverted index: column c has the entries ``begin[c] .. end[c]`` of ``row`` and ``weight``."""

    begin: IntArray
    end: IntArray
    row: IntArray
    weight: FloatArray


class Links(NamedTuple):
    """The joins made so far (``tally[0]`` of them) and pairs compared (``tally[1]``); ``above`` is the forest."""

    above: IntArray
    first: IntArray
    second: IntArray
    similarity: FloatArray
    tally: IntArray


@njit
def indexed_parts(indptr: IntArray, data: FloatArray, limit: float) -> tuple[IntArray, FloatArray]:
    """Return where each row's indexed part starts, and the length of what is before each entry of it. O(entries).

    The part before the start is just shorter than the limit. Two rows of length 1 with a dot product of at least the
    limit share a column that is indexed for both: up to the later of the two starts, one of them is too short.
    """
    n = indptr.size - 1
    start = indptr[:-1].copy()
    before = np.empty(data.size)
    for x in range(n):
        square = 0.0
        for at in range(indptr[x], indptr[x + 1]):
            before[at] = np.sqrt(square)
            if before[at] < limit:
                start[x] = at
            square += data[at] * data[at]
    return start, before


@njit
def _root(v: int, above: IntArray) -> int:
    """Return the root of v, halving the way to it."""
    while above[v] != v:
        above[v] = above[above[v]]
        v = above[v]
    return v


@njit
def roots(above: IntArray) -> IntArray:
    """Return the root of every row. O(n) in practice."""
    found = np.empty(above.size, dtype=np.int64)
    for v in range(above.size):
        found[v] = _root(v, above)
    return found


@njit
def join(x: int, y: int, similarity: float, links: Links) -> None:
    """Join the groups of two rows, unless they are one: the lower root stays."""
    a, b = _root(x, links.above), _root(y, links.above)
    if a != b:
        links.above[max(a, b)] = min(a, b)
        at = links.tally[0]
        links.first[at], links.second[at], links.similarity[at] = min(x, y), max(x, y), similarity
        links.tally[0] += 1


@njit
def _dot(x: int, y: int, rows: Rows) -> float:
    """Return the dot product of two rows: one walk along both. O(their entries)."""
    total = 0.0
    i, j = rows.indptr[x], rows.indptr[y]
    while i < rows.indptr[x + 1] and j < rows.indptr[y + 1]:
        a, b = rows.indices[i], rows.indices[j]
        if a == b:
            total += rows.data[i] * rows.data[j]
        i += a <= b
        j += b <= a
    return total


@njit
def _gather(x: int, rows: Rows, lists: Lists, score: FloatArray, touched: IntArray) -> int:
    """Sum the products of the indexed parts of x and all rows in the index; return how many rows are touched.

    ``score`` is nan where nothing was summed.
    """
    n_touched = 0
    for at in range(rows.start[x], rows.indptr[x + 1]):
        column, weight = rows.indices[at], rows.data[at]
        for k in range(lists.begin[column], lists.end[column]):
            y = lists.row[k]
            if np.isnan(score[y]):
                score[y] = 0.0
                touched[n_touched] = y
                n_touched += 1
            score[y] += weight * lists.weight[k]
    return n_touched


@njit
def _length_before(y: int, column: int, rows: Rows) -> float:
    """Return the length of the part of row y before a column, which is not before its start. O(log entries)."""
    low, high = rows.start[y], rows.indptr[y + 1]
    while low < high:
        middle = (low + high) // 2
        if rows.indices[middle] < column:
            low = middle + 1
        else:
            high = middle
    length: float = rows.before[low] if low < rows.indptr[y + 1] else 1.0
    return length


@njit
def _rest(x: int, y: int, rows: Rows) -> float:
    """Return the most that the columns before the later start of two rows can add to their dot product."""
    a, b = rows.start[x], rows.start[y]
    if rows.indices[a] < rows.indices[b]:
        a, b, y = b, a, x
    most: float = rows.before[a] * _length_before(y, rows.indices[a], rows)
    return most


@njit
def link_rows(first: int, last: int, rows: Rows, lists: Lists, links: Links, limit: float) -> None:
    """Join rows ``first .. last`` with every earlier row whose dot product is at least the limit, and index them.

    What the indexed parts leave open is at most the product of the lengths of what is before the later start; pairs
    that cannot reach the limit, or are joined already, are not compared.
    Cost: the pairs of entries that share a column in the index, and the dot products of the pairs compared.
    """
    score = np.full(rows.start.size, np.nan)
    touched = np.empty(rows.start.size, dtype=np.int64)
    for x in range(first, last):
        n_touched = _gather(x, rows, lists, score, touched)
        for t in range(n_touched):
            y = touched[t]
            reachable = score[y] + _rest(x, y, rows) >= limit
            score[y] = np.nan
            if reachable and _root(x, links.above) != _root(y, links.above):
                links.tally[1] += 1
                similarity = _dot(x, y, rows)
                if similarity >= limit:
                    join(x, y, similarity, links)
        for at in range(rows.start[x], rows.indptr[x + 1]):
            column = rows.indices[at]
            lists.row[lists.end[column]], lists.weight[lists.end[column]] = x, rows.data[at]
            lists.end[column] += 1
