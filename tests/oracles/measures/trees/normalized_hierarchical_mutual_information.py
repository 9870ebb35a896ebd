"""Hierarchical mutual information over the geometric mean of those of each tree with itself."""

import math

from tests.oracles.measures.trees.hierarchical_mutual_information import hierarchical_mutual_information
from tests.oracles.sets.trees import Tree


def normalized_hierarchical_mutual_information(a: Tree, b: Tree) -> float | None:
    most = math.sqrt(hierarchical_mutual_information(a, a) * hierarchical_mutual_information(b, b))
    return hierarchical_mutual_information(a, b) / most if most else None
