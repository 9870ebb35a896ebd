"""The square matrix of distances of points, block by block, without temporaries."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit
from dendrometry._kernels.differences import fill_squared

__all__ = ["fill_square"]


@njit
def fill_square(
    blocks: IntArray, tiles: FloatArray, own: FloatArray, alpha: float, root: bool, matrix: NDArray[Any]
) -> None:
    """Fill the rows of some blocks from the diagonal on, and the columns that mirror them.

    A distance is ``alpha`` times the squared distance plus the points' own parts, or the root of that. O(n d) for each row.
    """
    n = own.size
    d = tiles.shape[1]
    width = tiles.shape[2]
    values = np.empty((width, width))
    query = np.empty(d)
    for b in blocks:
        rows = min(width, n - b * width)
        for t in range(b, tiles.shape[0]):
            columns = min(width, n - t * width)
            for i in range(rows):
                query[:] = tiles[b, :, i]
                value = values[i]
                fill_squared(query, tiles[t], value)
                mine = own[b * width + i]
                for j in range(columns):
                    value[j] = alpha * value[j] + (mine + own[t * width + j])
                if root:
                    for j in range(columns):
                        value[j] = np.sqrt(value[j])
                to = (b * width + i) * n + t * width
                for j in range(columns):
                    matrix[to + j] = value[j]
            for j in range(columns):
                to = (t * width + j) * n + b * width
                for i in range(rows):
                    matrix[to + i] = values[i, j]
