"""Clusters of the second tree found in the first, over all of the second."""

from fractions import Fraction

from tests.oracles.measures.trees.proper_clusters import proper_clusters
from tests.oracles.sets.trees import Tree


def cluster_precision(a: Tree, b: Tree) -> Fraction | None:
    in_a, in_b = proper_clusters(a), proper_clusters(b)
    return Fraction(len(in_a & in_b), len(in_b)) if in_b else None
