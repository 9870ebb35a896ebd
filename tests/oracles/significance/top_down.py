"""The inheritance procedure by definition: shares of the level, handed down and on, one rejection at a time."""

from fractions import Fraction
from math import isnan

from tests.oracles.sets.trees import ancestors, clusters


def shares(tree, p, rejected):
    """Return the share of the level of each node that may be rejected next."""
    n = len(tree.parent)
    sizes = [len(cluster) for cluster in clusters(tree)]
    asked = {v for v in range(n) if not isnan(p[v])}
    waiting = {u for v in asked - rejected for u in ancestors(tree, v)}  # with nodes to be rejected at or below them
    found, given = {}, {n - 1: Fraction(1)}
    for v in reversed(range(n)):
        if v not in given or v not in waiting:
            continue
        if v in asked and v not in rejected:
            found[v] = given[v]
            continue
        heirs = [c for c in range(n) if tree.parent[c] == v and c in waiting]
        for c in heirs:
            given[c] = given[v] * Fraction(sizes[c], sum(sizes[c] for c in heirs))
    return found


def adjust_down(tree, p):
    """Return the least level at which each node is rejected, at most 1."""
    rejected, level = set(), 0
    adjusted = list(p)
    while True:
        found = shares(tree, p, rejected)
        if not found:
            return adjusted
        v = min(found, key=lambda v: Fraction(p[v]) / found[v])
        level = max(level, Fraction(p[v]) / found[v])
        adjusted[v] = min(1.0, float(level))
        rejected.add(v)


def meinshausen(tree, p):
    """Return the maximum over a node and those above it of the p-value times n / size, at most 1."""
    sizes, n = [len(cluster) for cluster in clusters(tree)], len(tree.item_node)
    found = []
    for v in range(len(tree.parent)):
        above = [p[u] * n / sizes[u] for u in ancestors(tree, v) if not isnan(p[u])]
        found.append(p[v] if isnan(p[v]) else min(1.0, max(above)))
    return found
