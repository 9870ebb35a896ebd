"""All one-to-one matchings of the clusters of two trees."""

from collections.abc import Iterator
from itertools import permutations

from tests.oracles.measures.trees.proper_clusters import proper_clusters
from tests.oracles.sets.trees import Tree

Cluster = frozenset[int]
EMPTY: Cluster = frozenset()


def matchings(a: Tree, b: Tree) -> Iterator[list[tuple[Cluster, Cluster]]]:
    """Every matching; a cluster without a match is matched with the empty set."""
    in_a, in_b = list(proper_clusters(a)), list(proper_clusters(b))
    short = len(in_a) - len(in_b)
    in_a, in_b = in_a + [EMPTY] * -short, in_b + [EMPTY] * short
    return ([*zip(in_a, order, strict=True)] for order in permutations(in_b))
