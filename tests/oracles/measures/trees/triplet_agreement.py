"""Triplets of both trees, as an F-score."""

from fractions import Fraction

from tests.oracles.measures.trees.resolved_triples import resolved
from tests.oracles.sets.trees import Tree


def triplet_agreement(a: Tree, b: Tree) -> Fraction | None:
    in_a, in_b = resolved(a), resolved(b)
    return Fraction(2 * len(in_a & in_b), len(in_a) + len(in_b)) if in_a or in_b else None
