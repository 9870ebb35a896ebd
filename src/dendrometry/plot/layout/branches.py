"""Branches: the place of every node of a tree, along the leaves and towards the root."""

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import one_of
from dendrometry._kernels import tree as walks
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.plot import branches as kernels
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

__all__ = ["Branches", "By", "branches", "levels_of", "starts"]

By = Literal["auto", "height", "depth", "level"]


class Branches(NamedTuple):
    """The place of every node. Slots are counted along the leaves from 0, one for each node that owns items.

    Attributes
    ----------
    slot_node : (n_slots,) array of int
        The node of each slot: all leaves, and the inner nodes that own items.
    slot : (n_nodes,) array of int
        The slot of each node; -1 where it owns no item.
    low, high : (n_nodes,) array of float
        From where to where the bar of a node goes: its outermost children, its own slot included.
    level : (n_nodes,) array of float
        How far each node lies towards the root.
    """

    slot_node: IntArray
    slot: IntArray
    low: FloatArray
    high: FloatArray
    level: FloatArray

    @property
    def position(self) -> FloatArray:
        """The place of each node along the leaves: in the middle over its children."""
        return (self.low + self.high) / 2.0

    @property
    def base(self) -> float:
        """The lowest level, where names stand."""
        return float(self.level.min())

    @property
    def span(self) -> float:
        """The distance between the lowest and the highest level; 1 if there is none."""
        return float(np.ptp(self.level)) or 1.0

    def stems(self, parent: IntArray) -> FloatArray:
        """Return (n_nodes - 1, 2, 2): from each node but the root to its parent's level, as (position, level)."""
        position, level = self.position[:-1], self.level
        return np.stack([np.column_stack([position, level[:-1]]), np.column_stack([position, level[parent[:-1]]])], 1)

    def bars(self) -> FloatArray:
        """Return (n_nodes, 2, 2): the bar of each node over its children, as (position, level)."""
        return np.stack([np.column_stack([self.low, self.level]), np.column_stack([self.high, self.level])], 1)

    def guides(self, closed: BoolArray) -> FloatArray:
        """Return (n, 2, 2): from each slot's node down to the base, for those that lie above it and are not closed."""
        above = self.slot_node[(self.level[self.slot_node] > self.base) & ~closed[self.slot_node]]
        slot = self.slot[above].astype(np.float64)
        foot = np.column_stack([slot, np.full(above.size, self.base)])
        return np.stack([np.column_stack([slot, self.level[above]]), foot], 1)

    def inverted(self, parent: IntArray) -> BoolArray:
        """Return for each node but the root whether its parent lies lower than itself."""
        lower: BoolArray = self.level[parent[:-1]] < self.level[:-1]
        return lower


def branches(tree: Hierarchy, *, by: By = "auto", key: NDArray[Any] | None = None) -> Branches:
    """Return the place of every node of a tree.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    by : {"auto", "height", "depth", "level"}
        What a node's level is: its height; minus its number of edges from the root; or the number of edges to its
        farthest leaf. "auto" takes heights where the tree has them, else levels.
    key : (n_nodes,) array, optional
        The children of each node are laid out by ascending key; by default by node number. Items of the node itself
        come before its children.

    Returns
    -------
    Branches
        Every subtree is a run of slots, so nothing crosses. O(n), or O(n log n) with a key; no recursion.
    """
    start = starts(tree, (tree.own_sizes > 0).astype(np.int64), key)
    slot = np.where(tree.own_sizes > 0, start, -1)
    owner = np.flatnonzero(tree.own_sizes)
    slot_node = np.empty(owner.size, dtype=np.int64)
    slot_node[slot[owner]] = owner
    low, high = kernels.extents(tree.parent, slot)
    return Branches(slot_node, slot, low, high, levels_of(tree, by))


def starts(tree: Hierarchy, own: IntArray, key: NDArray[Any] | None = None) -> IntArray:
    """Return where the span of each node starts, if every node itself takes ``own`` places, before its children."""
    weight = walks.accumulate_sum(tree.parent, own)
    if key is None:
        return walks.spans(tree.parent, weight)
    visit = np.lexsort((-key[:-1], -tree.parent[:-1]))
    return kernels.ordered_spans(tree.parent, weight, visit)


def levels_of(tree: Hierarchy, by: By) -> FloatArray:
    """Return the level of each node, see `branches`."""
    one_of(by, "by", get_args(By))
    if by == "height" and tree.height is None:
        raise InvalidInputError("the tree has no heights; by='level' or by='depth' draws it without")
    if by == "depth":
        return -tree.depths.astype(np.float64)
    if by == "level" or tree.height is None:
        return kernels.levels(tree.parent)
    return tree.height
