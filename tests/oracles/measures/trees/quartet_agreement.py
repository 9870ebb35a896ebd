"""Quartets of both trees, as an F-score."""

from fractions import Fraction

from tests.oracles.measures.trees.resolved_quartets import five_counts
from tests.oracles.sets.trees import Tree


def quartet_agreement(a: Tree, b: Tree) -> Fraction | None:
    same, different, only_a, only_b, _ = five_counts(a, b)
    resolved = 2 * (same + different) + only_a + only_b
    return Fraction(2 * same, resolved) if resolved else None
