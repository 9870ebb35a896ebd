"""The greatest sum of the mutual information of matched clusters."""

import math
from collections import Counter

from tests.oracles.measures.trees.matchings import Cluster, matchings
from tests.oracles.sets.trees import Tree


def entropy(letters: list) -> float:
    return -sum(k / len(letters) * math.log(k / len(letters)) for k in Counter(letters).values())


def information(x: Cluster, y: Cluster, n: int) -> float:
    in_x, in_y = [i in x for i in range(n)], [i in y for i in range(n)]
    return entropy(in_x) + entropy(in_y) - entropy([*zip(in_x, in_y, strict=True)])


def mutual_clustering_information(a: Tree, b: Tree) -> float:
    n = len(a.item_node)
    return max(sum(information(x, y, n) for x, y in matching) for matching in matchings(a, b))
