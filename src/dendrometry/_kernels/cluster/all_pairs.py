"""Nearest neighbours of all clusters at once, by products: every pair is computed once, and serves both of its ends.

Or the nearest pair of any two groups of points: products tell which pairs may be it, differences decide.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import fill_fused_products, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry._typing import BoolArray, FloatArray, IntArray

_NEAR = 1024  # clusters whose lists stay in the cache
_LEAST = np.int32(-(2**31))


class Table(NamedTuple):
    """Clusters in single precision, as the columns of tiles: their products with those in ``others`` are distances.

    Tiles hold as many clusters as each other, the last filled up with zeros: ``n`` is the number of clusters.
    If ``size`` is not empty, distances are those products times ``n m / (n + m)``, for clusters of n and m items. If
    ``group`` is not empty, clusters of one group are no neighbours.
    """

    tiles: NDArray[np.float32]
    others: NDArray[np.float32]
    n: int
    size: NDArray[np.float32]
    group: IntArray


class Nearest(NamedTuple):
    """The nearest ones found for each cluster, by value, then by number, and the last of these values.

    A key holds both: above the lowest 32 bits an integer in the order of the values, in these the number plus 1; this
    is 0 where a limit takes the place of a cluster.
    """

    key: IntArray
    last: NDArray[np.float32]


@njit
def search_pairs(table: Table, nearest: Nearest, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    """Put all pairs of a cluster in ``rows`` and one in ``columns`` into the lists of both.

    Both are ranges that begin at a tile: the same one, or the columns after the rows. What is found does not depend on
    the order of the calls. O(m n d), all in products of small blocks.
    """
    n = table.n
    side = table.tiles.shape[2]
    product = np.empty((side, side), dtype=np.float32)
    none = product.ravel()[:0]
    for corner in range(columns[0], columns[1], _NEAR):
        for first in range(rows[0], rows[1], side):
            n_rows = min(side, rows[1] - first)
            for start in range(max(corner, first), min(corner + _NEAR, columns[1]), side):
                if stopped():
                    return
                n_columns = min(side, n - start)
                fill_fused_products(table.tiles[first // side], 0, table.others[start // side], product, none)
                if table.size.size:
                    _weigh(product, table.size[first : first + n_rows], table.size[start : start + n_columns])
                if start == first:
                    for i in range(n_rows):
                        product[i, : i + 1] = np.inf
                keep_nearest(product[:n_rows], first, start, table.group, nearest, 0)


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
def keep_nearest(
    product: NDArray[np.float32], first: int, start: int, group: IntArray, nearest: Nearest, cycle: int
) -> None:
    """Put the pairs of one tile that are near enough into the lists of their ends. O(m T).

    If ``cycle`` is not 0, it is how many there are, and keys hold their numbers counted from each on, in a circle: of
    many as near, each then keeps others, and not all the same few.

    Which are, is first marked, several at a time, by comparing integers: of numbers that are not negative the least has
    the least bits, and a negative one (rounding) is below all others. Eight marks are then read as one number.
    """
    bits = product.view(np.int32)
    last = nearest.last.view(np.int32)
    column_last = last[start : start + product.shape[1]]
    is_near = np.zeros(-(-product.shape[1] // 8) * 8, dtype=np.uint8)
    eights = is_near.view(np.int64)
    found = np.empty(is_near.size + 1, dtype=np.int64)
    for i in range(product.shape[0]):
        a = first + i
        row = bits[i][: column_last.size]
        own_last = last[a]
        for j in range(row.size):
            limit = column_last[j] if column_last[j] > own_last else own_last
            is_near[j] = row[j] <= limit
        n_found = 0
        for eight in range(eights.size):
            if eights[eight] != 0:
                for j in range(8 * eight, 8 * eight + 8):
                    found[n_found] = j
                    n_found += int(is_near[j])
        for at in range(n_found):
            j = found[at]
            b = start + j
            if not (group.size and group[a] == group[b]):
                value = np.int64(_ordered(row[j])) << 32
                last[a] = _put(nearest.key[a], value | (((b - a) % cycle if cycle else b) + 1))
                last[b] = _put(nearest.key[b], value | (((a - b) % cycle if cycle else a) + 1))


@njit
def _ordered(bits: np.int32) -> np.int32:
    """Turn the bits of a number into an integer in the order of the numbers, or that into the bits. O(1)."""
    return bits if bits >= 0 else _LEAST - bits


@njit
def _put(key: IntArray, new: np.int64) -> np.int32:
    """Put a key where it belongs in a list, unless it comes after all; return the bits of the last value. O(k)."""
    at = key.size - 1
    if new < key[at]:
        while at > 0 and key[at - 1] > new:
            key[at] = key[at - 1]
            at -= 1
        key[at] = new
    return _ordered(np.int32(key[key.size - 1] >> 32))


class Bridges(NamedTuple):
    """For two groups, the lower first, the nearest pair of a point in each, and whether another is as near."""

    length: FloatArray
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    tied: BoolArray


@njit
def search_bridges(blocks: IntArray, table: Table, points: Clusters, form: tuple[float, FloatArray, float]) -> Bridges:
    """Return the nearest pairs of the groups, of which one end is in some blocks of rows and the other not before.

    Points, in both precisions, come in the order of their groups. ``form`` is alpha, and two parts of a bound on the
    error of products: for each row, and a share of the distance. O(m n d), nearly all in products of small blocks.
    """
    n = table.n
    side = table.tiles.shape[2]
    shape = (table.group[n - 1] + 1, table.group[n - 1] + 1)
    found = Bridges(
        np.full(shape, np.inf),
        np.full(shape, -1, dtype=np.int32),
        np.full(shape, -1, dtype=np.int32),
        np.zeros(shape, dtype=np.bool_),
    )
    product = np.empty((side, side), dtype=np.float32)
    none = product.ravel()[:0]
    for block in blocks:
        first = block * side
        n_rows = min(side, n - first)
        limits = form[0], form[1][first : first + n_rows].max(), form[2]
        for start in range(first, n, side):
            if stopped():
                return found
            if table.group[first] < table.group[min(start + side, n) - 1]:
                fill_fused_products(table.tiles[block], 0, table.others[start // side], product, none)
                _keep_bridges(product[:n_rows], (first, start), table.group, points, limits, found)
    return found


@njit
def _keep_bridges(
    product: NDArray[np.float32],
    corner: tuple[int, int],
    group: IntArray,
    points: Clusters,
    form: tuple[float, float, float],
    found: Bridges,
) -> None:
    """Decide the pairs of one tile that may be the nearest of their groups. O(m T)."""
    first, start = corner
    columns = group[start : start + product.shape[1]]
    limit = np.empty(columns.size, dtype=np.float32)
    limit_bits = limit.view(np.int32)
    bits = product.view(np.int32)
    stale = True
    for i in range(product.shape[0]):
        a = first + i
        if stale or group[a] != group[a - 1]:
            for j in range(columns.size):
                same = columns[j] <= group[a]
                length = found.length[group[a], columns[j]] * (1.0 + form[2])
                limit[j] = -np.inf if same else (length + form[1]) * (1.0 + 1e-6)
        row = bits[i][: columns.size]
        least = row[0]
        for j in range(row.size):
            x = _LEAST if row[j] <= limit_bits[j] else np.int32(0)
            least = x if x < least else least
        stale = least < 0
        if stale:
            _decide_bridges(product[i], limit, (a, start), group, (points, form[0]), found)


@njit
def _decide_bridges(
    row: NDArray[np.float32],
    limit: NDArray[np.float32],
    corner: tuple[int, int],
    group: IntArray,
    points: tuple[Clusters, float],
    found: Bridges,
) -> None:
    """Compare the exact lengths of the pairs of one point that may be the nearest of their groups. O(hits d)."""
    a, start = corner
    clusters, alpha = points
    for j in range(limit.size):
        b = start + j
        if row[j] > limit[j] or group[a] == group[b]:
            continue
        length = alpha * squared(clusters.centroid[a], clusters.centroid[b]) + (clusters.spread[a] + clusters.spread[b])
        known = found.length[group[a], group[b]]
        if length < known:
            found.length[group[a], group[b]] = length
            found.first[group[a], group[b]] = a
            found.second[group[a], group[b]] = b
        if length <= known:
            found.tied[group[a], group[b]] = length == known
