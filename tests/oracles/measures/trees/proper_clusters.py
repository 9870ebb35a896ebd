"""The clusters of a tree that not every tree has."""

from tests.oracles.sets.trees import Tree, clusters


def proper_clusters(tree: Tree) -> set[frozenset[int]]:
    """The sets of items at or below a node, without those of one item and of all items."""
    return {cluster for cluster in clusters(tree) if 1 < len(cluster) < len(tree.item_node)}
