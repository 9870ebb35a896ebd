"""Clusters of the first tree found in the second, over all of the first."""

from fractions import Fraction

from tests.oracles.measures.trees.proper_clusters import proper_clusters
from tests.oracles.sets.trees import Tree


def cluster_recall(a: Tree, b: Tree) -> Fraction | None:
    in_a, in_b = proper_clusters(a), proper_clusters(b)
    return Fraction(len(in_a & in_b), len(in_a)) if in_a else None
