"""Sums over nodes and ticks, and the lowest common nodes of a small tree."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import read_only
from dendrometry._exact import group_sums
from dendrometry._typing import IntArray


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
    """Return `lowest_common` of a column in bytes.

    In an order with each node just before the nodes below it, the lowest common node of two neighbours is the parent of
    the later one, and that of two others the greatest of those between them, as every node has a greater parent.
    """
    above = np.frombuffer(parent, dtype=np.int64).tolist()
    n_nodes = len(above)
    size = [1] * n_nodes
    for v in range(n_nodes - 1):
        size[above[v]] += size[v]
    place, free = [0] * n_nodes, [1] * n_nodes
    for v in range(n_nodes - 2, -1, -1):
        place[v] = free[above[v]]
        free[v] = place[v] + 1
        free[above[v]] += size[v]
    node = np.argsort(place)
    table = np.tril(np.broadcast_to(np.asarray(above)[node][:, np.newaxis], (n_nodes, n_nodes)), -1)
    np.fill_diagonal(table, node)
    np.maximum.accumulate(table, axis=0, out=table)
    return read_only(np.maximum(table, table.T).take(place, 0).take(place, 1))
