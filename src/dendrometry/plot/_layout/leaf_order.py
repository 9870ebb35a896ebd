"""Leaf order: an ordering of the children of a tree that puts similar items next to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import whole_number
from dendrometry._check.points import Prepared, in_units, points_of_items, prepare_points, require_dense
from dendrometry._exact import total
from dendrometry._html import preview
from dendrometry._kernels import tree as walks
from dendrometry._memory import require_memory
from dendrometry._typing import FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.plot._layout.branches import starts

OrderMetric = Literal["euclidean", "sqeuclidean", "cosine"]
_FEW_ITEMS = 1_500  # up to this many items the shortest order takes about a second
_ENDS = 32
_CELLS = 2**16  # sums that are looked at together


@dataclass(frozen=True, eq=False, repr=False)
class LeafOrder(Frozen):
    """A tree with its children ordered so that neighbouring items are near each other.

    Attributes
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree.
    order : (n_items,) array of int
        The items in their order.
    key : (n_nodes,) array of int
        The position of the first item of each node: children of a node are arranged by ascending key.
    length, length_given : float
        The sum of the distances between neighbours, in this order and in that of the tree.
    is_shortest : bool
        Whether no order that the tree allows is shorter.
    """

    tree: Hierarchy
    order: IntArray
    key: IntArray
    length: float
    length_given: float
    is_shortest: bool

    def _repr_html_(self) -> str:
        return preview(repr(self), {"item": [self.tree.items[i] for i in self.order[:20].tolist()]}, self.order.size)

    def __repr__(self) -> str:
        sure = ", the shortest" if self.is_shortest else ""
        return f"LeafOrder({self.order.size:,} items, length {self.length:.4g} from {self.length_given:.4g}{sure})"


class _Block(NamedTuple):
    """The best orders of a cluster: ``cost[i, j]`` is the least length with the ends ``left[i]`` and ``right[j]``.

    ``left`` and ``right`` are positions among the ends of the parts ``a`` and ``b``, ``item`` the items at all ends:
    first those of the left, then those of the right. A single item has no parts and is its only end.
    """

    a: int
    b: int
    left: IntArray
    right: IntArray
    item: IntArray
    cost: FloatArray

    def inner(self, outer: int) -> tuple[IntArray, FloatArray]:
        """Return the ends that can be opposite an end, and the lengths of the orders between them."""
        if self.a < 0:
            return np.zeros(1, dtype=np.int64), np.zeros(1)
        if outer < self.left.size:
            return self.left.size + np.arange(self.right.size), self.cost[outer]
        return np.arange(self.left.size), self.cost[:, outer - self.left.size]


def leaf_order(
    tree: HierarchyLike, X: Any, *, metric: OrderMetric = "euclidean", max_ends: int | None = None
) -> LeafOrder:
    """Return the order of a tree's items in which neighbours are near each other: the children of nodes are swapped.

    The length of an order is the sum of the distances between neighbouring items. Of the 2**(n - 1) orders that a
    binary tree allows, the shortest is found by dynamic programming [1]_: for each node, and each pair of items at the
    two ends of its block, the shortest order of the block. That takes O(n**3) time and O(n**2) memory. For larger trees
    each node keeps only the ``max_ends`` best items at either end, which takes O(n) time and memory.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        Any tree. Where a node has more than two parts, these are joined one after the other; where it has items of its
        own beside children, these come first.
    X : (n_items, d) array of float
        The points of the items, in the order of ``tree.items``; the index of a data frame names the items.
    metric : {"euclidean", "sqeuclidean", "cosine"}
        The distance between points.
    max_ends : int, optional
        The number of items kept at either end of a block; by default all up to 1,500 items, else 32.

    Returns
    -------
    LeafOrder
        The order, its length beside that of the given order, and whether it is the shortest. That is certain if the
        tree is binary and no item at an end was left out. If the order found is longer than the given one, the given
        one is returned.

    Raises
    ------
    InvalidInputError
        If the points are invalid, sparse or not as many as the items, or the metric is unknown.

    References
    ----------
    .. [1] Z. Bar-Joseph, D. K. Gifford, T. S. Jaakkola, "Fast optimal leaf ordering for hierarchical clustering",
       Bioinformatics 17 (2001), S22-S29, doi:10.1093/bioinformatics/17.suppl_1.S22.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.plot import leaf_order
    >>> points = [[0.0], [4.0], [1.0], [5.0], [9.0]]
    >>> found = leaf_order(agglomerate(points).hierarchy, points)
    >>> found
    LeafOrder(5 items, length 9 from 15, the shortest)
    >>> found.order.tolist()
    [0, 2, 1, 3, 4]
    """
    tree = as_hierarchy(tree)
    one_of(metric, "metric", get_args(OrderMetric))
    points = points_of_items(X, tree.items)
    require_dense(points, "an order of leaves")
    most = (tree.n_items if tree.n_items <= _FEW_ITEMS else _ENDS) if max_ends is None else max_ends
    most = whole_number(most, "max_ends", 1)
    cells = tree.n_items * min(most, tree.n_items)
    require_memory(8 * cells, f"the lengths of {cells:,} orders", "A smaller max_ends needs less.")
    prepared = prepare_points(points, metric)
    place, is_shortest = _shortest(prepared, _joins(tree), most)
    given = tree.order.item
    first = walks.accumulate_minimum(tree.parent, _first_of_own(tree, place))
    key = starts(tree, tree.own_sizes, first)
    order = np.lexsort((place, key[tree.item_node]))
    lengths = [_length(prepared, some) for some in (order, given)]
    if lengths[0] > lengths[1]:
        order, key, lengths[0] = given, tree.order.item_low, lengths[1]
    found, before = in_units(np.array(lengths), prepared.exponent).tolist()
    return LeafOrder(tree, order, key, found, before, is_shortest and _is_dendrogram(tree))


def _joins(tree: Hierarchy) -> list[tuple[int, int]]:
    """Return the tree as joins of two blocks; blocks are the items from 0, then the joins."""
    child, parts = tree.children, tree.own_sizes.tolist()
    item, low = tree.order.item.tolist(), tree.order.item_low.tolist()
    start, node = child.start.tolist(), child.node.tolist()
    joins: list[tuple[int, int]] = []
    block = [-1] * tree.n_nodes
    for v in range(tree.n_nodes):
        pieces = item[low[v] : low[v] + parts[v]] + [block[c] for c in node[start[v] : start[v + 1]]]
        block[v] = pieces[0]
        for piece in pieces[1:]:
            joins.append((block[v], piece))
            block[v] = tree.n_items + len(joins) - 1
    return joins


def _shortest(prepared: Prepared, joins: list[tuple[int, int]], most: int) -> tuple[IntArray, bool]:
    """Return the position of each item in the shortest order found, and whether all ends were kept."""
    none = np.zeros(0, dtype=np.int64)
    n = len(prepared.points)
    blocks = [_Block(-1, -1, none, none, np.array([i]), np.zeros((1, 1))) for i in range(n)]
    is_shortest = True
    for a, b in joins:
        blocks.append(_join(prepared, blocks, (a, b), most))
        is_shortest &= blocks[-1].cost.size == blocks[a].item.size * blocks[b].item.size
    place = np.empty(n, dtype=np.int64)
    if not joins:
        place[0] = 0
        return place, True
    left, right = divmod(int(blocks[-1].cost.argmin()), blocks[-1].right.size)
    stack = [(len(blocks) - 1, left, blocks[-1].left.size + right)]
    n_placed = 0
    while stack:
        v, first, last = stack.pop()
        if blocks[v].a < 0:
            place[v] = n_placed
            n_placed += 1
        else:
            stack.extend(reversed(_halves(prepared, blocks, (v, first, last))))
    return place, is_shortest


def _join(prepared: Prepared, blocks: list[_Block], pair: tuple[int, int], most: int) -> _Block:
    """Return the best orders of two blocks side by side, for the best items at either end."""
    a, b = (blocks[i] for i in pair)
    between = _distances(prepared, a.item, b.item)
    cost = _across(b, _across(a, between).T).T
    left, right = _best(cost, most), _best(cost.T, most)
    if cost.shape != (left.size, right.size):
        cost = cost[left][:, right]
    return _Block(*pair, left, right, np.concatenate((a.item[left], b.item[right])), cost)


def _across(block: _Block, onward: FloatArray) -> FloatArray:
    """Return, for each end of a block, the shortest way across it and on: ``onward`` are the ways on from its ends."""
    if block.a < 0:
        return onward
    n = block.left.size
    return np.concatenate((_shortest_ways(block.cost, onward[n:]), _shortest_ways(block.cost.T, onward[:n])))


def _shortest_ways(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the shortest ways by the first and then the second: a matrix product with sums and minima."""
    ways = np.empty((first.shape[0], second.shape[1]))
    rows = max(1, _CELLS // second.size)
    for start in range(0, len(ways), rows):
        ways[start : start + rows] = (first[start : start + rows, :, None] + second).min(axis=1)
    return ways


def _best(cost: FloatArray, most: int) -> IntArray:
    """Return the rows with the lowest costs, at most so many, in ascending order."""
    if len(cost) <= most:
        return np.arange(len(cost))
    return np.sort(np.argsort(cost.min(axis=1), kind="stable")[:most])


def _halves(prepared: Prepared, blocks: list[_Block], state: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Return the two parts of a block in their order, each with its first and last end."""
    v, first, last = state
    block = blocks[v]
    a_first = first < block.left.size
    left, right = (first, last) if a_first else (last, first)
    a, b = blocks[block.a], blocks[block.b]
    u, w = int(block.left[left]), int(block.right[right - block.left.size])
    (inner_a, cost_a), (inner_b, cost_b) = a.inner(u), b.inner(w)
    m = k = 0
    if inner_a.size > 1 or inner_b.size > 1:
        between = _distances(prepared, a.item[inner_a], b.item[inner_b])
        m, k = divmod(int((cost_a[:, None] + between + cost_b).argmin()), inner_b.size)
    ends = (block.a, u, int(inner_a[m])), (block.b, int(inner_b[k]), w)
    return list(ends) if a_first else [(i, y, x) for i, x, y in reversed(ends)]


def _distances(prepared: Prepared, a: IntArray, b: IntArray) -> FloatArray:
    """Return the distances between two sets of items."""
    from scipy.spatial.distance import cdist

    squared: FloatArray = prepared.alpha * cdist(prepared.points[a], prepared.points[b], "sqeuclidean")
    return np.sqrt(squared) if prepared.root else squared


def _length(prepared: Prepared, order: IntArray) -> float:
    """Return the sum of the distances between neighbours."""
    steps = np.diff(prepared.points[order], axis=0)
    squared = prepared.alpha * np.einsum("ij,ij->i", steps, steps)
    return total(np.sqrt(squared) if prepared.root else squared)


def _first_of_own(tree: Hierarchy, place: IntArray) -> IntArray:
    """Return the first position of the items that belong to each node itself."""
    first = np.full(tree.n_nodes, tree.n_items)
    np.minimum.at(first, tree.item_node, place)
    return first


def _is_dendrogram(tree: Hierarchy) -> bool:
    """Whether every node has one item or two children."""
    parts = tree.own_sizes + tree.n_children
    return bool(((parts == 1) | (parts == 2) & (tree.own_sizes == 0)).all())
