"""What joins what in two trees at every stage, and which clusters have formed."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit

__all__ = ["Joins", "Rises", "tops"]


class Joins(NamedTuple):
    """The merges of vertices, in order of time: at ``tick`` the vertex held by ``child`` joins that of ``node``.

    Places of ``holder`` stand for rows and nodes of both trees; it says which vertex each holds, -1 for none yet.
    """

    tick: IntArray
    child: IntArray
    node: IntArray
    holder: IntArray


class Rises(NamedTuple):
    """The growth of overlaps, in order of time: ``gone`` (-1 for none) is added to ``kept``.

    ``rise`` is by how much the sum of m log m over all overlaps rises.
    """

    tick: IntArray
    kept: IntArray
    gone: IntArray
    rise: FloatArray


@njit
def tops(parent: IntArray, formed: BoolArray) -> IntArray:
    """Return the topmost formed node over each node, or the node itself if its parent has not formed. O(n)."""
    top = np.arange(parent.size)
    for v in range(parent.size - 2, -1, -1):
        if formed[parent[v]]:
            top[v] = top[parent[v]]
    return top
