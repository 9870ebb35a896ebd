"""Best matches between the clusters of two trees, and pairs related in both orders."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit

__all__ = ["Classes", "Clusters", "Queries", "best_matches", "common_ancestors", "sum_in_rectangles"]


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
    """The other tree, its rows in pre-order: the node of each, its items, and its lowest common node with the next."""

    node: IntArray
    items: IntArray
    common: IntArray
    size: IntArray


class Queries(NamedTuple):
    """Rectangles: of the first ``time`` points, ``weight`` times those with a place from ``low`` to below ``high``."""

    time: IntArray
    low: IntArray
    high: IntArray
    weight: IntArray


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
    table[0] = common
    for k in range(1, levels):
        half = 1 << (k - 1)
        for i in range(common.size - (1 << k) + 1):
            table[k, i] = max(table[k - 1, i], table[k - 1, i + half])
    return table


@njit
def _merge(row: IntArray, space: IntArray, low: int, middle: int, high: int) -> None:
    """Merge two sorted stretches that lie side by side."""
    space[low:middle] = row[low:middle]
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
def _close(stack: IntArray, top: int, limit: int, best: FloatArray, size: int, sizes: IntArray) -> int:
    """Score the open nodes below ``limit``, hand their counts up, and leave ``limit`` as the lowest open node.

    ``best`` is the F, the node and the common items of the best match so far; of equal ones the first node wins.
    """
    while stack[top - 1, 0] < limit:
        top -= 1
        node, both = stack[top, 0], stack[top, 1]
        f = 2.0 * both / (size + sizes[node])
        if f > best[0] or (f == best[0] and node < best[1]):
            best[0], best[1], best[2] = f, node, both
        if top > 0 and stack[top - 1, 0] <= limit:
            stack[top - 1, 1] += both
        else:
            stack[top, 0], stack[top, 1] = limit, both
            top += 1
    return top


@njit
def _open(stack: IntArray, top: int, node: int, count: int) -> int:
    """Add items to a node at or below the lowest open one."""
    if top > 0 and stack[top - 1, 0] == node:
        stack[top - 1, 1] += count
        return top
    stack[top, 0], stack[top, 1] = node, count
    return top + 1


@njit
def best_matches(classes: Classes, clusters: Clusters) -> tuple[IntArray, IntArray]:
    """Return, for each class, the cluster with the greatest F, and how many items both have.

    Of all clusters with the same share of a class the smallest is best, so only the lowest common nodes of its
    rows count: at most twice as many as rows. They are found with a stack from the rows in pre-order, which come
    sorted from the classes below. A lowest common node is the greatest number in a stretch of ``common``, since
    parents have greater numbers. O(rows of all classes together) time, O(n log n) space.
    """
    table = _greatest(clusters.common)
    row = classes.row.copy()
    space = np.empty_like(row)
    stack = np.empty((2 * row.size + 1, 2), dtype=np.int64)
    log = np.zeros(row.size + 1, dtype=np.int64)
    for i in range(2, row.size + 1):
        log[i] = log[i // 2] + 1
    matched = np.empty((2, classes.low.size), dtype=np.int64)
    best = np.empty(3, dtype=np.float64)
    for c in range(classes.low.size):
        low, high = classes.low[c], classes.high[c]
        if classes.middle[c] >= 0:
            _merge(row, space, low, classes.middle[c], high)
        else:
            row[low:high].sort()
        best[0] = -1.0
        top = _open(stack, 0, clusters.node[row[low]], clusters.items[row[low]])
        for i in range(low + 1, high):
            k = log[row[i] - row[i - 1]]
            meet = max(table[k, row[i - 1]], table[k, row[i] - (1 << k)])
            top = _close(stack, top, meet, best, classes.size[c], clusters.size)
            top = _open(stack, top, clusters.node[row[i]], clusters.items[row[i]])
        _close(stack, top, clusters.size.size, best, classes.size[c], clusters.size)
        matched[0, c], matched[1, c] = best[1], best[2]
    return matched[0], matched[1]


@njit
def sum_in_rectangles(place: IntArray, count: IntArray, queries: Queries) -> int:
    """Return the sum over rectangles of the counts inside times the weight.

    Point i lies at (i, place[i]); queries come in ascending time. One sweep with a Fenwick tree, O(n log n).
    """
    tree = np.zeros(place.size + 1, dtype=np.int64)
    total, done = 0, 0
    for q in range(queries.time.size):
        while done < queries.time[q]:
            i = place[done] + 1
            while i <= place.size:
                tree[i] += count[done]
                i += i & -i
            done += 1
        inside = 0
        i = queries.high[q]
        while i > 0:
            inside += tree[i]
            i -= i & -i
        i = queries.low[q]
        while i > 0:
            inside -= tree[i]
            i -= i & -i
        total += inside * queries.weight[q]
    return total
