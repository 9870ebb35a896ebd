"""HAI by its formula: a double loop over the items."""

from fractions import Fraction

from tests.oracles.contraction import size_moments
from tests.oracles.trees import Tree


def hierarchy_agreement(a: Tree, b: Tree) -> Fraction:
    n = len(a.item_node)
    in_a, in_b = size_moments(a), size_moments(b)
    total = Fraction(0)
    for i in range(n):
        for j in range(n):
            if i != j:
                pair = (min(i, j), max(i, j))
                total += abs(Fraction(in_a[pair], n) - Fraction(in_b[pair], n))
    return 1 - total / n**2
