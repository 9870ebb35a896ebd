"""Hierarchical mutual information, less its mean over all relabellings, over the most less that mean."""

from itertools import permutations

from tests.oracles.measures.trees.hierarchical_mutual_information import hierarchical_mutual_information
from tests.oracles.sets.trees import Tree


def adjusted_hierarchical_mutual_information(a: Tree, b: Tree) -> float | None:
    others = [Tree(b.parent, nodes, b.height) for nodes in set(permutations(b.item_node))]
    mean = sum(hierarchical_mutual_information(a, other) for other in others) / len(others)
    most = (hierarchical_mutual_information(a, a) + hierarchical_mutual_information(b, b)) / 2
    return (hierarchical_mutual_information(a, b) - mean) / (most - mean) if most - mean > 1e-12 else None
