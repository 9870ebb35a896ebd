"""Columns of parents with nodes in any order; most other formats are converted to them first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import float_column, freeze_arrays, int_column, read_only
from dendrometry._check.names import names_of, names_or_numbers
from dendrometry._display import quote_first
from dendrometry._kernels import tree as walks
from dendrometry._kernels.io import parents as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidTreeError
from dendrometry.hierarchy import Hierarchy, require_hierarchy


@freeze_arrays
class Parents(NamedTuple):
    """The columns of a hierarchy, in the order of the arguments of `from_parents`."""

    parent: IntArray
    item_node: IntArray
    height: FloatArray | None
    items: tuple[str, ...]
    node_names: tuple[str, ...]


def from_parents(
    parent: ArrayLike,
    item_node: ArrayLike | None = None,
    height: ArrayLike | None = None,
    item_names: Iterable[str] | None = None,
    node_names: Iterable[str] = (),
) -> Hierarchy:
    """Return the hierarchy of a column of parents, with the nodes in any order.

    Parameters
    ----------
    parent : (n_nodes,) array of int
        The parent of each node, -1 for a root. Several roots are joined under a new root.
    item_node : (n_items,) array of int, optional
        The node of each item, leaf or inner. By default each leaf holds one item, in ascending order of leaves.
    height : (n_nodes,) array of float, optional
        The height of each node, growing towards the root.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    node_names : sequence of str, optional
        The names of the nodes, "" for none.

    Returns
    -------
    Hierarchy
        Nodes are numbered with children first and siblings in the given order. With heights they are in the order of
        merging: by height, where an inverted node counts as high as the highest node below it, with leaves before
        inner nodes of the same height. Nodes with no item at or below them are left out.

    Raises
    ------
    InvalidTreeError
        If a parent does not exist, there is a cycle, no root or no item, or there are several roots with heights (the
        height at which they join is unknown: add a root with a height).

    Examples
    --------
    >>> from dendrometry import from_parents
    >>> print(from_parents([-1, 0, 0, 1, 1], item_names=["owl", "ape", "cat"]).draw())
    •
    ├─ •
    │  ├─ ape
    │  └─ cat
    └─ owl
    """
    given = _parent_column(parent)
    in_order = _is_in_order(given)
    n_roots = 1 if in_order else int((given == -1).sum())
    heights = None if height is None else float_column(height, "height")
    names = names_of(node_names, "node_names")
    _check_lengths(given.size, heights, names)
    if n_roots > 1 and heights is not None:
        raise InvalidTreeError(
            f"a tree with heights must have one root; got {n_roots} (add a root with the height at which they join)"
        )
    if item_node is None:
        is_leaf = np.ones(given.size, dtype=bool)
        is_leaf[given[:-1] if in_order else given[given >= 0]] = False
        at = np.flatnonzero(is_leaf)
    else:
        at = int_column(item_node, "item_node")
        _check_item_nodes(at, given.size)
    item_names = names_or_numbers(None, at.size) if item_names is None else item_names
    if n_roots > 1:
        given = np.append(np.where(given == -1, given.size, given), -1)
        in_order = _is_in_order(given)
        names = (*names, "") if names else names
    order = _merge_order(given, heights, in_order)
    if item_node is not None:
        order = order[_with_items(given, order, at)]
    return _renumber(given, order, at, heights, item_names, names)


def to_parents(tree: Hierarchy) -> Parents:
    """Return the columns of a hierarchy, so that ``from_parents(*to_parents(tree)) == tree``.

    Examples
    --------
    >>> from dendrometry import from_labels, to_parents
    >>> to_parents(from_labels(["pet", "wild", "pet"])).parent.tolist()
    [2, 2, -1]
    """
    require_hierarchy(tree)
    return Parents(tree.parent, tree.item_node, tree.height, tree.items, tree.node_names)


def _parent_column(parent: ArrayLike) -> IntArray:
    """Return a checked column of parents: each is a node or -1, and at least one is -1."""
    column = int_column(parent, "parent")
    if column.size == 0:
        raise InvalidTreeError("a hierarchy must have at least one node; got none")
    if _is_in_order(column):
        return column
    wrong = (column < -1) | (column >= column.size) | (column == np.arange(column.size))
    if wrong.any():
        v = int(np.argmax(wrong))
        raise InvalidTreeError(
            f"the parent of node {v} must be another node, 0 to {column.size - 1}, or -1 for a root; got {column[v]}"
        )
    if not (column == -1).any():
        raise InvalidTreeError(
            "one node must be the root, with parent -1; got none, so every node is on or below a cycle"
        )
    return column


def _check_lengths(n_nodes: int, heights: FloatArray | None, names: tuple[str, ...]) -> None:
    """Refuse columns of nodes that differ in length from the column of parents."""
    if heights is not None and heights.size != n_nodes:
        raise InvalidTreeError(f"height must have one value for each of {n_nodes:,} nodes; got {heights.size:,}")
    if names and len(names) != n_nodes:
        raise InvalidTreeError(f"node_names must be as many as the nodes, {n_nodes:,}; got {len(names):,}")


def _check_item_nodes(at: IntArray, n_nodes: int) -> None:
    """Refuse items that belong to no node."""
    outside = (at < 0) | (at >= n_nodes)
    if outside.any():
        i = int(np.argmax(outside))
        raise InvalidTreeError(f"item {i} must belong to a node from 0 to {n_nodes - 1}; got {at[i]}")
    if at.size == 0:
        raise InvalidTreeError("a hierarchy must have at least one item; got none")


def _is_in_order(parent: IntArray) -> bool:
    """Whether children come first and the only root is last."""
    n = parent.size
    return bool(parent[-1] == -1 and parent.max() < n and (parent[:-1] > np.arange(n - 1)).all())


def _merge_order(parent: IntArray, heights: FloatArray | None, in_order: bool) -> IntArray:
    """Return the nodes with children first and, if there are heights, in the order of merging."""
    n = parent.size
    order = np.arange(n) if in_order else kernels.post_order(parent, int(np.argmin(parent)))
    if order.size < n:
        stuck = np.setdiff1d(np.arange(n), order, assume_unique=True)
        raise InvalidTreeError(
            f"the nodes must form a tree; these lie on a cycle or below one: {quote_first(stuck.tolist())}"
        )
    if heights is None:
        return order
    above = parent if in_order else read_only(_above(parent, order))
    merges = kernels.Merges(np.empty(n, dtype=np.int64), np.empty(n), np.empty(n))
    first = kernels.leaves_first(above, heights if in_order else read_only(heights[order]), merges)
    nodes = merges.node  # those before the first, often all leaves, are in place
    if first < n:
        nodes[first:] = nodes[first:][ascending(merges.formed[first:])]
    return nodes if in_order else order[nodes]


def ascending(keys: FloatArray) -> IntArray:
    """Return the positions of finite keys without -0.0, at least one, in ascending order, equal ones as they come."""
    return kernels.stable_order(keys, kernels.Sorting(*(np.empty(keys.size, dtype=np.int64) for _ in range(4))))


def _above(parent: IntArray, order: IntArray) -> IntArray:
    """Return the position in ``order`` of the parent of each node of ``order``, which ends with the root."""
    number = np.empty(parent.size, dtype=np.int64)
    number[order] = np.arange(parent.size)
    return np.append(number[parent[order[:-1]]], -1)


def _with_items(parent: IntArray, order: IntArray, at: IntArray) -> IntArray:
    """Return the positions in ``order`` of the nodes that hold an item at or below them."""
    own = np.bincount(at, minlength=parent.size)[order]
    positions: IntArray = np.flatnonzero(walks.accumulate_sum(_above(parent, order), own) > 0)
    return positions


def _renumber(
    parent: IntArray,
    order: IntArray,
    at: IntArray,
    heights: FloatArray | None,
    items: Iterable[str],
    names: tuple[str, ...],
) -> Hierarchy:
    """Return the hierarchy of the nodes in ``order``, numbered by it."""
    number, above = np.empty(parent.size, dtype=np.int64), np.empty(order.size, dtype=np.int64)
    kernels.renumber(parent, order, number, above)
    return Hierarchy(
        above,
        None if heights is None else heights[order],
        number[at],
        items,  # type: ignore[arg-type]  # checked and made a tuple by the constructor
        tuple(map(names.__getitem__, order.tolist())) if names else (),
    )
