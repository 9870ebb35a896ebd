"""The least sum of the variation of information of matched clusters; without a match, with the empty set."""

from tests.oracles.measures.trees.matchings import Cluster, matchings
from tests.oracles.measures.trees.mutual_clustering_information import entropy
from tests.oracles.sets.trees import Tree


def variation(x: Cluster, y: Cluster, n: int) -> float:
    in_x, in_y = [i in x for i in range(n)], [i in y for i in range(n)]
    return 2 * entropy([*zip(in_x, in_y, strict=True)]) - entropy(in_x) - entropy(in_y)


def clustering_information_distance(a: Tree, b: Tree) -> float:
    n = len(a.item_node)
    return min(sum(variation(x, y, n) for x, y in matching) for matching in matchings(a, b))
