"""The mean difference of the two lists of cophenetic heights, one for each pair of items."""

from fractions import Fraction

from tests.oracles.sets.trees import Tree
from tests.oracles.tree_pair.contraction import height_moments


def cophenetic_distance(a: Tree, b: Tree) -> Fraction | None:
    """The mean of |height in a - height in b|, or None without a pair."""
    in_a, in_b = height_moments(a), height_moments(b)
    return sum(abs(in_a[pair] - in_b[pair]) for pair in in_a) / Fraction(len(in_a)) if in_a else None
