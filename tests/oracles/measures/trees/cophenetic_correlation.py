"""Pearson's correlation of the two lists of cophenetic heights, one for each pair of items."""

import math
from fractions import Fraction

from tests.oracles.sets.trees import Tree
from tests.oracles.tree_pair.contraction import height_moments


def cophenetic_correlation(a: Tree, b: Tree) -> float | None:
    """Covariance over both deviations, or None without a pair, or where all pairs of a tree join at one height."""
    x, y = list(height_moments(a).values()), list(height_moments(b).values())
    if not x:
        return None
    mean_x, mean_y = sum(x) / Fraction(len(x)), sum(y) / Fraction(len(y))
    xy = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True))
    xx, yy = sum((u - mean_x) ** 2 for u in x), sum((v - mean_y) ** 2 for v in y)
    if not xx or not yy:
        return None
    return math.copysign(math.sqrt(xy * xy / (xx * yy)), xy)
