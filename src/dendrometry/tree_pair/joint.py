"""Joint: at which node of one tree and which of the other pairs of items join, counted on the way down one tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels.tree_pair import joint as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.tree_pair.pair import Tree
from dendrometry.tree_pair.spans import Spans, spans


class Concordance(NamedTuple):
    """Numbers of pairs of pairs of items that join in the same order in both trees, and in opposite orders."""

    concordant: int
    discordant: int


class Joint(NamedTuple):
    """The way down one tree, with the rows of every node in the order of the other."""

    descent: kernels.Descent
    rows: kernels.Rows
    n_nodes: int

    @classmethod
    def of(cls, tree: Tree, other: Tree, count: IntArray) -> Joint:
        """Return the way down a tree. O(n)."""
        down, across = spans(tree), spans(other)
        start = np.zeros(tree.parent.size + 1, dtype=np.int64)
        np.cumsum(tree.n_children, out=start[1:])
        child = tree_kernels.by_number(tree.parent[:-1].copy(), tree.parent.size)
        join = neighbour_joins(other, across)
        rows = kernels.Rows(count[down.row], other.node[down.row], down.place[across.row], join)
        return cls(kernels.Descent(tree.size, down.low, down.high, start, child), rows, other.parent.size)

    def sum_of_powers(self, value: FloatArray, other_value: FloatArray, p: float, unit: float) -> float:
        """Return the sum over pairs of the p-th power of the difference of their values, in some unit.

        The value of a pair in a tree is that of the lowest node with both items.
        """
        return float(kernels.sum_of_powers(self.descent, value, self.rows, other_value, p, unit))

    def count_shared_triples(self) -> int:
        """Return the number of triples of which both trees join the same two items before the third."""
        return int(kernels.count_shared_triples(self.descent, self.rows, self.n_nodes))

    def concordance(self, level: IntArray, other_level: IntArray) -> Concordance:
        """Return how many pairs of pairs join in the same order of levels in both trees, and in opposite orders.

        The nodes of the tree that is gone down ascend by level, and each has a higher level than its children.
        """
        low, high, other_low, other_high = kernels.concordance(self.descent, level, self.rows, other_level).tolist()
        return Concordance(low + (high << kernels.BITS), other_low + (other_high << kernels.BITS))


def neighbour_joins(tree: Tree, order: Spans) -> IntArray:
    """Return the lowest common node of each row and the next in pre-order; the last row has none, 0. O(n)."""
    join = np.zeros(order.row.size, dtype=np.int64)
    inside = order.place + 1 < order.high[tree.node]
    join[order.place[inside]] = tree.node[inside]
    kernels.join_across(tree.parent, order.high, join)
    return join


def steps_down(tree: Tree) -> int:
    """Return the number of rows of all nodes with more than one: the steps of a way down the tree."""
    n_rows = tree_kernels.accumulate_sum(tree.parent, np.bincount(tree.node, minlength=tree.parent.size))
    return int(n_rows[n_rows > 1].sum())
