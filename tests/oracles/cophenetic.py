"""Distance and correlation of the two lists of cophenetic heights, one for each pair of items."""

import math
from fractions import Fraction

from tests.oracles.contraction import height_moments
from tests.oracles.trees import Tree


def cophenetic_distance(a: Tree, b: Tree) -> Fraction:
    in_a, in_b = height_moments(a), height_moments(b)
    return sum(abs(in_a[pair] - in_b[pair]) for pair in in_a) / Fraction(len(in_a))


def cophenetic_correlation(a: Tree, b: Tree) -> float | None:
    x, y = list(height_moments(a).values()), list(height_moments(b).values())
    mean_x, mean_y = sum(x) / Fraction(len(x)), sum(y) / Fraction(len(y))
    xy = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True))
    xx, yy = sum((u - mean_x) ** 2 for u in x), sum((v - mean_y) ** 2 for v in y)
    if not xx or not yy:
        return None
    return math.copysign(math.sqrt(xy * xy / (xx * yy)), xy)
