"""Squared Euclidean distances from differences, never from products: no cancellation, the same bits in either order."""

from typing import NamedTuple

from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray


class Tiles(NamedTuple):
    """Points in blocks: point ``t * T + j`` is ``points[t, :, j]``, so that inner loops run over neighbouring numbers.

    ``used[t, k]`` says whether a point of block t may have another number than 0 in coordinates 4 k to 4 k + 3.
    """

    points: FloatArray
    used: BoolArray


@njit
def squared(a: FloatArray, b: FloatArray) -> float:
    """Return the squared distance of two points, added up in the same order as `fill_squared`. O(d)."""
    total = 0.0
    k = 0
    while k + 4 <= a.size:
        d0 = a[k] - b[k]
        d1 = a[k + 1] - b[k + 1]
        d2 = a[k + 2] - b[k + 2]
        d3 = a[k + 3] - b[k + 3]
        total += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
        k += 4
    while k < a.size:
        d0 = a[k] - b[k]
        total += d0 * d0
        k += 1
    return total


@njit
def squared_of_rows(a: int, b: int, points: FloatArray, most: float) -> float:
    """Return the squared distance of two rows, added up in the same order, or a part of it above ``most``. O(d)."""
    total: float = 0.0
    k = 0
    while k + 4 <= points.shape[1]:
        d0 = points[a, k] - points[b, k]
        d1 = points[a, k + 1] - points[b, k + 1]
        d2 = points[a, k + 2] - points[b, k + 2]
        d3 = points[a, k + 3] - points[b, k + 3]
        total += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
        k += 4
        if k % 16 == 0 and total > most:
            return total
    while k < points.shape[1]:
        d0 = points[a, k] - points[b, k]
        total += d0 * d0
        k += 1
    return total


@njit
def fill_squared(query: FloatArray, tiles: Tiles, t: int, out: FloatArray) -> None:
    """Set ``out[j]`` to the squared distance of the query and point j of block t. O(d T).

    Four coordinates in which all are 0, as most are in rows with a single one, add nothing and are left out.
    """
    tile = tiles.points[t]
    used = tiles.used[t]
    for j in range(out.size):
        out[j] = 0.0
    k = 0
    while k + 4 <= query.size:
        q0 = query[k]
        q1 = query[k + 1]
        q2 = query[k + 2]
        q3 = query[k + 3]
        if not used[k // 4] and q0 == 0.0 and q1 == 0.0 and q2 == 0.0 and q3 == 0.0:
            k += 4
            continue
        y0 = tile[k]
        y1 = tile[k + 1]
        y2 = tile[k + 2]
        y3 = tile[k + 3]
        for j in range(out.size):
            d0 = q0 - y0[j]
            d1 = q1 - y1[j]
            d2 = q2 - y2[j]
            d3 = q3 - y3[j]
            out[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
        k += 4
    while k < query.size:
        q0 = query[k]
        y0 = tile[k]
        for j in range(out.size):
            d0 = q0 - y0[j]
            out[j] += d0 * d0
        k += 1
