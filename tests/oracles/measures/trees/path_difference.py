"""The Euclidean distance of two vectors: the branches on the path between each pair of items."""

import math

from tests.oracles.sets.trees import Tree, clusters, pairs


def path_lengths(tree: Tree) -> list[int]:
    """For each pair, the clusters, single items included, that contain exactly one of the two: a branch above each."""
    n = len(tree.item_node)
    every = set(clusters(tree)) | {frozenset([i]) for i in range(n)}
    return [sum((i in cluster) != (j in cluster) for cluster in every) for i, j in pairs(n)]


def path_difference(a: Tree, b: Tree) -> float:
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(path_lengths(a), path_lengths(b), strict=True)))
