"""The centres and spreads of all clusters of a tree, from the bottom up."""

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray


@njit
def fill_centres(
    inner: IntArray, children: IntArray, size: IntArray, centre: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Fill in the centres of the inner nodes of a binary tree, given those of its leaves.

    Return, for each node, the squared distance of the centres of its children, and its spread: the mean squared
    distance of its items from its centre. O(nodes x columns). Relies on children first; no differences of long sums.
    """
    apart, spread = np.zeros(size.size), np.zeros(size.size)
    for k in range(inner.size):
        v, a, b = inner[k], children[k, 0], children[k, 1]
        share, squared = size[b] / size[v], 0.0
        for j in range(centre.shape[1]):
            gap = centre[b, j] - centre[a, j]
            squared += gap * gap
            centre[v, j] = centre[a, j] + share * gap
        apart[v] = squared
        spread[v] = (1.0 - share) * spread[a] + share * spread[b] + share * (1.0 - share) * squared
    return apart, spread
