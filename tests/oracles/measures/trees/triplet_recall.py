"""Triplets of the first tree found in the second, over all of the first."""

from fractions import Fraction

from tests.oracles.measures.trees.resolved_triples import resolved
from tests.oracles.sets.trees import Tree


def triplet_recall(a: Tree, b: Tree) -> Fraction | None:
    in_a, in_b = resolved(a), resolved(b)
    return Fraction(len(in_a & in_b), len(in_a)) if in_a else None
