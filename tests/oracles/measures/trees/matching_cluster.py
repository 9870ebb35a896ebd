"""The least number of items by which matched clusters differ."""

from fractions import Fraction

from tests.oracles.measures.trees.matchings import matchings
from tests.oracles.sets.trees import Tree


def matching_cluster(a: Tree, b: Tree) -> Fraction:
    return Fraction(min(sum(len(x ^ y) for x, y in matching) for matching in matchings(a, b)))
