"""Triplets of the second tree found in the first, over all of the second."""

from fractions import Fraction

from tests.oracles.measures.trees.resolved_triples import resolved
from tests.oracles.sets.trees import Tree


def triplet_precision(a: Tree, b: Tree) -> Fraction | None:
    in_a, in_b = resolved(a), resolved(b)
    return Fraction(len(in_a & in_b), len(in_b)) if in_b else None
