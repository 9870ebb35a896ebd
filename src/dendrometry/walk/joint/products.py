"""Sums over pairs of items of the product of their values in two trees, and of the square of their difference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels._jit import FloatArray, IntArray, Values
from dendrometry._kernels.measures import cophenetic_correlation as kernels
from dendrometry.walk.contraction import exact_dot
from dendrometry.walk.joint.joint import Joint, steps_down
from dendrometry.walk.pair import Pair, Tree, joined_pairs
from dendrometry.walk.spans import spans

__all__ = ["steps_to_multiply", "sum_of_products", "sum_of_squared_differences"]

_DEEP = 8  # times log2 n: the mean depth of trees from which heavy paths are faster


def sum_of_products(pair: Pair, value_a: FloatArray, value_b: FloatArray) -> float:
    """Return the sum, over pairs of items, of the value of their lowest common node in both trees. O(n) space.

    If one of the trees is shallow, it is gone down, in as many steps as it has rows at all of its nodes. Two deep trees
    are compared along their heavy paths, in O(n log**3 n) time.
    """
    walk = _walk(pair)
    value, other = (value_b, value_a) if walk.swapped else (value_a, value_b)
    return float((walk.factors(value) * walk.sums(other)).sum())


def sum_of_squared_differences(pair: Pair, value_a: IntArray, value_b: IntArray) -> int:
    """Return the sum, over pairs of items, of the squared difference of the values of their lowest common nodes, exact.

    Values are at least 0 and do not increase towards the root. The time is that of `sum_of_products`, more than once if
    the sum of all values in a tree may exceed 63 bits.
    """
    walk = _walk(pair)
    value, other = (value_b, value_a) if walk.swapped else (value_a, value_b)
    factors, product = walk.factors(value), 0
    n_bits = 63 - pair.n_pairs.bit_length()  # of the values that are summed at once
    for shift in range(0, int(other.max()).bit_length(), n_bits):
        product += exact_dot(factors, walk.sums((other >> shift) & ((1 << n_bits) - 1))) << shift
    return _sum_of_squares(pair.a, value_a) + _sum_of_squares(pair.b, value_b) - 2 * product


def steps_to_multiply(pair: Pair) -> int:
    """Return about how many steps it takes."""
    n = pair.count.size
    return min(steps_down(pair.a), steps_down(pair.b), n * n.bit_length() ** 2)


def _sum_of_squares(tree: Tree, value: IntArray) -> int:
    """Return the sum, over pairs of items, of the square of the value of their lowest common node, exact."""
    pairs = joined_pairs(tree)
    used = pairs > 0
    return sum(n * x * x for n, x in zip(pairs[used].tolist(), value[used].tolist(), strict=True))


class _Descent(NamedTuple):
    """A shallow tree that is gone down: the value of a pair is the sum of the rises of all nodes with it."""

    tree: Tree
    joint: Joint
    swapped: bool  # whether the tree is the second

    def factors(self, value: Values) -> Values:
        """Return the value of each node less that of its parent."""
        rise = value.copy()
        rise[:-1] -= value[self.tree.parent[:-1]]
        return rise

    def sums(self, value: Values) -> Values:
        """Return, for each node, the sum of the values in the other tree of all pairs of its items."""
        return self.joint.sums_below(value)


class _HeavyPaths(NamedTuple):
    """Two deep trees as heavy paths: the value of a pair is that of the node where it joins."""

    pair: Pair
    paths_a: kernels.Paths
    paths_b: kernels.Paths
    rows: kernels.Rows
    swapped: bool = False

    @classmethod
    def of(cls, pair: Pair) -> _HeavyPaths:
        """Return the paths of both trees. O(n)."""
        in_a = spans(pair.a)
        start = np.zeros(pair.a.parent.size + 1, dtype=np.int64)
        np.cumsum(pair.a.n_children, out=start[1:])
        child = tree_kernels.by_number(pair.a.parent[:-1].copy(), pair.a.parent.size)
        paths_a, paths_b = (kernels.heavy_paths(tree.parent, tree.size) for tree in (pair.a, pair.b))
        node_b = pair.b.node[in_a.row]
        rows_at = np.bincount(node_b, minlength=pair.b.parent.size)
        lone = (pair.b.n_children == 0) & (rows_at == 1) & (paths_b.top == np.arange(rows_at.size))
        node_b = np.where(lone[node_b], pair.b.parent[node_b], node_b)
        rows = kernels.Rows(pair.count[in_a.row], node_b, in_a.low, in_a.high, in_a.n_own, start, child)
        return cls(pair, paths_a, paths_b, rows)

    def factors(self, value: Values) -> Values:
        """Return the values."""
        return value

    def sums(self, value: Values) -> Values:
        """Return, for each node of the first tree, the sum of the values in the second of the pairs that join there."""
        pair = self.pair
        sums = kernels.sums_at_nodes(self.paths_a, self.paths_b, value, self.rows)
        inside = pair.count * (pair.count - 1) // 2
        np.add.at(sums, pair.a.node, inside * value[pair.b.node])
        return sums


def _walk(pair: Pair) -> _Descent | _HeavyPaths:
    """Return the faster way to walk both trees: factors and sums whose products add up to the sum over pairs."""
    steps_a, steps_b = steps_down(pair.a), steps_down(pair.b)
    if min(steps_a, steps_b) > _DEEP * pair.count.size * pair.count.size.bit_length():
        return _HeavyPaths.of(pair)
    if steps_b < steps_a:
        return _Descent(pair.b, Joint.of(pair.b, pair.a, pair.count), True)
    return _Descent(pair.a, Joint.of(pair.a, pair.b, pair.count), False)
