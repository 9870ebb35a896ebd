"""Squared errors of all clusters of a tree at once."""

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["scatter"]


@njit
def scatter(parent: IntArray, item_node: IntArray, points: FloatArray) -> FloatArray:
    """Return, for each node, the sum of squared distances of its items from their centroid.

    Relies on ``parent[v] > v``. Parts are joined by their centroids, so nothing cancels. O(n d).
    """
    n_nodes = parent.size
    d = points.shape[1]
    size = np.zeros(n_nodes)
    centroid = np.zeros((n_nodes, d))
    total = np.zeros(n_nodes)
    for i in range(item_node.size):
        _add(size, centroid, total, item_node[i], 1.0, points[i])
    for v in range(n_nodes - 1):
        _add(size, centroid, total, parent[v], size[v], centroid[v])
        total[parent[v]] += total[v]
    return total


@njit
def _add(size: FloatArray, centroid: FloatArray, total: FloatArray, v: int, m: float, point: FloatArray) -> None:
    """Add m items with their centroid at a point to the cluster of a node."""
    share = m / (size[v] + m)
    for k in range(point.size):
        gap = point[k] - centroid[v, k]
        total[v] += size[v] * share * gap * gap
        centroid[v, k] += share * gap
    size[v] += m
