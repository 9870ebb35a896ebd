"""The Euclidean distance of two vectors: the lengths of the branches above all clusters of either tree."""

import math
from fractions import Fraction

from tests.oracles.measures.trees.weighted_robinson_foulds import lengths
from tests.oracles.sets.trees import Tree


def branch_score(a: Tree, b: Tree) -> float:
    in_a, in_b = lengths(a), lengths(b)
    none = Fraction(0)
    return math.sqrt(sum((in_a.get(c, none) - in_b.get(c, none)) ** 2 for c in in_a.keys() | in_b.keys()))
