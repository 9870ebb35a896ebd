"""Nearest neighbours in cells: points that are near each other in blocks, and blocks that are near compared in full."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import fill_fused_products, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.all_pairs import Nearest, keep_nearest
from dendrometry._typing import FloatArray, IntArray

SIDE = 64  # points of a block
_ROUNDS = 5  # of k-means
_CANCELS = np.float32(2.0**-10)  # a share of two squares; a distance below may have lost half of its digits


@njit
def split_cell(
    points: NDArray[np.float32], items: IntArray, sample: IntArray, chosen: IntArray
) -> tuple[IntArray, IntArray]:
    """Divide the points ``items`` into cells by k-means; return them cell by cell, and the number in each.

    Centres begin as the ``chosen`` of the ``sample`` of items, on which they are improved. Each cell follows one that
    is near it. O(items k d + k^2 d), nearly all in products.
    """
    k = chosen.size
    middle = np.empty(points.shape[1])
    for c in range(middle.size):
        middle[c] = np.median(points[:, c][sample])
    centre = np.empty((k, middle.size))
    for j in range(k):
        for c in range(middle.size):
            centre[j, c] = points[chosen[j], c] - middle[c]
    label = np.empty(sample.size, dtype=np.int64)
    for _ in range(_ROUNDS):
        _label(points, sample, middle, centre, label)
        _move_centres(points, sample, middle, centre, label)
        if stopped():
            break
    centre = centre[_chain(centre)]
    label = np.empty(items.size, dtype=np.int64)
    _label(points, items, middle, centre, label)
    size = np.zeros(k, dtype=np.int64)
    for at in range(label.size):
        size[label[at]] += 1
    return items[np.argsort(label, kind="mergesort")], size


@njit
def _label(
    points: NDArray[np.float32], items: IntArray, middle: FloatArray, centre: FloatArray, label: IntArray
) -> None:
    """Set the label of each of some points to the nearest centre, the lowest of equal ones. O(items k d)."""
    k, d = centre.shape
    columns = np.zeros((d + 1, -(-k // 32) * 32), dtype=np.float32)
    for j in range(k):
        own = 0.0
        for c in range(d):
            columns[c, j] = -2.0 * centre[j, c]
            own += centre[j, c] * centre[j, c]
        columns[d, j] = own
    rows = np.ones((d + 1, SIDE), dtype=np.float32)
    product = np.empty((SIDE, columns.shape[1]), dtype=np.float32)
    none = product.ravel()[:0]
    for first in range(0, items.size, SIDE):
        n_rows = min(SIDE, items.size - first)
        for i in range(n_rows):
            at = items[first + i]
            for c in range(d):
                rows[c, i] = points[at, c] - middle[c]
        fill_fused_products(rows, 0, columns, product, none)
        for i in range(n_rows):
            label[first + i] = _least(product[i, :k])
        if stopped():
            label[first:] = 0
            break


@njit
def _least(row: NDArray[np.float32]) -> int:
    """Return the position of the least value, the lowest of equal ones. O(k)."""
    best = 0
    for j in range(1, row.size):
        if row[j] < row[best]:
            best = j
    return best


@njit
def _move_centres(
    points: NDArray[np.float32], items: IntArray, middle: FloatArray, centre: FloatArray, label: IntArray
) -> None:
    """Move each centre to the mean of the points with its label, if there are any. O(items d)."""
    k, d = centre.shape
    size = np.zeros(k, dtype=np.int64)
    for j in label:
        size[j] += 1
    for j in range(k):
        if size[j] > 0:
            centre[j] = 0.0
    for i in range(items.size):
        j = label[i]
        for c in range(d):
            centre[j, c] += (points[items[i], c] - middle[c]) / size[j]


@njit
def _chain(centre: FloatArray) -> IntArray:
    """Return an order of the centres in which the nearest of those left follows each. O(k^2 d)."""
    k, d = centre.shape
    order = np.arange(k)
    for i in range(1, k):
        last = order[i - 1]
        best = i
        least = np.inf
        for j in range(i, k):
            apart = 0.0
            for c in range(d):
                gap = centre[order[j], c] - centre[last, c]
                apart += gap * gap
            if apart < least:
                least = apart
                best = j
        order[i], order[best] = order[best], order[i]
    return order


class Blocks(NamedTuple):
    """Points in blocks: those of b are the columns of ``tiles[b]``, filled up with zeros, their median ``middle[b]``.

    ``n`` is the number of points.
    """

    tiles: NDArray[np.float32]
    middle: NDArray[np.float32]
    n: int


class Pairs(NamedTuple):
    """Pairs of blocks: block b, and each of ``other[start[b] : start[b + 1]]``."""

    start: IntArray
    other: IntArray


@njit
def compare_inside(some: IntArray, blocks: Blocks, nearest: Nearest) -> None:
    """Put all pairs of points in the same block into the lists of both, for some blocks. O(blocks d)."""
    _, _, apart = _tables(blocks)
    for b in some:
        for i in range(SIDE):
            _fill_apart(b, i, b, blocks, apart[i])
            apart[i, : i + 1] = np.inf
        _keep(apart, b, b, blocks, nearest)
        if stopped():
            break


@njit
def compare_across(
    pairs: Pairs, blocks: Blocks, nearest: Nearest, rows_of: tuple[int, int], columns_of: tuple[int, int]
) -> None:
    """Put all pairs of points in pairs of blocks, one in each range, into the lists of both.

    What is found does not depend on the order of the calls. Distances are products about the middle of a block; where
    these cancel, they are computed by differences. O(pairs d), nearly all in products.
    """
    rows, columns, apart = _tables(blocks)
    for b in range(rows_of[0], rows_of[1]):
        _fill_factors(b, blocks.middle[b], blocks, rows, False)
        for at in range(pairs.start[b], pairs.start[b + 1]):
            other = pairs.other[at]
            if columns_of[0] <= other < columns_of[1]:
                _fill_factors(other, blocks.middle[b], blocks, columns, True)
                fill_fused_products(rows, 0, columns, apart, apart.ravel()[:0])
                for i in range(SIDE):
                    if _cancels(apart[i], rows[-1, i], columns[-2]):
                        _fill_apart(b, i, other, blocks, apart[i])
                _keep(apart, b, other, blocks, nearest)
                if stopped():
                    return


@njit
def _tables(blocks: Blocks) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return room for the factors of two blocks, and for the distances of their points. O(d)."""
    shape = (blocks.middle.shape[1] + 2, SIDE)
    apart = np.empty((SIDE, SIDE), dtype=np.float32)
    return np.empty(shape, dtype=np.float32), np.empty(shape, dtype=np.float32), apart


@njit
def _fill_factors(
    b: int, middle: NDArray[np.float32], blocks: Blocks, out: NDArray[np.float32], are_columns: bool
) -> None:
    """Set ``out`` to a block as rows or as columns about ``middle``: products of both are squared distances. O(d).

    The squares of the points themselves are last in rows, and last but one in columns, beside ones.
    """
    d = middle.size
    factor = np.float32(-2.0 if are_columns else 1.0)
    own = out[d if are_columns else d + 1]
    out[d + 1 if are_columns else d] = 1.0
    own[:] = 0.0
    for c in range(d):
        tile = blocks.tiles[b, c]
        row = out[c]
        for j in range(SIDE):
            x = tile[j] - middle[c]
            own[j] += x * x
            row[j] = factor * x


@njit
def _cancels(apart: NDArray[np.float32], own: np.float32, others: NDArray[np.float32]) -> bool:
    """Return whether any squared distance is a small rest of the squares that it is computed from. O(1)."""
    least = np.float32(1.0)
    for j in range(SIDE):
        least = min(least, apart[j] - _CANCELS * (own + others[j]))
    return bool(least < 0.0)


@njit
def _fill_apart(b: int, i: int, other: int, blocks: Blocks, apart: NDArray[np.float32]) -> None:
    """Set ``apart`` to the squared distances of a point in a block from those in another, by differences. O(d)."""
    apart[:] = 0.0
    for c in range(blocks.middle.shape[1]):
        x = blocks.tiles[b, c, i]
        tile = blocks.tiles[other, c]
        for j in range(SIDE):
            gap = x - tile[j]
            apart[j] += gap * gap


@njit
def _keep(apart: NDArray[np.float32], b: int, other: int, blocks: Blocks, nearest: Nearest) -> None:
    """Put the pairs of points in two blocks, the lower first, into the lists of both. O(1)."""
    n_rows = min(SIDE, blocks.n - b * SIDE)
    keep_nearest(apart[:n_rows], b * SIDE, other * SIDE, np.empty(0, dtype=np.int64), nearest, blocks.n)


@njit
def reach_blocks(some: IntArray, near: NDArray[np.int32], known: Pairs, reached: NDArray[np.int32]) -> None:
    """Fill ``reached[b]``, for some blocks, with those that lie most often two steps away, and -1 after them.

    A step is from a point to one of those ``near`` it, -1 for none. Blocks that are ``known`` are left out; ``known``
    holds every pair in both directions. O(k^2) for each point.
    """
    count = np.zeros(reached.shape[0], dtype=np.int64)
    seen = np.empty(reached.shape[0] + 1, dtype=np.int64)
    for b in some:
        n_seen = _count_paths(b, near, count, seen)
        count[b] = 0
        for at in range(known.start[b], known.start[b + 1]):
            count[known.other[at]] = 0
        key = seen[:n_seen] - count[seen[:n_seen]] * count.size  # the most first, of as many the lowest
        key = np.sort(key[key < 0])
        reached[b] = -1
        for i in range(min(key.size, reached.shape[1])):
            reached[b, i] = key[i] % count.size
        count[seen[:n_seen]] = 0
        if stopped():
            break


@njit
def _count_paths(b: int, near: NDArray[np.int32], count: IntArray, seen: IntArray) -> int:
    """Count the paths of two steps from points of a block to those of each; list these and return their number."""
    n_seen = 0
    for i in range(b * SIDE, min(near.shape[0], b * SIDE + SIDE)):
        for u in near[i]:
            if u >= 0:
                for t in near[u]:
                    if t >= 0:
                        other = t // SIDE
                        seen[n_seen] = other
                        n_seen += count[other] == 0
                        count[other] += 1
    return n_seen
