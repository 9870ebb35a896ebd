"""Nearest neighbours of all clusters at once, by products: every pair is computed once, and serves both of its ends."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, fill_product, njit, stopped

__all__ = ["Nearest", "Table", "search_pairs"]

_LEAST = np.int32(-(2**31))


class Table(NamedTuple):
    """Clusters in single precision, as rows and as the columns of square tiles, whose products are their distances.

    If ``size`` is not empty, distances are those products times ``n m / (n + m)``, for clusters of n and m items. If
    ``group`` is not empty, clusters of one group are no neighbours.
    """

    rows: NDArray[np.float32]
    tiles: NDArray[np.float32]
    size: NDArray[np.float32]
    group: IntArray


class Nearest(NamedTuple):
    """The nearest ones found for each cluster, by value, then by number, and the last of these values."""

    near: NDArray[np.int32]
    value: NDArray[np.float32]
    last: NDArray[np.float32]


@njit
def search_pairs(table: Table, nearest: Nearest, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    """Put all pairs of a cluster in ``rows`` and one in ``columns`` into the lists of both.

    Both are ranges that begin at a tile: the same one, or the columns after the rows. What is found does not depend on
    the order of the calls. O(m n d), all in products of small blocks.
    """
    n = table.rows.shape[0]
    side = table.tiles.shape[2]
    product = np.empty((side, side), dtype=np.float32)
    for first in range(rows[0], rows[1], side):
        n_rows = min(side, rows[1] - first)
        for start in range(max(columns[0], first), columns[1], side):
            if stopped():
                return
            n_columns = min(side, n - start)
            fill_product(table.rows[first : first + n_rows], table.tiles[start // side], product[:n_rows])
            if table.size.size:
                _weigh(product, table.size[first : first + n_rows], table.size[start : start + n_columns])
            if start == first:
                for i in range(n_rows):
                    product[i, : i + 1] = np.inf
            _keep_nearest(product[:n_rows], first, start, table.group, nearest)


@njit
def _weigh(product: NDArray[np.float32], size: NDArray[np.float32], column_size: NDArray[np.float32]) -> None:
    """Multiply the squared distances of centroids by the share of two sizes. O(m T)."""
    weight = np.empty(column_size.size, dtype=np.float32)
    for i in range(size.size):
        if i == 0 or size[i] != size[i - 1]:
            for j in range(weight.size):
                weight[j] = size[i] * column_size[j] / (size[i] + column_size[j])
        for j in range(weight.size):
            product[i, j] *= weight[j]


@njit
def _keep_nearest(product: NDArray[np.float32], first: int, start: int, group: IntArray, nearest: Nearest) -> None:
    """Put the pairs of one tile that are near enough into the lists of their ends. O(m T).

    Rows are first compared as integers, several at a time: of numbers that are not negative the least has the least
    bits, and a negative one (rounding) is below all others.
    """
    bits = product.view(np.int32)
    last = nearest.last.view(np.int32)
    column_last = last[start : start + product.shape[1]]
    for i in range(product.shape[0]):
        row = bits[i][: column_last.size]
        least = row[0]
        for j in range(row.size):
            x = _LEAST if row[j] <= column_last[j] else row[j]
            least = x if x < least else least
        if least <= last[first + i]:
            _put(product[i], first + i, start, group, nearest)


@njit
def _put(row: NDArray[np.float32], a: int, start: int, group: IntArray, nearest: Nearest) -> None:
    """Put the pairs of cluster a that are near enough where they belong, by value, then by number. O(T k).

    Lists are filled in place here: a call for each pair takes longer than the pair.
    """
    near, best, last = nearest
    end = near.shape[1] - 1
    for j in range(min(row.size, last.size - start)):
        value = row[j]
        b = start + j
        if (value > last[a] and value > last[b]) or (group.size and group[a] == group[b]):
            continue
        for way in range(2):
            c = a if way == 0 else b
            s = a + b - c
            at = end if value < last[c] or (value == last[c] and s < near[c, end]) else -1
            while at > 0 and (best[c, at - 1] > value or (best[c, at - 1] == value and near[c, at - 1] > s)):
                best[c, at] = best[c, at - 1]
                near[c, at] = near[c, at - 1]
                at -= 1
            if at >= 0:
                best[c, at] = value
                near[c, at] = s
                last[c] = best[c, end]
