"""The largest difference of the two lists of cophenetic heights, one for each pair of items."""

from fractions import Fraction

from tests.oracles.sets.trees import Tree
from tests.oracles.tree_pair.contraction import height_moments


def cophenetic_l_infinity(a: Tree, b: Tree) -> Fraction | None:
    """The greatest |height in a - height in b|, or None without a pair."""
    in_a, in_b = height_moments(a), height_moments(b)
    return max((abs(in_a[pair] - in_b[pair]) for pair in in_a), default=None)
