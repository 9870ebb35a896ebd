"""The moment of every pair of items by the clocks of size and of height."""

from fractions import Fraction
from functools import lru_cache

from tests.oracles.sets.trees import Tree, clusters, is_leaf, lowest, pairs


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
