"""The square matrix of distances of points, block by block, without temporaries."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit
from dendrometry._kernels.differences import squared

__all__ = ["fill_square"]


@njit
def fill_square(
    blocks: IntArray, points: FloatArray, own: FloatArray, form: tuple[float, bool, int], matrix: NDArray[Any]
) -> None:
    """Fill the rows of some blocks from the diagonal on, and the columns that mirror them.

    ``form`` is alpha, whether to take the root, and the rows of a block. A distance is ``alpha`` times the squared
    distance plus the points' own parts, or the root of that. Squared distances come from products, and from
    differences where products would cancel: where they are less than a hundredth of the squared lengths. O(n d) for
    each row.
    """
    alpha, root, width = form
    n = points.shape[0]
    length = (points * points).sum(axis=1)
    product = np.empty(width * width)
    for b in blocks:
        start = b * width
        stop = min(start + width, n)
        for first in range(start, n, width):
            last = min(first + width, n)
            columns = np.ascontiguousarray(points[first:last].T)
            values = product[: (stop - start) * (last - first)].reshape(stop - start, last - first)
            np.dot(points[start:stop], columns, values)
            for i in range(start, stop):
                value = values[i - start]
                _from_products(value, points, length, i, first)
                for j in range(value.size):
                    value[j] = alpha * value[j] + (own[i] + own[first + j])
                if root:
                    value[:] = np.sqrt(value)
                matrix[i * n + first : i * n + last] = value
            for j in range(last - first):
                to = (first + j) * n + start
                for i in range(stop - start):
                    matrix[to + i] = values[i, j]


@njit
def _from_products(value: FloatArray, points: FloatArray, length: FloatArray, i: int, first: int) -> None:
    """Turn the products of point i with some points into squared distances, by differences where they cancel."""
    n_cancelled = 0
    for j in range(value.size):
        both = length[i] + length[first + j]
        value[j] = both - 2.0 * value[j]
        n_cancelled += value[j] < 0.01 * both
    if n_cancelled:
        for j in range(value.size):
            if value[j] < 0.01 * (length[i] + length[first + j]):
                value[j] = squared(points[i], points[first + j])
