"""Spearman's correlation of the moments at which pairs of items join: Pearson's correlation of their mean ranks."""

import math
from fractions import Fraction

from tests.oracles.sets.trees import Tree, ancestors, lowest, pairs


def forms_at(tree: Tree, v: int) -> Fraction:
    """The greatest height at or below a node, of nodes that are clusters of their own."""
    nodes = range(len(tree.parent))
    unary = [u for u in nodes if tree.parent.count(u) == 1 and u not in tree.item_node]
    return max(Fraction(tree.height[u]) for u in nodes if v in ancestors(tree, u) and u not in unary)


def mean_ranks(values: list[Fraction]) -> list[Fraction]:
    return [
        Fraction(sum(x < value for x in values)) + Fraction(sum(x == value for x in values) + 1, 2) for value in values
    ]


def baker_correlation(a: Tree, b: Tree) -> float | None:
    """Covariance of the ranks over both deviations, or None without a pair, or where all pairs of a tree tie."""
    x, y = (mean_ranks([forms_at(tree, lowest(tree, i, j)) for i, j in pairs(len(tree.item_node))]) for tree in (a, b))
    if not x:
        return None
    mean = Fraction(len(x) + 1, 2)
    xy = sum((u - mean) * (v - mean) for u, v in zip(x, y, strict=True))
    xx, yy = sum((u - mean) ** 2 for u in x), sum((v - mean) ** 2 for v in y)
    if not xx or not yy:
        return None
    return math.copysign(math.sqrt(xy * xy / (xx * yy)), xy)
