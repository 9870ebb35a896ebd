"""Triples of items by their definition: which two of three are joined first."""

from itertools import combinations

from tests.oracles.sets.trees import Tree, clusters, lowest


def resolved(tree: Tree) -> set[tuple[frozenset[int], int]]:
    """The triples of which two items are joined before the third, as (these two, the third)."""
    held = clusters(tree)
    n = len(tree.item_node)
    return {
        (frozenset((i, j)), k)
        for i, j in combinations(range(n), 2)
        for k in range(n)
        if k not in held[lowest(tree, i, j)]
    }
