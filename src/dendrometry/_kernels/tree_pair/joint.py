"""The joint cells of two trees: how many pairs of items join at which node of the one and which of the other."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import AHEAD, MANY, prefetch, stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

BITS = 20  # of a number of pairs, counted apart from the rest, so that sums of products fit in 63 bits


class Descent(NamedTuple):
    """The tree to go down: the rows at and below node v have the numbers from ``low[v]`` to ``high[v]``, its own first.

    Its children are ``child[start[v] : start[v + 1]]``, and ``size[v]`` items are at or below it.
    """

    size: IntArray
    low: IntArray
    high: IntArray
    start: IntArray
    child: IntArray


class Rows(NamedTuple):
    """The rows of both trees, numbered in pre-order of the tree to go down.

    ``items`` and ``node`` are the number of items of each row and its node in the other tree. ``order`` lists the rows
    in pre-order of the other tree, and ``join[i]`` is the lowest common node there of rows i and i + 1 of the list.
    """

    items: IntArray
    node: IntArray
    order: IntArray
    join: IntArray


class Lists(NamedTuple):
    """For each node reached, its rows in the order of the other tree, at ``low`` to ``high``; and room to work in."""

    order: IntArray
    join: IntArray
    old_order: IntArray
    old_join: IntArray
    part: IntArray
    free: IntArray
    last: IntArray
    stack: IntArray


class _Cells(NamedTuple):
    """Nodes of the other tree where items join: how many of the pairs of a list join there, and how many lie below.

    An ancestor has a greater number than its descendants; ``open`` are the nodes that are not complete yet.
    """

    node: IntArray
    pairs: IntArray
    size: IntArray
    open: IntArray


@njit
def join_across(parent: IntArray, high: IntArray, join: IntArray) -> None:
    """Set the join of the last row of each node and the next in pre-order, if the parent has that one too. O(n)."""
    last, are_many = parent.size - 2, parent.size > MANY
    for v in range(parent.size - 1):
        if are_many:
            prefetch(high, parent[min(v + AHEAD, last)])
        p = parent[v]
        if high[v] < high[p]:
            join[high[v] - 1] = p


@njit
def make_lists(a: Descent, rows: Rows) -> Lists:
    """Return the lists with that of the root in place."""
    n, n_nodes = rows.order.size, a.low.size
    return Lists(
        rows.order.copy(),
        rows.join.copy(),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(n_nodes, dtype=np.int64),
        np.empty(n_nodes, dtype=np.int64),
        np.empty((n, 2), dtype=np.int64),
    )


@njit
def _make_cells(n: int) -> _Cells:
    """Return room for the cells of a list of n rows: each row and each join may open one."""
    return _Cells(
        np.empty(2 * n, dtype=np.int64),
        np.empty(2 * n, dtype=np.int64),
        np.empty(2 * n, dtype=np.int64),
        np.empty((2 * n, 3), dtype=np.int64),
    )


@njit
def _greatest_since(stack: IntArray, depth: int, place: int) -> int:
    """Return the greatest join from a place on: the first on the stack that lies there. O(log n)."""
    low, high = 0, depth - 1
    while low < high:
        middle = (low + high) // 2
        if stack[middle, 0] >= place:
            high = middle
        else:
            low = middle + 1
    join: int = stack[low, 1]
    return join


@njit
def _mark_parts(a: Descent, part: IntArray, v: int) -> None:
    """Note the child of a node that has each of its rows, or -1 for its own rows."""
    for r in range(a.low[v], a.high[v]):
        part[r] = -1
    for c in a.child[a.start[v] : a.start[v + 1]]:
        for r in range(a.low[c], a.high[c]):
            part[r] = c


@njit
def _split_in_two(a: Descent, lists: Lists, v: int) -> None:
    """Divide the list of a node with two children between them, keeping the order. O(m) for m rows."""
    c, d = a.child[a.start[v]], a.child[a.start[v] + 1]
    at_c, at_d, join_c, join_d = a.low[c], a.low[d], 0, 0
    for i in range(a.low[v], a.high[v]):
        r = lists.old_order[i]
        if a.low[c] <= r < a.high[c]:
            if at_c > a.low[c]:
                lists.join[at_c - 1] = join_c
            lists.order[at_c] = r
            at_c += 1
            join_c = 0
        elif a.low[d] <= r < a.high[d]:
            if at_d > a.low[d]:
                lists.join[at_d - 1] = join_d
            lists.order[at_d] = r
            at_d += 1
            join_d = 0
        join_c, join_d = max(join_c, lists.old_join[i]), max(join_d, lists.old_join[i])


@njit
def _split_in_many(a: Descent, lists: Lists, v: int) -> None:
    """Divide the list of a node among any number of children, keeping the order. O(m log m) for m rows.

    A stack keeps the joins that are greater than all that follow.
    """
    for c in a.child[a.start[v] : a.start[v + 1]]:
        lists.free[c] = a.low[c]
    _mark_parts(a, lists.part, v)
    stack, depth = lists.stack, 0
    for i in range(a.low[v], a.high[v]):
        r = lists.old_order[i]
        c = lists.part[r]
        if c >= 0:
            at = lists.free[c]
            if at > a.low[c]:
                lists.join[at - 1] = _greatest_since(stack, depth, lists.last[c])
            lists.order[at] = r
            lists.free[c] = at + 1
            lists.last[c] = i
        join = lists.old_join[i]
        while depth > 0 and stack[depth - 1, 1] <= join:
            depth -= 1
        stack[depth, 0], stack[depth, 1] = i, join
        depth += 1


@njit
def split_list(a: Descent, lists: Lists, v: int) -> None:
    """Divide the list of a node among its children; the join of two rows is the greatest of the joins between them."""
    for i in range(a.low[v], a.high[v]):
        lists.old_order[i], lists.old_join[i] = lists.order[i], lists.join[i]
    if a.start[v + 1] - a.start[v] == 2:
        _split_in_two(a, lists, v)
    else:
        _split_in_many(a, lists, v)


@njit
def _add(cells: _Cells, depth: int, node: int, items: int, inside: int) -> int:
    """Add a part of some items, with pairs inside it that join here, to a node that is open or to be opened."""
    if depth > 0 and cells.open[depth - 1, 0] == node:
        cells.open[depth - 1, 2] += cells.open[depth - 1, 1] * items + inside
        cells.open[depth - 1, 1] += items
        return depth
    cells.open[depth, 0], cells.open[depth, 1], cells.open[depth, 2] = node, items, inside
    return depth + 1


@njit
def _fill(cells: _Cells, rows: Rows, lists: Lists, low: int, high: int) -> int:
    """Fill in the cells of a list and return their number. O(m)."""
    depth, n_cells = 0, 0
    for i in range(low, high):
        r = lists.order[i]
        items = rows.items[r]
        if items > 1:
            depth = _add(cells, depth, rows.node[r], items, items * (items - 1) // 2)
            items = 0
        last = i + 1 == high
        while depth > 0 and (last or cells.open[depth - 1, 0] < lists.join[i]):
            depth -= 1
            cells.node[n_cells] = cells.open[depth, 0]
            cells.pairs[n_cells] = cells.open[depth, 2] + cells.open[depth, 1] * items
            items += cells.open[depth, 1]
            cells.size[n_cells] = items
            n_cells += 1
        if not last:
            depth = _add(cells, depth, lists.join[i], items, 0)
    return n_cells


@njit
def count_shared_triples(a: Descent, rows: Rows, n_nodes: int) -> int:
    """Return the number of triples of items of which both trees join the same two before the third.

    Of the pairs of a child of v that join at a node w of the other tree, each is resolved alike with every item of v
    that lies neither in the child nor below w. O(m) steps for the m rows of each node, O(n) space.
    """
    lists, cells = make_lists(a, rows), _make_cells(rows.order.size)
    size = np.zeros(n_nodes, dtype=np.int64)
    total = 0
    for v in range(a.low.size - 1, -1, -1):
        if a.start[v] == a.start[v + 1]:
            continue
        if stopped():
            break
        for i in range(_fill(cells, rows, lists, a.low[v], a.high[v])):
            size[cells.node[i]] = cells.size[i]
        split_list(a, lists, v)
        for c in a.child[a.start[v] : a.start[v + 1]]:
            n_outside = a.size[v] - a.size[c]
            for i in range(_fill(cells, rows, lists, a.low[c], a.high[c])):
                total += cells.pairs[i] * (n_outside - size[cells.node[i]] + cells.size[i])
    return total


@njit
def _count_up_to(tree: IntArray, i: int) -> int:
    """Return the sum of the first i numbers of a Fenwick tree."""
    total = 0
    while i > 0:
        total += tree[i]
        i -= i & -i
    return total


@njit
def _count_in(tree: IntArray, at: int, number: int) -> None:
    """Add to one of the numbers of a Fenwick tree."""
    i = at + 1
    while i < tree.size:
        tree[i] += number
        i += i & -i


@njit
def _joined(node: IntArray, pairs: IntArray, a: Descent, rows: Rows, lists: Lists, cells: _Cells, v: int) -> int:
    """List the nodes of the other tree where pairs join that join at v, with their numbers; return how many nodes.

    The list of v is divided among its children. The number of pairs of node w is left in ``pairs[w]``.
    """
    n_nodes = _fill(cells, rows, lists, a.low[v], a.high[v])
    for i in range(n_nodes):
        node[i] = cells.node[i]
        pairs[node[i]] = cells.pairs[i]
    split_list(a, lists, v)
    for c in a.child[a.start[v] : a.start[v + 1]]:
        for i in range(_fill(cells, rows, lists, a.low[c], a.high[c])):
            pairs[cells.node[i]] -= cells.pairs[i]
    return n_nodes


@njit
def sum_of_powers(a: Descent, value: FloatArray, rows: Rows, value_b: FloatArray, p: float, unit: float) -> float:
    """Return the sum over pairs of items of the p-th power of the difference of their values, in some unit.

    The value of a pair in a tree is that of its lowest common node. The pairs of each two nodes are counted as whole
    numbers, so that no term is less than 0; what is lost in rounding a sum is added at the end, so that the order of
    the terms does not matter. O(m) steps for the m rows of each node, O(n) space.
    """
    n = rows.order.size
    lists, cells = make_lists(a, rows), _make_cells(n)
    node, pairs = np.empty(2 * n, dtype=np.int64), np.zeros(value_b.size, dtype=np.int64)
    total, lost = 0.0, 0.0
    for v in range(a.low.size - 1, -1, -1):
        if a.size[v] == 1:
            continue
        if stopped():
            break
        for i in range(_joined(node, pairs, a, rows, lists, cells, v)):
            term = pairs[node[i]] * (abs(value[v] - value_b[node[i]]) / unit) ** p
            less, more = min(total, term), max(total, term)
            total = more + less
            lost += less - (total - more)
    return total + lost


@njit
def _compare(count: IntArray, tree: IntArray, n_higher: int, level: int, joined: int) -> None:
    """Count some pairs at one level of the second tree against all that join higher in the first."""
    higher, lower = n_higher - _count_up_to(tree, level + 1), _count_up_to(tree, level)
    count[0] += joined * (higher & ((1 << BITS) - 1))
    count[1] += joined * (higher >> BITS)
    count[2] += joined * (lower & ((1 << BITS) - 1))
    count[3] += joined * (lower >> BITS)


@njit
def concordance(a: Descent, level: IntArray, rows: Rows, level_b: IntArray) -> IntArray:
    """Return the numbers of concordant and discordant pairs of pairs of items, each as a low and a high part.

    ``level`` and ``level_b`` rank the heights of the nodes. Those of the first tree ascend, and every node has a higher
    one than its children. The pairs that join at a node of the first tree are compared with all that join higher, of
    which a Fenwick tree keeps the numbers at each level of the second. O(m log n) steps for the m rows of each node,
    O(n) space.
    """
    n = rows.order.size
    lists, cells = make_lists(a, rows), _make_cells(n)
    node, pairs = np.empty(2 * n, dtype=np.int64), np.zeros(level_b.size, dtype=np.int64)
    tree = np.zeros(level_b.size + 1, dtype=np.int64)
    waiting, n_waiting, n_higher = np.empty((2 * n, 2), dtype=np.int64), 0, 0
    count = np.zeros(4, dtype=np.int64)
    now = level[-1]
    for v in range(a.low.size - 1, -1, -1):
        if a.size[v] == 1:
            continue
        if stopped():
            break
        if level[v] != now:
            for i in range(n_waiting):
                _count_in(tree, waiting[i, 0], waiting[i, 1])
                n_higher += waiting[i, 1]
            now, n_waiting = level[v], 0
        for i in range(_joined(node, pairs, a, rows, lists, cells, v)):
            joined = pairs[node[i]]
            if joined > 0:
                _compare(count, tree, n_higher, level_b[node[i]], joined)
                waiting[n_waiting, 0], waiting[n_waiting, 1] = level_b[node[i]], joined
                n_waiting += 1
    return count
