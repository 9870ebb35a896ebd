"""Concordant less discordant pairs of pairs, over the geometric mean of those ordered in each tree."""

import math

from tests.oracles.measures.trees.ordered_pairs import counts
from tests.oracles.sets.trees import Tree


def kendall_tau_b(a: Tree, b: Tree) -> float | None:
    concordant, discordant, in_a, in_b = counts(a, b)
    return (concordant - discordant) / math.sqrt(in_a * in_b) if in_a and in_b else None
