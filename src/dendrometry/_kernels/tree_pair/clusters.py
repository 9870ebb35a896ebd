"""The clusters of two trees as stretches of rows, and their lowest common nodes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


class Classes(NamedTuple):
    """The clusters to be matched: the rows of v have the numbers from ``low[v]`` to ``high[v]``, its own first.

    It has ``size[v]`` items and the children ``child[start[v] : start[v + 1]]``, in the order of their rows. Clusters
    from rank ``limit[v]`` on are too large to be its match.
    """

    parent: IntArray
    size: IntArray
    low: IntArray
    high: IntArray
    start: IntArray
    child: IntArray
    limit: IntArray


class Ranked(NamedTuple):
    """The nodes of the other tree by size, of equal size by number: each before its parent, the root last.

    ``number`` is the node of each rank, ``parent`` the rank of its parent, and ``size`` its number of items.
    """

    number: IntArray
    parent: IntArray
    size: IntArray


class Rows(NamedTuple):
    """The rows of both trees, numbered as in `Classes`: the rank of each node in the other tree, and the items."""

    at: IntArray
    items: IntArray


class Clusters(NamedTuple):
    """The other tree, its rows in pre-order: the node of each, its items, and its lowest common node with the next.

    ``log[i]`` is the whole part of log2 i.
    """

    node: IntArray
    items: IntArray
    common: IntArray
    log: IntArray
    size: IntArray


class Joints(NamedTuple):
    """The nodes of the other tree that some of its rows have, or have as lowest common node: a tree of their own.

    ``of_row[i]`` is the joint of row i. ``order`` lists every joint after those below it; ``n_rows`` counts the rows at
    or below a joint, and ``heavy`` is the child with the most, or -1.
    """

    node: IntArray
    parent: IntArray
    n_rows: IntArray
    heavy: IntArray
    order: IntArray
    of_row: IntArray


@njit
def common_ancestors(parent: IntArray, low: IntArray, high: IntArray, node: IntArray) -> IntArray:
    """Return the lowest common node of each row and the next, rows in pre-order. O(n): each edge is left once."""
    common = np.empty(max(node.size - 1, 0), dtype=np.int64)
    for i in range(node.size - 1):
        v, target = node[i], low[node[i + 1]]
        while not low[v] <= target < high[v]:
            v = parent[v]
        common[i] = v
    return common


@njit
def ancestor_table(common: IntArray) -> NDArray[np.int32]:
    """Return the table of the greatest value in every window whose length is a power of two, or up to the end."""
    levels = 1
    while 1 << levels <= common.size:
        levels += 1
    table = np.empty((levels, common.size), dtype=np.int32)
    for i in range(common.size):
        table[0, i] = common[i]
    for k in range(1, levels):
        half = 1 << (k - 1)
        for i in range(common.size - (1 << k) + 1):
            table[k, i] = max(table[k - 1, i], table[k - 1, i + half])
        for i in range(common.size - (1 << k) + 1, common.size):
            table[k, i] = max(table[k - 1, i], table[k - 1, min(i + half, common.size - 1)])
    return table


@njit
def common_ancestor(first: int, second: int, log: IntArray, table: NDArray[np.int32]) -> int:
    """Return the lowest common node of two rows, the first before the second.

    It is the greatest number in a stretch of ``common``, since parents have greater numbers.
    """
    k = log[second - first]
    greatest: int = max(table[k, first], table[k, second - (1 << k)])
    return greatest


@njit
def _count_below(order: IntArray, parent: IntArray, n_rows: IntArray) -> IntArray:
    """Add to the rows of each joint those below it, and return the child with the most, or -1; the root is last."""
    heavy = np.full(order.size, -1, dtype=np.int64)
    for v in order[:-1]:
        p = parent[v]
        n_rows[p] += n_rows[v]
        if heavy[p] < 0 or n_rows[v] > n_rows[heavy[p]]:
            heavy[p] = v
    return heavy


@njit
def joints(row: IntArray, clusters: Clusters, table: NDArray[np.int32]) -> Joints:
    """Return the joints of some rows, which are in pre-order. O(rows): the stack holds the joints that are open."""
    most = 2 * row.size
    node, parent = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    n_rows, order = np.zeros(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    of_row, stack = np.empty(row.size, dtype=np.int64), np.empty(most, dtype=np.int64)
    n = n_closed = top = 0
    for i in range(row.size + 1):
        meet = clusters.size.size  # after the last row all close
        if 0 < i < row.size:
            meet = common_ancestor(row[i - 1], row[i], clusters.log, table)
        while top > 0 and i > 0 and node[stack[top - 1]] < meet:
            top -= 1
            closed = stack[top]
            order[n_closed] = closed
            n_closed += 1
            if i < row.size and (top == 0 or node[stack[top - 1]] > meet):
                node[n], stack[top] = meet, n
                n += 1
                top += 1
            parent[closed] = stack[top - 1] if top > 0 else -1
        if i < row.size:
            if top == 0 or node[stack[top - 1]] != clusters.node[row[i]]:
                node[n], stack[top] = clusters.node[row[i]], n
                n += 1
                top += 1
            of_row[i] = stack[top - 1]
            n_rows[of_row[i]] += 1
    heavy = _count_below(order[:n], parent, n_rows)
    return Joints(node[:n], parent[:n], n_rows[:n], heavy, order[:n], of_row)
