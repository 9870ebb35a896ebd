"""Squared Euclidean distances from differences, never from products: no cancellation, the same bits in either order."""

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray


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
def fill_squared(query: FloatArray, tile: FloatArray, out: FloatArray) -> None:
    """Set ``out[j]`` to the squared distance of the query and the point ``tile[:, j]``.

    A tile is a block of points, one column each, so that the inner loop runs over neighbouring numbers. O(d T).
    """
    for j in range(out.size):
        out[j] = 0.0
    k = 0
    while k + 4 <= query.size:
        q0 = query[k]
        q1 = query[k + 1]
        q2 = query[k + 2]
        q3 = query[k + 3]
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
