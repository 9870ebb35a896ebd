"""Best matches between the clusters of two trees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit, stopped
from dendrometry._kernels.walk.clusters import Classes, Clusters, ancestor_table, common_ancestor
from dendrometry._kernels.walk.joint import Descent, Rows, make_lists, split_list
from dendrometry._kernels.walk.tournament import match_path

__all__ = ["LONG", "best_matches", "best_matches_of_paths", "count_steps"]

LONG = 4  # a path of m rows is long if its classes have over this times m log m in total
_STEPS = 8  # of a tournament, for each row and each halving of the path


class Space(NamedTuple):
    """The rows, which are sorted class by class, and room for sorting them and for the nodes that are open."""

    row: IntArray
    other: IntArray
    join: IntArray
    stack: IntArray


class Ordered(NamedTuple):
    """Rows in an order of the other tree, the lowest common node of each with the next, and columns of all rows.

    These are the node of each row in the other tree, and its number of items.
    """

    row: IntArray
    join: IntArray
    node: IntArray
    items: IntArray


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
def _best(ordered: Ordered, low: int, high: int, size: int, sizes: IntArray, stack: IntArray) -> tuple[int, int]:
    """Return the best cluster for the rows from low to high, which have ``size`` items, and how many items both have.

    The stack holds the nodes that are still open, from the top of the tree down, with the items seen so far. Before
    the next row all nodes below its lowest common node with the last one close and hand their items up.
    """
    row, join, node, items = ordered
    best_f, best_node, best_both = -1.0, -1, 0
    stack[0, 0], stack[0, 1], top = node[row[low]], items[row[low]], 1
    for i in range(low + 1, high + 1):
        meet = join[i - 1] if i < high else sizes.size
        while stack[top - 1, 0] < meet:
            top -= 1
            v, both = stack[top, 0], stack[top, 1]
            f = 2.0 * both / (size + sizes[v])
            if f > best_f or (f == best_f and v < best_node):
                best_f, best_node, best_both = f, v, both
            if top > 0 and stack[top - 1, 0] <= meet:
                stack[top - 1, 1] += both
            else:
                stack[top, 0], stack[top, 1] = meet, both
                top += 1
        if i < high:
            stack[top, 0], stack[top, 1] = node[row[i]], items[row[i]]
            same = stack[top - 1, 0] == stack[top, 0]
            stack[top - 1, 1] += stack[top, 1] * same
            top += 1 - same
    return best_node, best_both


@njit
def _heavy(parent: IntArray, low: IntArray, high: IntArray) -> IntArray:
    """Return the child of each node with the most rows, or -1."""
    heavy = np.full(parent.size, -1, dtype=np.int64)
    for v in range(parent.size - 1):
        p = parent[v]
        if heavy[p] < 0 or high[v] - low[v] > high[heavy[p]] - low[heavy[p]]:
            heavy[p] = v
    return heavy


@njit
def _path(end: int, heavy: IntArray, low: IntArray, high: IntArray, space: IntArray) -> tuple[IntArray, int]:
    """Return the heavy path below its upper end, from the bottom up, and the number of rows of all of its classes."""
    v, start, total = end, space.size, 0
    while v >= 0:
        start -= 1
        space[start] = v
        total += high[v] - low[v]
        v = heavy[v]
    return space[start:], total


@njit
def count_steps(parent: IntArray, low: IntArray, high: IntArray, log: IntArray) -> int:
    """Return about the number of steps of `best_matches`."""
    heavy, space, steps = _heavy(parent, low, high), np.empty(parent.size, dtype=np.int64), 0
    for v in range(parent.size):
        if v == parent.size - 1 or heavy[parent[v]] != v:
            _, total = _path(v, heavy, low, high, space)
            halvings = (high[v] - low[v]) * (log[high[v] - low[v]] + 1)
            steps += total if total <= LONG * halvings else _STEPS * halvings
    return steps


@njit
def _match_class(
    c: int,
    classes: Classes,
    clusters: Clusters,
    table: NDArray[np.int32],
    space: Space,
    match: IntArray,
    common: IntArray,
) -> None:
    """Set the match of one class, whose children were matched before, and leave its rows sorted."""
    low, high = classes.low[c], classes.high[c]
    if classes.middle[c] >= 0:
        _merge(space.row, space.other, low, classes.middle[c], high)
    else:
        _sort(space.row, space.other, low, high)
    for i in range(low, high - 1):
        space.join[i] = common_ancestor(space.row[i], space.row[i + 1], clusters.log, table)
    ordered = Ordered(space.row, space.join, clusters.node, clusters.items)
    match[c], common[c] = _best(ordered, low, high, classes.size[c], clusters.size, space.stack)


@njit
def _space(classes: Classes) -> Space:
    """Return the rows, to be sorted, and room for sorting and matching them."""
    n = classes.row.size
    other, join = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    return Space(classes.row.copy(), other, join, np.empty((2 * n + 1, 2), dtype=np.int64))


@njit
def best_matches(a: Descent, rows: Rows, sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return, for each cluster of a, the cluster of the other tree with the greatest F, and how many items both have.

    Of all clusters with the same share of a class the smallest is best, so only the lowest common nodes of its
    rows count: at most twice as many as rows. They are found with a stack from the rows in pre-order, of which each
    node has a list, divided among its children. O(rows of all nodes together) time, with a further factor of their
    logarithm for nodes that have not just two children; O(n) space.
    """
    lists = make_lists(a, rows)
    ordered = Ordered(lists.order, lists.join, rows.node, rows.items)
    stack = np.empty((2 * rows.order.size + 1, 2), dtype=np.int64)
    match, common = np.empty(a.low.size, dtype=np.int64), np.empty(a.low.size, dtype=np.int64)
    for v in range(a.low.size - 1, -1, -1):
        if stopped():
            break
        match[v], common[v] = _best(ordered, a.low[v], a.high[v], a.size[v], sizes, stack)
        if a.start[v] < a.start[v + 1]:
            split_list(a, lists, v)
    return match, common


@njit
def best_matches_of_paths(classes: Classes, clusters: Clusters) -> tuple[IntArray, IntArray]:
    """Return the same as `best_matches` for a deep first tree, by its heavy paths.

    Where the classes of a path have many times the rows of the largest, a tournament finds the matches of all of them.
    O(n log² n) to O(n log³ n) time by experience, O(n log n) space.
    """
    table, space = ancestor_table(clusters.common), _space(classes)
    heavy, last = _heavy(classes.parent, classes.low, classes.high), classes.parent.size - 1
    nodes = np.empty(last + 1, dtype=np.int64)
    match, common = np.empty(last + 1, dtype=np.int64), np.empty(last + 1, dtype=np.int64)
    for v in range(last + 1):
        if stopped():
            break
        if v < last and heavy[classes.parent[v]] == v:
            continue
        low, high = classes.low[v], classes.high[v]
        path, total = _path(v, heavy, classes.low, classes.high, nodes)
        if total > LONG * (high - low) * (clusters.log[high - low] + 1):
            sorted_row = np.sort(space.row[low:high])
            match_path(path, classes, space.row, sorted_row, clusters, table, match, common)
            space.row[low:high] = sorted_row
        else:
            for c in path:
                _match_class(c, classes, clusters, table, space, match, common)
    return match, common
