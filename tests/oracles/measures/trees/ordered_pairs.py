"""Pairs of pairs of items by their definition: which of the two joins first in each tree."""

from fractions import Fraction
from itertools import combinations

from tests.oracles.measures.trees.baker_correlation import forms_at
from tests.oracles.sets.trees import Tree, lowest, pairs


def stages(tree: Tree) -> list[Fraction]:
    """The height at which each pair of items is together."""
    return [forms_at(tree, lowest(tree, i, j)) for i, j in pairs(len(tree.item_node))]


def counts(a: Tree, b: Tree) -> tuple[int, int, int, int]:
    """Pairs of pairs in the same order in both trees, in opposite orders, in any order in a, in any order in b."""
    both = list(combinations(zip(stages(a), stages(b), strict=True), 2))
    products = [(x - u) * (y - v) for (x, y), (u, v) in both]
    return (
        sum(product > 0 for product in products),
        sum(product < 0 for product in products),
        sum(x != u for (x, _), (u, _) in both),
        sum(y != v for (_, y), (_, v) in both),
    )
