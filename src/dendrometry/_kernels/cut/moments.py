"""Centroids, squared errors and sums over pairs of all clusters of a tree at once."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray


class Moments(NamedTuple):
    """For each node: its number of items, their centroid, and the sum of their squared distances from it.

    ``squared`` and ``product`` are sums over the pairs of items whose lowest common node it is: of their squared
    distances, and of their dot products.
    """

    size: FloatArray
    centroid: FloatArray
    scatter: FloatArray
    squared: FloatArray
    product: FloatArray


@njit
def moments(parent: IntArray, item_node: IntArray, points: FloatArray) -> Moments:
    """Return the moments of every node.

    Relies on ``parent[v] > v``. Parts are joined by their centroids, so nothing cancels. O(n d).
    """
    n_nodes = parent.size
    zeros = np.zeros((4, n_nodes))
    found = Moments(zeros[0], np.zeros((n_nodes, points.shape[1])), zeros[1], zeros[2], zeros[3])
    for i in range(item_node.size):
        _add(found, item_node[i], 1.0, points[i], 0.0)
    for v in range(n_nodes - 1):
        _add(found, parent[v], found.size[v], found.centroid[v], found.scatter[v])
    return found


@njit
def _add(found: Moments, v: int, m: float, point: FloatArray, scatter: float) -> None:
    """Add m items with their centroid at a point, and their sum of squared distances from it, to a node."""
    n = found.size[v]
    share = m / (n + m)
    apart = 0.0
    product = 0.0
    found.squared[v] += m * found.scatter[v] + n * scatter
    for k in range(point.size):
        gap = point[k] - found.centroid[v, k]
        product += point[k] * found.centroid[v, k]
        apart += gap * gap
        found.scatter[v] += n * share * gap * gap
        found.centroid[v, k] += share * gap
    found.scatter[v] += scatter
    found.squared[v] += n * m * apart
    found.product[v] += n * m * product
    found.size[v] += m
