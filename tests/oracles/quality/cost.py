"""The cost and the revenue of a tree by definition: every pair, the size of its smallest cluster, and all orders."""

from itertools import permutations

from tests.oracles.sets.trees import clusters, lowest, pairs


def cost(tree, weight):
    """Return the sum over pairs of the weight times the size of the smallest cluster with both items."""
    sets = clusters(tree)
    return sum(weight[i][j] * len(sets[lowest(tree, i, j)]) for i, j in pairs(len(tree.item_node)))


def revenue(tree, weight):
    """Return the sum over pairs of the weight times the number of items outside the smallest cluster with both."""
    sets, n = clusters(tree), len(tree.item_node)
    return sum(weight[i][j] * (n - len(sets[lowest(tree, i, j)])) for i, j in pairs(n))


def mean_over_relabellings(value, tree, weight):
    """Return the mean of a value over all orders in which the items can be placed in the tree."""
    n = len(tree.item_node)
    found = [
        value(tree, [[weight[order[i]][order[j]] for j in range(n)] for i in range(n)])
        for order in permutations(range(n))
    ]
    return sum(found) / len(found)


def dot_products(points):
    """Return the dot products of all pairs of points."""
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in points] for a in points]


def squared_distances(points):
    """Return the squared Euclidean distances of all pairs of points."""
    return [[sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for b in points] for a in points]
