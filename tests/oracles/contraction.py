"""The moment of every pair by each of the three clocks, and the pairs together at any moment."""

from fractions import Fraction
from functools import lru_cache

from tests.oracles.trees import Tree, ancestors, clusters, is_leaf, lowest, pairs


@lru_cache(maxsize=10_000)
def size_moments(tree: Tree) -> dict[tuple[int, int], int]:
    sizes = [len(cluster) for cluster in clusters(tree)]
    moments = {}
    for i, j in pairs(len(tree.item_node)):
        v = lowest(tree, i, j)
        # a unary node over a leaf holds what the leaf holds, and lowest() has found the leaf
        moments[i, j] = 0 if is_leaf(tree, v) else sizes[v]
    return moments


@lru_cache(maxsize=10_000)
def height_moments(tree: Tree) -> dict[tuple[int, int], Fraction]:
    assert tree.height is not None
    return {(i, j): Fraction(tree.height[lowest(tree, i, j)]) for i, j in pairs(len(tree.item_node))}


def available_partitions(tree: Tree, ties: str) -> list[list[frozenset[int]]]:
    """All partitions on the way from singletons to one group, finest first.

    ties="order": nodes form one at a time, in ascending number. ties="together": all nodes up to a height form at
    once, where a node that lies lower than something below it waits for that. Nobody waits for a node that holds
    exactly what its only child holds: it is the same cluster, and there since the child.
    """
    assert tree.height is not None
    n, nodes = len(tree.item_node), range(len(tree.parent))
    sets = clusters(tree)
    if ties == "order":
        keys = [float(v) for v in nodes]
    else:
        keys = list(tree.height)
        for u in nodes:
            if any(tree.parent[c] == u and sets[c] == sets[u] for c in nodes):
                continue
            for v in ancestors(tree, u):
                keys[v] = max(keys[v], tree.height[u])
    partitions = [[frozenset([i]) for i in range(n)]]
    for key in sorted(set(keys)):
        formed = [sets[v] for v in nodes if keys[v] <= key] + [frozenset([i]) for i in range(n)]
        partitions.append([s for s in set(formed) if not any(s < other for other in formed)])
    return partitions


@lru_cache(maxsize=10_000)
def partitions_at(tree: Tree, ties: str) -> dict[int, list[frozenset[int]]]:
    """For k = 2 .. n - 1, the coarsest available partition with at least k groups."""
    available = available_partitions(tree, ties)
    return {k: min((p for p in available if len(p) >= k), key=len) for k in range(2, len(tree.item_node))}


def together(partition: list[frozenset[int]], n: int) -> set[tuple[int, int]]:
    return {(i, j) for i, j in pairs(n) if any(i in group and j in group for group in partition)}
