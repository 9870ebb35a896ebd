"""The share of a class in the smallest cluster with two of its items, averaged over all such pairs."""

from fractions import Fraction

from tests.oracles.sets.trees import Tree, clusters, is_leaf, lowest, pairs


def dendrogram_purity(a: Tree, b: Tree) -> Fraction | None:
    shares = []
    for i, j in pairs(len(a.item_node)):
        leaf = a.item_node[i]
        if leaf == a.item_node[j] and is_leaf(a, leaf):
            cluster = clusters(b)[lowest(b, i, j)]
            shares.append(Fraction(len(cluster & clusters(a)[leaf]), len(cluster)))
    return sum(shares) / len(shares) if shares else None
