"""Tests of the clusters of one tree in another by definition: every draw of items, every cluster."""

from fractions import Fraction
from itertools import combinations

from tests.oracles.sets.trees import clusters
from tests.oracles.significance.hypergeometric import upper_tail


def f(first, second):
    return Fraction(2 * len(first & second), len(first) + len(second))


def tested(tree):
    """Return the clusters of a tree with more than one item, but not all."""
    return {cluster for cluster in clusters(tree) if 1 < len(cluster) < len(tree.item_node)}


def best(cluster, tree):
    return max(f(cluster, other) for other in clusters(tree))


def bound(cluster, tree):
    """Return the sum over the clusters of a tree of the chance that F with random items is at least the best."""
    n, least, total = len(tree.item_node), best(cluster, tree), Fraction(0)
    for other in set(clusters(tree)):
        k = 0
        while k <= len(other) and Fraction(2 * k, len(cluster) + len(other)) < least:
            k += 1
        total += upper_tail(k, len(cluster), len(other), n)
    return min(Fraction(1), total)


def chance(cluster, tree):
    """Return the share of all sets of as many items whose best match is at least as good."""
    least = best(cluster, tree)
    draws = [frozenset(draw) for draw in combinations(range(len(tree.item_node)), len(cluster))]
    return Fraction(sum(best(draw, tree) >= least for draw in draws), len(draws))
