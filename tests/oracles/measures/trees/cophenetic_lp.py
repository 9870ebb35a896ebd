"""The mean of order p of the differences of the two lists of cophenetic heights, one for each pair of items."""

from tests.oracles.sets.trees import Tree
from tests.oracles.tree_pair.contraction import height_moments


def cophenetic_lp(a: Tree, b: Tree, *, p: float = 2.0) -> float | None:
    """The mean of |height in a - height in b|**p to the power 1/p, or None without a pair."""
    in_a, in_b = height_moments(a), height_moments(b)
    powers = [float(abs(in_a[pair] - in_b[pair])) ** p for pair in in_a]
    return (sum(powers) / len(powers)) ** (1.0 / p) if powers else None
