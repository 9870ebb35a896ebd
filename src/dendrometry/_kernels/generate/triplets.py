"""The two of three items that join first in a tree."""

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


@njit
def _common_node(parent: IntArray, u: int, v: int) -> int:
    """Return the lowest common node; the lower number climbs, since parents have greater ones."""
    while u != v:
        if u < v:
            u = parent[u]
        else:
            v = parent[v]
    return u


@njit
def odd_ones(parent: IntArray, node: IntArray) -> IntArray:
    """Return, for each row of three nodes, which (0, 1, 2) joins last, or -1 if all join at once. O(depth) each.

    Of the three lowest common nodes two are always the same; the third, if it is another, lies below them.
    """
    odd = np.full(node.shape[0], -1, dtype=np.int64)
    for i in range(node.shape[0]):
        if stopped():
            break
        x, y, z = node[i]
        xy, xz, yz = _common_node(parent, x, y), _common_node(parent, x, z), _common_node(parent, y, z)
        if xy < xz:
            odd[i] = 2
        elif xz < xy:
            odd[i] = 1
        elif yz < xy:
            odd[i] = 0
    return odd
