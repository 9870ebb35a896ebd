"""The most items on which two trees have the same clusters, by trying all sets of items."""

from itertools import combinations

from tests.oracles.sets.trees import Tree, clusters


def restricted(tree: Tree, items: frozenset[int]) -> set[frozenset[int]]:
    """The clusters of the tree without the other items, those of a single item left out."""
    return {cluster & items for cluster in clusters(tree) if len(cluster & items) > 1}


def agree(a: Tree, b: Tree, items: frozenset[int]) -> bool:
    return restricted(a, items) == restricted(b, items)


def most_items(a: Tree, b: Tree) -> int:
    n = len(a.item_node)
    sizes = range(n, 0, -1)
    return next(k for k in sizes if any(agree(a, b, frozenset(kept)) for kept in combinations(range(n), k)))
