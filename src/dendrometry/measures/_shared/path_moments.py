"""The mean of a sum of squared differences over all relabellings, from sums over the pairs of either tree."""

from __future__ import annotations

from typing import NamedTuple

from dendrometry._typing import IntArray
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.pair import Tree, joined_pairs


class Moments(NamedTuple):
    """The sum of a number over all pairs of items of a tree, and the sum of its squares: exact."""

    sum: int
    squares: int


def moments_at_nodes(tree: Tree, value: IntArray) -> Moments:
    """Return the moments of a number that pairs have from their lowest common node. O(n)."""
    pairs = joined_pairs(tree)
    return Moments(exact_dot(pairs, value), exact_dot(pairs, value * value))


def expected_square(a: Moments, b: Moments, n_pairs: int) -> float:
    """Return the mean, over all relabellings, of the sum of the squared differences: each pair meets each as often."""
    return (n_pairs * (a.squares + b.squares) - 2 * a.sum * b.sum) / max(n_pairs, 1)
