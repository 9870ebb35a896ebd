"""Sums over pairs of items of the product of their values in two trees, and of the square of their difference."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.measures import cophenetic_correlation as kernels
from dendrometry._typing import FloatArray, IntArray, Values
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.pair import Pair, Tree, joined_pairs

_HALF = 31  # bits of whole numbers whose products are whole numbers of 64 bits


def sum_of_products(pair: Pair, value_a: FloatArray, value_b: FloatArray) -> float:
    """Return the sum, over pairs of items, of the value of their lowest common node in both trees.

    O(n log n) time, O(n) space.
    """
    return float((value_b * _Halving(pair).sums(value_a)).sum())


def sum_of_squared_differences(pair: Pair, value_a: IntArray, value_b: IntArray) -> int:
    """Return the sum, over pairs of items, of the squared difference of the values of their lowest common nodes, exact.

    Values are at least 0. The time is that of `sum_of_products`, more than once if the sum of all values in a tree may
    exceed 63 bits.
    """
    halving, product = _Halving(pair), 0
    n_bits = 63 - pair.n_pairs.bit_length()  # of the values that are summed at once
    for shift in range(0, int(value_a.max()).bit_length(), n_bits):
        product += exact_dot(value_b, halving.sums((value_a >> shift) & ((1 << n_bits) - 1))) << shift
    return _sum_of_squares(pair.a, value_a) + _sum_of_squares(pair.b, value_b) - 2 * product


def steps_to_multiply(pair: Pair) -> int:
    """Return about how many steps it takes."""
    n = pair.count.size
    return n * n.bit_length() * 3 // 2


def _sum_of_squares(tree: Tree, value: IntArray) -> int:
    """Return the sum, over pairs of items, of the square of the value of their lowest common node, exact."""
    pairs = joined_pairs(tree)
    shifts = range(0, int(value.max()).bit_length(), _HALF)
    parts = [(shift, (value >> shift) & ((1 << _HALF) - 1)) for shift in shifts]
    return sum(exact_dot(pairs, x * y) << (i + j) for i, x in parts for j, y in parts)


class _Halving:
    """The rows of a pair in the orders of both trees, ready for values of the first."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.order_a, self.order_b = _order(pair.a), _order(pair.b)

    def sums(self, value: Values) -> Values:
        """Return, for each node of the second tree, the sum of the values in the first of the pairs that join there."""
        a, b, count = self.pair.a, self.pair.b, self.pair.count
        sums = kernels.sums_at_nodes(self.order_a, self.order_b, count, value, b.parent.size)
        many = np.flatnonzero(count > 1)
        np.add.at(sums, b.node[many], count[many] * (count[many] - 1) // 2 * value[a.node[many]])
        return sums


def _order(tree: Tree) -> kernels.Order:
    """Return the rows of a tree in an order in which those of every node are adjacent. O(n)."""
    n = tree.node.size
    place, start = np.empty(n, dtype=np.int32), np.empty(tree.n_first, dtype=np.int32)
    joint, at = (np.zeros(shape, dtype=np.int32) for shape in ((n, 2), (tree.parent.size - tree.n_first, 4)))
    order = kernels.Order(place, joint, np.zeros(n + 1, dtype=np.int32), np.empty(n - 1, dtype=np.int32))
    kernels.order_by_paths(tree.parent, tree.node, at, start, order)
    return order
