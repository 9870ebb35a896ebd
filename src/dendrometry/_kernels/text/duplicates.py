"""Single linkage above a threshold: pairs of similar rows from an inverted index, joined by union-find."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

_ROUNDING = 1e-12


class Rows(NamedTuple):
    """Sparse rows of length 1, their columns in ascending order from the most to the least frequent.

    ``before`` is the length of the part of its row before each entry; it is 0 at the first.
    """

    indptr: IntArray
    column: NDArray[np.int32]
    weight: FloatArray
    before: FloatArray


class Lists(NamedTuple):
    """The inverted index: column c has ``begin[c] .. begin[c + 1]``, the greatest ``through`` first.

    ``entry`` is the place of an entry among those of the rows, ``through`` the length of its row up to it and with it.
    """

    begin: IntArray
    row: NDArray[np.int32]
    entry: IntArray
    through: FloatArray


class Links(NamedTuple):
    """The joins made so far (``tally[0]`` of them) and pairs compared (``tally[1]``); ``above`` is the forest."""

    above: IntArray
    first: IntArray
    second: IntArray
    similarity: FloatArray
    tally: IntArray


class _Met(NamedTuple):
    """The rows found, the products summed so far (nan if none), and the entries that they reach down to."""

    row: IntArray
    score: FloatArray
    i: IntArray
    j: IntArray


@njit
def lengths_before(indptr: IntArray, weight: FloatArray) -> FloatArray:
    """Return the length of the part of its row before each entry. O(entries)."""
    before = np.empty(weight.size)
    for x in range(indptr.size - 1):
        square = 0.0
        for i in range(indptr[x], indptr[x + 1]):
            before[i] = np.sqrt(square)
            square += weight[i] * weight[i]
    return before


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
def _gather(x: int, rows: Rows, lists: Lists, limit: float, met: _Met) -> int:
    """Sum the products of row x and earlier rows from the rarest column on; return the number of rows found.

    A product of at least the limit needs two rows whose lengths, up to their rarest common column and with it, have
    a product of at least the limit. Going down the columns these lengths only fall: for each row met all products down
    to some column are summed, and none below.
    """
    n_met = 0
    for i in range(rows.indptr[x + 1] - 1, rows.indptr[x] - 1, -1):
        column, weight = rows.column[i], rows.weight[i]
        through = np.sqrt(rows.before[i] * rows.before[i] + weight * weight)
        for k in range(lists.begin[column], lists.begin[column + 1]):
            if through * lists.through[k] < limit:
                break
            y = lists.row[k]
            if y < x:
                if np.isnan(met.score[y]):
                    met.score[y] = 0.0
                    met.row[n_met] = y
                    n_met += 1
                met.score[y] += weight * rows.weight[lists.entry[k]]
                met.i[y], met.j[y] = i, lists.entry[k]
    return n_met


@njit
def _whole(total: float, i: int, j: int, rows: Rows, least: float) -> float:
    """Return the dot product of two rows of which ``total`` is that from entries i and j on.

    -inf as soon as it cannot reach ``least``: what is left is at most the product of the lengths before. Cost: the
    entries before i and j, at most.
    """
    while rows.before[i] > 0.0 and rows.before[j] > 0.0:
        if total + rows.before[i] * rows.before[j] < least:
            return -np.inf
        a, b = rows.column[i - 1], rows.column[j - 1]
        if a == b:
            total += rows.weight[i - 1] * rows.weight[j - 1]
        i -= a >= b
        j -= b >= a
    return total


@njit
def link_rows(first: int, last: int, rows: Rows, lists: Lists, links: Links, limit: float) -> None:
    """Join rows ``first .. last`` with every earlier row whose dot product is at least the limit.

    Pairs that are joined already are not compared, and the others only until they cannot reach the limit.
    Cost: the entries of the lists that are read, and the walks along pairs of rows.
    """
    n = rows.indptr.size - 1
    met = _Met(np.empty(n, np.int64), np.full(n, np.nan), np.empty(n, np.int64), np.empty(n, np.int64))
    least = limit - _ROUNDING
    for x in range(first, last):
        for t in range(_gather(x, rows, lists, least, met)):
            y = met.row[t]
            if _root(x, links.above) != _root(y, links.above):
                similarity = _whole(met.score[y], met.i[y], met.j[y], rows, least)
                links.tally[1] += similarity > -np.inf
                if similarity >= limit:
                    join(x, y, similarity, links)
            met.score[y] = np.nan
        if stopped():
            break


@njit
def link_block(cosines: FloatArray, first: int, row: IntArray, links: Links, limit: float) -> None:
    """Join the rows ``first ..`` of a block of cosines with every earlier row that is at least the limit.

    ``row`` are their names in the forest. O(block).
    """
    for x in range(cosines.shape[0]):
        for y in range(first + x):
            if cosines[x, y] >= limit:
                join(row[y], row[first + x], cosines[x, y], links)
