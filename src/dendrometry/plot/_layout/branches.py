"""Branch layout: the position of each node of a tree along the leaves and towards the root."""

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import one_of
from dendrometry._kernels import tree as walks
from dendrometry._kernels.plot import branches as kernels
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy

By = Literal["auto", "height", "depth", "level"]


class Branches(NamedTuple):
    """The position of each node. Slots are numbered along the leaves from 0, one for each node that has its own items.

    Attributes
    ----------
    slot_node : (n_slots,) array of int
        The node of each slot: all leaves, and the inner nodes that have their own items.
    slot : (n_nodes,) array of int
        The slot of each node; -1 if it has no items of its own.
    low, high : (n_nodes,) array of float
        The start and end of the bar of each node: its outermost children, including its own slot.
    level : (n_nodes,) array of float
        The position of each node towards the root.
    """

    slot_node: IntArray
    slot: IntArray
    low: FloatArray
    high: FloatArray
    level: FloatArray

    @property
    def position(self) -> FloatArray:
        """The position of each node along the leaves: the midpoint of its children."""
        return (self.low + self.high) / 2.0

    @property
    def base(self) -> float:
        """The lowest level, where the names are written."""
        return float(self.level.min())

    @property
    def span(self) -> float:
        """The distance between the lowest and the highest level, or 1 if they are equal."""
        return float(np.ptp(self.level)) or 1.0

    def stems(self, parent: IntArray) -> FloatArray:
        """Return (n_nodes - 1, 2, 2): lines from each non-root node to its parent's level, as (position, level)."""
        position, level = self.position[:-1], self.level
        return np.stack([np.column_stack([position, level[:-1]]), np.column_stack([position, level[parent[:-1]]])], 1)

    def bars(self) -> FloatArray:
        """Return (n_nodes, 2, 2): the bar of each node above its children, as (position, level)."""
        return np.stack([np.column_stack([self.low, self.level]), np.column_stack([self.high, self.level])], 1)

    def guides(self, closed: BoolArray) -> FloatArray:
        """Return (n, 2, 2): lines to the base from each slot's node that is above the base and not collapsed."""
        above = self.slot_node[(self.level[self.slot_node] > self.base) & ~closed[self.slot_node]]
        slot = self.slot[above].astype(np.float64)
        foot = np.column_stack([slot, np.full(above.size, self.base)])
        return np.stack([np.column_stack([slot, self.level[above]]), foot], 1)

    def inverted(self, parent: IntArray) -> BoolArray:
        """Return for each non-root node whether its parent is lower than the node."""
        lower: BoolArray = self.level[parent[:-1]] < self.level[:-1]
        return lower


def branches(tree: Hierarchy, *, by: By = "auto", key: NDArray[Any] | None = None) -> Branches:
    """Return the position of each node of a tree.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    by : {"auto", "height", "depth", "level"}
        The level of a node: its height, minus its number of edges from the root, or the number of edges to its
        farthest leaf. "auto" uses heights if the tree has them, otherwise "level".
    key : (n_nodes,) array, optional
        The children of each node are arranged by ascending key; by default by node index. The items of the node itself
        precede its children.

    Returns
    -------
    Branches
        Each subtree occupies contiguous slots, so branches never cross. O(n), or O(n log n) with a key; no recursion.
    """
    start = starts(tree, (tree.own_sizes > 0).astype(np.int64), key)
    slot = np.where(tree.own_sizes > 0, start, -1)
    owner = np.flatnonzero(tree.own_sizes)
    slot_node = np.empty(owner.size, dtype=np.int64)
    slot_node[slot[owner]] = owner
    low, high = kernels.extents(tree.parent, slot)
    return Branches(slot_node, slot, low, high, node_levels(tree, by))


def starts(tree: Hierarchy, own: IntArray, key: NDArray[Any] | None = None) -> IntArray:
    """Return the start of each node's span if the node itself takes ``own`` positions before its children."""
    weight = walks.accumulate_sum(tree.parent, own)
    if key is None:
        return walks.spans(tree.parent, weight)
    children = tree.children
    return kernels.ordered_spans(weight, np.array(key, dtype=np.float64), children.start, children.node.copy())


def node_levels(tree: Hierarchy, by: By) -> FloatArray:
    """Return the level of each node; see `branches`."""
    one_of(by, "by", get_args(By))
    if by == "height" and tree.height is None:
        remedies = (Remedy("by", way, "draws it without") for way in ("level", "depth"))
        raise InvalidInputError("the tree must have heights to be drawn by them; it has none", *remedies)
    if by == "depth":
        return -tree.depths.astype(np.float64)
    if by == "level" or tree.height is None:
        return kernels.levels(tree.parent)
    return tree.height
