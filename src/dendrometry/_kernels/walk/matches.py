"""Best matches between the clusters of two trees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit, stopped

__all__ = ["Classes", "Clusters", "best_matches", "common_ancestors"]


class Classes(NamedTuple):
    """The clusters to be matched: their rows are ``row[low[v]:high[v]]``, a node's own before its children's.

    ``row`` holds places in the order of the other tree; ``middle[v]`` is where the second of exactly two parts starts,
    or -1 if there are not two.
    """

    row: IntArray
    low: IntArray
    high: IntArray
    middle: IntArray
    size: IntArray


class Clusters(NamedTuple):
    """The other tree, its rows in pre-order: the node of each, its items, and its lowest common node with the next.

    ``log[i]`` is the whole part of log2 i.
    """

    node: IntArray
    items: IntArray
    common: IntArray
    log: IntArray
    size: IntArray


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
def _greatest(common: IntArray) -> NDArray[np.int32]:
    """Return the table of the greatest value in every window whose length is a power of two."""
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
    return table


@njit
def _merge(row: IntArray, space: IntArray, low: int, middle: int, high: int) -> None:
    """Merge two sorted stretches that lie side by side."""
    for i in range(low, middle):
        space[i] = row[i]
    i, j, k = low, middle, low
    while i < middle:
        if j < high and row[j] < space[i]:
            row[k] = row[j]
            j += 1
        else:
            row[k] = space[i]
            i += 1
        k += 1


@njit
def _sort(row: IntArray, space: IntArray, low: int, high: int) -> None:
    """Sort a stretch by merging ever longer runs."""
    width = 1
    while width < high - low:
        for start in range(low, high - width, 2 * width):
            _merge(row, space, start, start + width, min(start + 2 * width, high))
        width *= 2


@njit
def _best(row: IntArray, size: int, clusters: Clusters, table: NDArray[np.int32], stack: IntArray) -> tuple[int, int]:
    """Return the best cluster for the items of some rows, in pre-order, and how many items both have.

    The stack holds the nodes that are still open, from the top of the tree down, with the items seen so far. Before
    the next row all nodes below its lowest common node with the last one close and hand their items up.
    """
    sizes = clusters.size
    best_f, best_node, best_both = -1.0, -1, 0
    stack[0, 0], stack[0, 1], top = clusters.node[row[0]], clusters.items[row[0]], 1
    for i in range(1, row.size + 1):
        meet = sizes.size
        if i < row.size:
            k = clusters.log[row[i] - row[i - 1]]
            meet = max(table[k, row[i - 1]], table[k, row[i] - (1 << k)])
        while stack[top - 1, 0] < meet:
            top -= 1
            node, both = stack[top, 0], stack[top, 1]
            f = 2.0 * both / (size + sizes[node])
            if f > best_f or (f == best_f and node < best_node):
                best_f, best_node, best_both = f, node, both
            if top > 0 and stack[top - 1, 0] <= meet:
                stack[top - 1, 1] += both
            else:
                stack[top, 0], stack[top, 1] = meet, both
                top += 1
        if i < row.size:
            stack[top, 0], stack[top, 1] = clusters.node[row[i]], clusters.items[row[i]]
            same = stack[top - 1, 0] == stack[top, 0]
            stack[top - 1, 1] += stack[top, 1] * same
            top += 1 - same
    return best_node, best_both


@njit
def best_matches(classes: Classes, clusters: Clusters) -> tuple[IntArray, IntArray]:
    """Return, for each class, the cluster with the greatest F, and how many items both have.

    Of all clusters with the same share of a class the smallest is best, so only the lowest common nodes of its
    rows count: at most twice as many as rows. They are found with a stack from the rows in pre-order, which come
    sorted from the classes below. A lowest common node is the greatest number in a stretch of ``common``, since
    parents have greater numbers. O(rows of all classes together) time, with a further factor of their logarithm for
    classes that are not just two children, whose rows are sorted anew; O(n log n) space.
    """
    table = _greatest(clusters.common)
    row = classes.row.copy()
    space = np.empty_like(row)
    stack = np.empty((2 * row.size + 1, 2), dtype=np.int64)
    match, common = np.empty(classes.low.size, dtype=np.int64), np.empty(classes.low.size, dtype=np.int64)
    for c in range(classes.low.size):
        if stopped():
            break
        low, high = classes.low[c], classes.high[c]
        if classes.middle[c] >= 0:
            _merge(row, space, low, classes.middle[c], high)
        else:
            _sort(row, space, low, high)
        match[c], common[c] = _best(row[low:high], classes.size[c], clusters, table, stack)
    return match, common
