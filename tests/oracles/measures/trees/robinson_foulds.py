"""Clusters of one tree only."""

from fractions import Fraction

from tests.oracles.measures.trees.proper_clusters import proper_clusters
from tests.oracles.sets.trees import Tree


def robinson_foulds(a: Tree, b: Tree) -> Fraction:
    in_a, in_b = proper_clusters(a), proper_clusters(b)
    return Fraction(len(in_a ^ in_b))
