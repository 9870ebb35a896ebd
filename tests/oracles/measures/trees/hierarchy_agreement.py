"""HAI by its formula: a double loop over the items."""

from fractions import Fraction

from tests.oracles.sets.trees import Tree
from tests.oracles.tree_pair.contraction import size_moments


def hierarchy_agreement(a: Tree, b: Tree) -> Fraction:
    n = len(a.item_node)
    in_a, in_b = size_moments(a), size_moments(b)
    total = 0
    for i in range(n):
        for j in range(n):
            if i != j:
                pair = (min(i, j), max(i, j))
                total += abs(in_a[pair] - in_b[pair])
    return 1 - Fraction(total, n) / n**2
