"""Distances along the edges of a graph, and between the farthest items of groups."""

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared
from dendrometry._typing import FloatArray, IntArray


@njit
def edge_lengths(first: IntArray, second: IntArray, points: FloatArray, own: FloatArray, alpha: float) -> FloatArray:
    """Return the distance of the two items of every edge. O(edges d)."""
    length = np.empty(first.size)
    for e in range(first.size):
        length[e] = alpha * squared(points[first[e]], points[second[e]]) + (own[first[e]] + own[second[e]])
        if stopped():
            break
    return length


@njit
def fill_farthest(
    rows: IntArray, start: IntArray, points: FloatArray, own: FloatArray, alpha: float, matrix: FloatArray
) -> None:
    """Fill rows of a square matrix with the greatest distance between the items of two groups, and mirror them.

    Group g holds the points ``start[g]`` to ``start[g + 1]``. O(d) for each pair of items.
    """
    for g in rows:
        for h in range(g):
            farthest = 0.0
            for i in range(start[g], start[g + 1]):
                for j in range(start[h], start[h + 1]):
                    farthest = max(farthest, alpha * squared(points[i], points[j]) + (own[i] + own[j]))
                if stopped():
                    return
            matrix[g, h] = farthest
            matrix[h, g] = farthest
