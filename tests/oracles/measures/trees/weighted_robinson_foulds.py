"""Differences of the lengths of the branches above all clusters of either tree."""

from fractions import Fraction

from tests.oracles.sets.trees import Tree, clusters


def lengths(tree: Tree) -> dict[frozenset[int], Fraction]:
    """The branch above each cluster: up from its lowest node, to the lowest node of the next larger cluster."""
    held = clusters(tree)
    branches = {}
    for v, cluster in enumerate(held):
        above = v
        while above != -1 and held[above] == cluster:
            above = tree.parent[above]
        if above != -1 and cluster not in branches:
            branches[cluster] = Fraction(tree.height[above]) - Fraction(tree.height[v])
    return branches


def weighted_robinson_foulds(a: Tree, b: Tree) -> Fraction:
    in_a, in_b = lengths(a), lengths(b)
    return sum(
        (abs(in_a.get(c, Fraction(0)) - in_b.get(c, Fraction(0))) for c in in_a.keys() | in_b.keys()), Fraction(0)
    )
