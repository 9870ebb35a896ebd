"""Concordant less discordant pairs of pairs, over both together."""

from fractions import Fraction

from tests.oracles.measures.trees.ordered_pairs import counts
from tests.oracles.sets.trees import Tree


def goodman_kruskal_gamma(a: Tree, b: Tree) -> Fraction | None:
    concordant, discordant, _, _ = counts(a, b)
    return Fraction(concordant - discordant, concordant + discordant) if concordant + discordant else None
