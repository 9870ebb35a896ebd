"""The number of quartets of items that two trees resolve alike, and that one resolves and the other does not."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.measures.quartet_columns import (
    BRANCHES,
    INSIDE,
    RESOLVED,
    STAR,
    STAR_BRANCHES,
    add_branch,
    add_star_branch,
    join,
    join_stars,
    set_node,
    set_node_stars,
)
from dendrometry._kernels.measures.triplets import Paths
from dendrometry._typing import IntArray

_NONE = -1  # no colour


class Rows(NamedTuple):
    """Rows in an order of the first tree: their numbers of items and nodes in the second tree, and how they join.

    The rows at or below node v of the first tree are ``low[v]:high[v]``, those of the child on its heavy path first. At
    v join its ``n_own[v]`` items, each for itself, and its children ``child[start[v]:start[v + 1]]``.
    """

    items: IntArray
    node_b: IntArray
    low: IntArray
    high: IntArray
    n_own: IntArray
    start: IntArray
    child: IntArray


class _Part(NamedTuple):
    """What is left of the second tree when only the rows from ``first`` on, at ``node``, may still change colour.

    All other items have their colours, or none. Of the nodes, children before parents, those are left at which such
    rows are, or from which they are in two branches; a path of others above a node is a single segment.

    Attributes
    ----------
    above : (n_nodes, n_columns) array of int
        The columns of the segment above each node.
    own : (n_nodes, 3) array of int
        The items of each colour that hang from each node.
    light : (n_nodes, n_columns) array of int
        The columns of each node for its branches that are not left.
    """

    first: int
    items: IntArray
    node: IntArray
    parent: IntArray
    above: IntArray
    own: IntArray
    light: IntArray


@njit
def rows_in_order(a: Paths, n_rows: IntArray, n_own: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first row at or below each node of a tree, and its own first row, those on heavy paths first.

    ``n_rows`` and ``n_own`` count the rows at or below each node and at the node itself.
    """
    n = a.parent.size
    low, first = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for v in range(n - 1):
        if a.top[v] != v:
            first[a.parent[v]] = n_rows[v]
    later = np.zeros(n, dtype=np.int64)
    for v in range(n - 1, -1, -1):
        if v < n - 1:
            p = a.parent[v]
            low[v] = low[p] if a.top[v] != v else later[p]
            later[p] += n_rows[v] if a.top[v] == v else 0
        first[v] += low[v]
        later[v] = first[v] + n_own[v]
    return low, first


@njit
def _whole(parent: IntArray, node: IntArray, items: IntArray, n_columns: int) -> _Part:
    """Return a whole tree, of which all rows may change colour."""
    n = parent.size
    n_light = BRANCHES if n_columns == RESOLVED else STAR_BRANCHES
    columns = np.zeros((n, n_columns), dtype=np.int64), np.zeros((n, 3), dtype=np.int64)
    return _Part(0, items, node, parent.copy(), *columns, np.zeros((n, n_light), dtype=np.int64))


@njit
def _two(before: int, after: int) -> tuple[int, int]:
    """Return two colours as sums: what takes a tuple of constants would be compiled for each of them."""
    return before + 0, after + 0


@njit
def _coloured(part: _Part, low: int, high: int, colours: tuple[int, int]) -> IntArray:
    """Return the items that hang from each node, with the rows before ``low`` and from ``high`` on in two colours."""
    items, node, own = part.items, part.node, part.own.copy()
    first, last = low - part.first, high - part.first
    before, after = colours
    if before != _NONE:
        for r in range(first):
            own[node[r], before] += items[r]
    if after != _NONE:
        for r in range(last, node.size):
            own[node[r], after] += items[r]
    return own


@njit
def _count_left(part: _Part, low: int, high: int) -> IntArray:
    """Return for each node 1 for each branch with rows from ``low`` to ``high``, and 2 for each such row of its own.

    The node is left if it has 2 or more.
    """
    node, parent = part.node, part.parent
    n_left = np.zeros(parent.size, dtype=np.int64)
    for r in range(low - part.first, high - part.first):
        n_left[node[r]] += 2
    for u in range(parent.size - 1):
        if n_left[u] > 0:
            n_left[parent[u]] += 1
    return n_left


@njit
def _smaller(  # noqa: C901 - one loop: a function for its steps would count references to arrays at each call
    part: _Part, low: int, high: int, colours: tuple[int, int]
) -> _Part:
    """Return the part for the rows from ``low`` to ``high``, when those before and after them have the two colours.

    For no rows it has no node, and the columns of the whole tree as ``above``.
    """
    parent, above, light = part.parent, part.above, part.light.copy()
    own, n_left = _coloured(part, low, high, colours), _count_left(part, low, high)
    left = np.flatnonzero(n_left > 1)
    number = np.full(parent.size, -1, dtype=np.int64)  # of the highest node that is left at or below
    number[left] = np.arange(left.size)
    above_left, here = above[left], np.zeros((1, above.shape[1]), dtype=np.int64)
    with_stars = above.shape[1] > RESOLVED
    for u in range(parent.size):
        p = parent[u]
        if n_left[u] < 2:
            set_node(here, 0, own, light, u)
            if with_stars:
                set_node_stars(here, 0, light, u)
            if above[u, 0] + above[u, 1] + above[u, 2] > 0:  # a segment without items adds nothing
                if with_stars:
                    join_stars(here, 0, above, u, here, 0)
                join(here, 0, above, u, here, 0)
            if n_left[u] == 1:
                if with_stars:
                    join_stars(above_left, number[u], here, 0, above_left, number[u])
                join(above_left, number[u], here, 0, above_left, number[u])
            elif p >= 0:
                add_branch(own, light, p, here, 0)
                if with_stars:
                    add_star_branch(light, p, here, 0)
        if n_left[u] > 0 and p >= 0 and n_left[p] == 1:
            number[p] = number[u]
    parent_left = np.full(left.size, -1, dtype=np.int64)
    for u in range(parent.size - 1):
        if n_left[u] > 0 and n_left[parent[u]] > 1:
            parent_left[number[u]] = number[parent[u]]
    rows = slice(low - part.first, high - part.first)
    if left.size == 0:
        above_left = here
    return _Part(low, part.items[rows], number[part.node[rows]], parent_left, above_left, own[left], light[left])


@njit
def _count(found: IntArray, part: _Part, colour: int, sign: int) -> None:
    """Add the quartets of two and two colours, resolved and not, with all rows in a colour, or take them off."""
    whole = _smaller(part, part.first, part.first, _two(colour, colour)).above
    found[0] += sign * whole[0, INSIDE]
    if whole.shape[1] > RESOLVED:
        found[1] += sign * whole[0, STAR]


@njit
def _parts(part: _Part, low: IntArray, high: IntArray, colours: tuple[int, int]) -> list[_Part]:
    """Return the part for each of some ranges of rows, in order, when those before and after it have the two colours.

    The ranges are halved, by their rows, again and again, and so are the parts: for n rows, and ranges of k rows, it
    takes O(k log(n / k)) steps for each.
    """
    waiting = [(part, 0, low.size)]
    found = [part for _ in range(0)]
    while len(waiting) > 0:
        if stopped():
            break
        it, i, j = waiting.pop()
        if low[i] > it.first or high[j - 1] < it.first + it.node.size:
            it = _smaller(it, low[i], high[j - 1], colours)
        if j - i == 1:
            found.append(it)
            continue
        middle = (low[i] + high[j - 1]) // 2
        k = np.searchsorted(low[i + 1 : j - 1], middle) + i + 1
        if k > i + 1 and middle - low[k - 1] < low[k] - middle:
            k -= 1
        waiting.append((it, k, j))
        waiting.append((it, i, k))
    return found


@njit
def _alone(part: _Part, low: int, high: int) -> _Part:
    """Return a part without any colours but 0 for the items of some rows."""
    own = np.zeros_like(part.own)
    for r in range(low - part.first, high - part.first):
        own[part.node[r], 0] += part.items[r]
    above, light = np.zeros_like(part.above), np.zeros_like(part.light)
    return _Part(part.first, part.items, part.node, part.parent, above, own, light)


@njit
def _n_below(rows: Rows, v: int) -> int:
    """Return the number of items at or below a node of the first tree, 2 for more."""
    found = 0
    for r in range(rows.low[v], min(rows.low[v] + 2, rows.high[v])):
        found += min(rows.items[r], 2)
    return min(found, 2)


@njit
def _light_children(rows: Rows, a: Paths, path: IntArray) -> tuple[IntArray, IntArray]:
    """Return the children of two items or more beside a path, in the order of their rows, and how many up to each node.

    The path is that of its nodes from below.
    """
    n = 0
    for v in path:
        n += rows.start[v + 1] - rows.start[v]
    lights, end = np.empty(n, dtype=np.int64), np.empty(path.size + 1, dtype=np.int64)
    n = end[0] = 0
    for k in range(path.size):
        v = path[k]
        for i in range(rows.start[v + 1] - 1, rows.start[v] - 1, -1):
            c = rows.child[i]
            if a.top[c] == c and _n_below(rows, c) > 1:
                lights[n] = c
                n += 1
        end[k + 1] = n
    return lights[:n], end


@njit
def _take_off_node(found: IntArray, part: _Part, rows: Rows, lights: IntArray, is_binary: bool) -> None:
    """Take off the quartets parted at both ends by a node of the first tree.

    The rows of the part are those that join at the node; the items of the child on its heavy path are coloured 1,
    those outside 0. ``lights`` are its other children.
    """
    if is_binary:
        _count(found, part, 2, -1)
        return
    _count(found, part, _NONE, lights.size - 1)
    if lights.size == 0:
        return
    low, high = rows.low[lights], rows.high[lights]
    for each in _parts(part, low, high, _two(_NONE, _NONE)):
        _count(found, each, 2, -1)
    for i in range(lights.size - 1):
        if stopped():
            break
        apart = _alone(part, low[i], high[i])
        for each in _parts(apart, low[i + 1 :], high[i + 1 :], _two(_NONE, _NONE)):
            _count(found, each, 1, -1)


@njit
def _climb(found: IntArray, part: _Part, rows: Rows, a: Paths, path: IntArray) -> IntArray:
    """Count the quartets of a heavy path, given by its nodes from below; return the children of `_light_children`.

    The rows of the part are those below the path; all other items are coloured 0.
    """
    high = rows.high[path]
    low = np.append(rows.low[path[:1]], high[:-1])
    lights, end = _light_children(rows, a, path)
    joining = _parts(part, low, high, _two(1, 0))
    for k in range(len(joining)):
        v = path[k]
        if k > 0:
            is_binary = rows.start[v + 1] - rows.start[v] + rows.n_own[v] == 2
            _take_off_node(found, joining[k], rows, lights[end[k] : end[k + 1]], is_binary)
        if a.parent[v] >= 0:
            _count(found, joining[k], 1, 1)
    return lights


@njit
def count_quartets(a: Paths, rows: Rows, b: IntArray, n_columns: int) -> IntArray:
    """Return the number of quartets that both trees resolve alike, and of those that only the first resolves.

    A quartet ab|cd of the first tree is parted, ab from cd, by the branches of a path, one more than the nodes inside
    it. So it counts once among the quartets parted by each branch less those that each node has two and two in two of
    its parts. Each heavy path of the first tree is climbed: the items below are coloured 1, those that join at the next
    node 2, all others 0; the second tree, with parents ``b``, then tells how many of these quartets it parts alike. For
    each node only that part of the second tree is left in which the items that join there are: O(n log n) steps in all,
    but for nodes with d light children of two or more items, which take up to d times as many.

    The second number is counted only for ``n_columns`` STARS; it is 0 for RESOLVED.
    """
    found = np.zeros(2, dtype=np.int64)
    node_at = np.empty_like(a.place)
    for v in range(a.place.size):
        node_at[a.place[v]] = v
    waiting = [(a.parent.size - 1, _whole(b, rows.node_b, rows.items, n_columns))]
    while len(waiting) > 0:
        if stopped():
            break
        t, part = waiting.pop()
        path = node_at[a.place[t] : a.place[t] + a.length[t]][::-1].copy()
        lights = _climb(found, part, rows, a, path)
        if lights.size > 0:
            parts = _parts(part, rows.low[lights], rows.high[lights], _two(0, 0))
            for k in range(len(parts)):
                waiting.append((lights[k], parts[k]))
    return found
