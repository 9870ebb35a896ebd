"""The merges of few clusters along chains of nearest ones, in a matrix of the squares between their centroids.

The squares follow the merges by the formula of Lance and Williams, in single precision, with a bound on all rounding;
where that does not decide which cluster is nearest, the centroids do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import fill_fused_products, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.neighbours import Clusters, between
from dendrometry._kernels.cluster.ward import combine, exact_distance
from dendrometry._typing import FloatArray, IntArray

BLOCK = 64  # squares of a row of which the least is kept
UNIT = 2.0**-24  # the share by which a number is rounded in single precision


class Matrix(NamedTuple):
    """The squares between the centroids of clusters, inf on the diagonal and after them, in whole blocks of columns.

    That of two clusters stands in the row of the one that was ``made`` later, or in both: row c holds those of all that
    were made by ``seen[c]``. It is wrong by at most the sum of the ``share`` of both, and of their ``error``, which is
    -inf for what is no cluster any more. With each merge, the error grows by ``step``. ``size`` is that of `Clusters`.
    """

    square: NDArray[np.float32]
    share: NDArray[np.float32]
    error: NDArray[np.float32]
    size: NDArray[np.float32]
    made: IntArray
    seen: IntArray
    step: float


@njit
def fill_squares(blocks: IntArray, rows: FloatArray, columns: FloatArray, square: NDArray[np.float32]) -> None:
    """Fill some blocks of rows, and the same columns, with the products of tiles from the diagonal on. O(m n d)."""
    side = rows.shape[2]
    product = np.empty((side, side))
    none = product.ravel()[:0]
    n = square.shape[0]
    for a in blocks:
        for b in range(a, rows.shape[0]):
            fill_fused_products(rows[a], 0, columns[b], product, none)
            n_rows = min(side, n - a * side)
            n_columns = min(side, n - b * side)
            for i in range(n_rows):
                for j in range(n_columns):
                    square[a * side + i, b * side + j] = max(product[i, j], 0.0)
            for j in range(n_columns):
                for i in range(n_rows):
                    square[b * side + j, a * side + i] = max(product[i, j], 0.0)
        if stopped():
            break


@njit
def fill_part(matrix: Matrix, kept: IntArray, part: NDArray[np.float32]) -> None:
    """Fill a matrix with the squares between some of the clusters, in both rows. O(m^2)."""
    square, made = matrix.square, matrix.made
    for a in range(kept.size):
        row = square[kept[a]]
        for b in range(kept.size):
            part[a, b] = row[kept[b]]
    for first in range(0, kept.size, BLOCK):
        for start in range(0, kept.size, BLOCK):
            for a in range(first, min(first + BLOCK, kept.size)):
                for b in range(start, min(start + BLOCK, kept.size)):
                    if made[kept[a]] < made[kept[b]]:
                        part[a, b] = part[b, a]


@njit
def merge_along_chain(
    matrix: Matrix, clusters: Clusters, form: tuple[bool, float], pairs: IntArray, height: FloatArray
) -> tuple[int, bool]:
    """Merge clusters until one or half of them are left, or a tie is met; return how many merged, and whether one was.

    A chain leads from each cluster to its nearest one, up to two that are nearest to each other, which merge: the
    lower swallows the higher. ``pairs`` and ``height`` take what merged. O(m^2), and O(d) where rounding matters.
    """
    square, share, error, size, made, seen, step = matrix
    n = error.size
    chain = np.empty(n, dtype=np.int64)
    lower = np.empty(square.shape[1], dtype=np.float32)
    lower[n:] = np.inf
    least = np.empty(square.shape[1] // BLOCK, dtype=np.float32)
    most = share.max()
    n_merged = 0
    length = 0
    first = 0
    while n - n_merged > max(1, n // 2):
        if length == 0:
            while error[first] < 0.0:
                first += 1
            chain[0] = first
            length = 1
        c = chain[length - 1]
        _see(c, pairs[:n_merged], matrix)
        s = _nearest(c, matrix, clusters, form, lower, least)
        if s < 0:
            return n_merged, True
        if length == 1 or s != chain[length - 2]:
            chain[length] = s
            length += 1
            continue
        length -= 2
        _see(s, pairs[:n_merged], matrix)
        i = min(c, s)
        j = max(c, s)
        pairs[n_merged, 0] = i
        pairs[n_merged, 1] = j
        height[n_merged] = exact_distance(i, j, clusters, form)
        n_merged += 1
        part = clusters.size[j] / (clusters.size[i] + clusters.size[j])
        both = part * (1.0 - part)
        apart = both * square[i, j] * (most + max(share[i], share[j]) + share[i] + share[j])
        error[i] = 1.001 * (((1.0 - part) * error[i] + part * error[j]) + both * (error[i] + error[j]) + apart) + step
        share[i] = max(share[i], share[j]) + np.float32(2.0 * UNIT)
        most = max(most, share[i])
        _swallow(square[i], square[j], part, both * square[i, j])
        error[j] = -np.inf
        made[i] = n_merged
        seen[i] = n_merged
        combine(i, j, clusters, form)
        size[i] = clusters.size[i]
        if stopped():
            break
    return n_merged, False


@njit
def _see(c: int, pairs: IntArray, matrix: Matrix) -> None:
    """Take over into the row of a cluster what merged since it was last seen. O(merges)."""
    square = matrix.square
    for at in range(matrix.seen[c], pairs.shape[0]):
        s = pairs[at, 0]
        square[c, s] = square[s, c]
    matrix.seen[c] = pairs.shape[0]


@njit
def _swallow(row: NDArray[np.float32], other: NDArray[np.float32], part: float, both: float) -> None:
    """Replace a row by the squares from the mean of both centroids. O(m)."""
    rest = 1.0 - part
    for k in range(row.size):
        row[k] = max(rest * row[k] + part * other[k] - both, 0.0)


@njit
def _nearest(
    c: int,
    matrix: Matrix,
    clusters: Clusters,
    form: tuple[bool, float],
    lower: NDArray[np.float32],
    least: NDArray[np.float32],
) -> int:
    """Return the nearest cluster of another, or -1 if two are exactly as near. O(m), and O(d) for each in doubt."""
    n = matrix.error.size
    _fill_lower(c, matrix, clusters, form, lower)
    s = _least(lower, least)
    error = np.float64(matrix.error[c]) + matrix.error[s]
    most = matrix.square[c, s] * (1.0 + matrix.share[c] + matrix.share[s]) + error
    sizes = clusters.size[c], clusters.size[s]
    limit = between(most, sizes, clusters.spread[c] + clusters.spread[s], form[0], form[1]) * (1.0 + 4.0 * UNIT)
    found = s
    best = np.inf
    tied = False
    for block in range(least.size):
        if least[block] > limit:
            continue
        for k in range(block * BLOCK, min(block * BLOCK + BLOCK, n)):
            if k != s and lower[k] <= limit:
                best = exact_distance(c, s, clusters, form) if best == np.inf else best
                value = exact_distance(c, k, clusters, form)
                tied = value == best or (tied and value > best)
                found = k if value < best else found
                best = min(best, value)
    return -1 if tied else found


@njit
def _least(lower: NDArray[np.float32], least: NDArray[np.float32]) -> int:
    """Set the least number of each block, and return where the least of all is. O(m)."""
    bits = lower.view(np.int32).reshape(least.size, BLOCK)
    least_bits = least.view(np.int32)
    for block in range(least.size):
        part = bits[block]
        low = part[0]
        for at in range(BLOCK):  # none is negative: they come in the order of bits
            x = part[at]
            low = x if x < low else low
        least_bits[block] = low
    block = int(np.argmin(least))
    s = block * BLOCK
    while lower[s] != least[block]:
        s += 1
    return s


@njit
def _fill_lower(
    c: int, matrix: Matrix, clusters: Clusters, form: tuple[bool, float], lower: NDArray[np.float32]
) -> None:
    """Set lower bounds on the distances of a cluster from all others, and inf for itself. O(m)."""
    by_size, alpha = form
    row = matrix.square[c]
    share = matrix.share
    error = matrix.error
    rest = np.float32(1.0 - 16.0 * UNIT) - share[c]
    own_error = error[c]
    for k in range(error.size):
        away = row[k] * (rest - share[k]) - (error[k] + own_error)
        lower[k] = away if away > np.float32(0.0) else np.float32(0.0)
    if by_size:
        size = matrix.size
        lower[: size.size] *= np.float32(2.0) * size[c] * size / (size[c] + size)  # as arrays, which asks for no zeros
    else:
        spread = clusters.spread
        for k in range(error.size):
            lower[k] = (alpha * lower[k] + (spread[c] + spread[k])) * (1.0 - 2.0 * UNIT)
    lower[c] = np.inf
