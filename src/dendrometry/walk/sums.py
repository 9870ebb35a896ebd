"""Sums over nodes and ticks, and the lowest common nodes of a small tree."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import read_only
from dendrometry._exact import group_sums
from dendrometry._kernels._jit import IntArray

__all__ = ["less_children", "lowest_common", "running_sum"]


def less_children(parent: IntArray, value: NDArray[Any]) -> NDArray[Any]:
    """Return the value of each node less those of its children. O(n)."""
    rest = value.copy()
    np.subtract.at(rest, parent[:-1], value[:-1])
    return rest


def running_sum(tick: IntArray, value: NDArray[Any], n_ticks: int) -> NDArray[Any]:
    """Return the sum of the values up to and at each tick. O(n)."""
    sums: NDArray[Any] = np.cumsum(group_sums(tick, value, n_ticks))
    return sums


def lowest_common(parent: IntArray) -> IntArray:
    """Return the table of the lowest common node of each two nodes. O(n_nodes**2), once for all relabellings."""
    return _lowest_common(parent.tobytes())


@lru_cache(maxsize=8)
def _lowest_common(parent: bytes) -> IntArray:
    """Return `lowest_common` of a column in bytes: a node itself for those below it, as for its parent elsewhere."""
    above = np.frombuffer(parent, dtype=np.int64).tolist()
    n_nodes = len(above)
    below = np.eye(n_nodes, dtype=np.bool_)
    for v in range(n_nodes - 1):
        below[above[v]] |= below[v]
    table = np.full((n_nodes, n_nodes), n_nodes - 1, dtype=np.int64)
    for v in range(n_nodes - 2, -1, -1):
        table[v] = np.where(below[v], v, table[above[v]])
    return read_only(table)
