"""The majority-rule consensus, in sets: count every cluster of every tree."""

from tests.oracles.sets.hierarchy import clusters


def majority(trees, threshold):
    """The clusters in more than a share of the trees, with that share; trees are (parent, item_node, items)."""
    held = [{frozenset(cluster) for cluster in clusters(*tree)} for tree in trees]
    every = set().union(*held)
    share = {cluster: sum(cluster in one for one in held) / len(trees) for cluster in every}
    return {cluster: value for cluster, value in share.items() if value > threshold}


def smallest_with(item, chosen):
    """The smallest cluster that holds an item."""
    return min((cluster for cluster in chosen if item in cluster), key=len)
