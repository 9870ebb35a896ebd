"""The Euclidean distance of two vectors: branches, or lengths, from the root to where each pair of items parts."""

import math
from fractions import Fraction

from tests.oracles.sets.trees import Tree, ancestors, clusters, is_leaf, lowest, pairs


def vector(tree: Tree, weight: Fraction) -> list[Fraction]:
    """An entry for each pair of items, and one for each item; clusters, not nodes, are counted above a node."""
    held, n = clusters(tree), len(tree.item_node)
    entries = []
    for i, j in pairs(n):
        v = lowest(tree, i, j)
        entry = (1 - weight) * (len({held[u] for u in ancestors(tree, v)}) - 1)
        if weight:
            root = min(u for u in range(len(held)) if len(held[u]) == n)
            entry += weight * (Fraction(tree.height[root]) - Fraction(tree.height[v]))
        entries.append(entry)
    for at in tree.item_node if weight else ():
        above = next((u for u in ancestors(tree, at) if len(held[u]) > 1), None)
        alone = is_leaf(tree, at) and len(held[at]) == 1 and above is not None
        entries.append(weight * (Fraction(tree.height[above]) - Fraction(tree.height[at])) if alone else Fraction(0))
    return entries


def kendall_colijn(a: Tree, b: Tree, weight: Fraction = Fraction(0)) -> float:
    both = zip(vector(a, weight), vector(b, weight), strict=True)
    return math.sqrt(sum((x - y) ** 2 for x, y in both))
