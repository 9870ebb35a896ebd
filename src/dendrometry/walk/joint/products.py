"""Sums over pairs of items of the product of their values in two trees, and of the square of their difference."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.measures import cophenetic_correlation as kernels
from dendrometry.walk.joint.joint import Joint, steps_down
from dendrometry.walk.pair import Pair, joined_pairs
from dendrometry.walk.spans import spans

__all__ = ["steps_to_multiply", "sum_of_products", "sum_of_squared_differences"]

_DEEP = 8  # times log2 n: the mean depth of trees from which heavy paths are faster


def sum_of_products(pair: Pair, value_a: FloatArray, value_b: FloatArray) -> float:
    """Return the sum, over pairs of items, of the value of their lowest common node in both trees. O(n) space.

    If one of the trees is shallow, it is gone down, in as many steps as it has rows at all of its nodes. Two deep trees
    are compared along their heavy paths, in O(n log**3 n) time.
    """
    steps_a, steps_b = steps_down(pair.a), steps_down(pair.b)
    if min(steps_a, steps_b) > _most_steps(pair):
        return _along_paths(pair, value_a, value_b)
    if steps_b < steps_a:
        return Joint.of(pair.b, pair.a, pair.count).sum_of_products(_rises(pair.b.parent, value_b), value_a)
    return Joint.of(pair.a, pair.b, pair.count).sum_of_products(_rises(pair.a.parent, value_a), value_b)


def sum_of_squared_differences(pair: Pair, value_a: FloatArray, value_b: FloatArray) -> float:
    """Return the sum, over pairs of items, of the squared difference of the values of their lowest common nodes."""
    squares = sum(
        float((joined_pairs(tree) * value * value).sum()) for tree, value in ((pair.a, value_a), (pair.b, value_b))
    )
    return max(0.0, squares - 2.0 * sum_of_products(pair, value_a, value_b))


def steps_to_multiply(pair: Pair) -> int:
    """Return about how many steps it takes."""
    n = pair.count.size
    return min(steps_down(pair.a), steps_down(pair.b), n * n.bit_length() ** 2)


def _most_steps(pair: Pair) -> int:
    """Return the number of steps down a tree from which heavy paths are faster."""
    return _DEEP * pair.count.size * pair.count.size.bit_length()


def _rises(parent: IntArray, value: FloatArray) -> FloatArray:
    """Return the value of each node less that of its parent."""
    rise = value.copy()
    rise[:-1] -= value[parent[:-1]]
    return rise


def _along_paths(pair: Pair, value_a: FloatArray, value_b: FloatArray) -> float:
    """Return the sum along the heavy paths of both trees."""
    in_a = spans(pair.a)
    start = np.zeros(pair.a.parent.size + 1, dtype=np.int64)
    np.cumsum(pair.a.n_children, out=start[1:])
    child = np.argsort(pair.a.parent[:-1], kind="stable")
    paths_a, paths_b = (kernels.heavy_paths(tree.parent, tree.size) for tree in (pair.a, pair.b))
    node_b = pair.b.node[in_a.row]
    rows_at = np.bincount(node_b, minlength=pair.b.parent.size)
    lone = (pair.b.n_children == 0) & (rows_at == 1) & (paths_b.top == np.arange(rows_at.size))
    node_b = np.where(lone[node_b], pair.b.parent[node_b], node_b)
    rows = kernels.Rows(pair.count[in_a.row], node_b, in_a.low, in_a.high, in_a.n_own, start, child)
    product = float(kernels.sum_of_products(paths_a, value_a, paths_b, value_b, rows))
    inside = pair.count * (pair.count - 1) // 2
    return product + float((inside * value_a[pair.a.node] * value_b[pair.b.node]).sum())
