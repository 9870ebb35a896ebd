"""Agglomeration by definition: sets of items, all pairs, every choice that ties allow."""

from fractions import Fraction
from itertools import combinations

Cluster = frozenset


def linkage_distance(linkage, a, b, d, history):
    """Return the distance of two clusters from the distances of items; squared for ward, centroid and median.

    ``history`` maps a cluster to its two parts, which weighted and median need.
    """
    cross = [d[i][j] for i in a for j in b]
    if linkage == "single":
        return min(cross)
    if linkage == "complete":
        return max(cross)
    if linkage == "average":
        return Fraction(sum(cross)) / len(cross)
    if linkage == "group_average":
        inside = [d[i][j] for i, j in combinations(sorted(a | b), 2)]
        return Fraction(sum(inside)) / len(inside)
    if linkage == "group_average_with_self":
        union = a | b
        return Fraction(sum(d[i][j] if i != j else 0 for i in union for j in union)) / len(union) ** 2
    if linkage in ("weighted", "median"):
        return _by_history(linkage, a, b, d, history)
    between = Fraction(sum(x * x for x in cross)) / len(cross) - sum(
        _squared_within(c, d) / (len(c) ** 2) for c in (a, b)
    )
    if linkage == "centroid":
        return between
    return 2 * Fraction(len(a) * len(b), len(a) + len(b)) * between


def _squared_within(c, d):
    return Fraction(sum(d[i][j] ** 2 for i, j in combinations(sorted(c), 2)))


def _by_history(linkage, a, b, d, history):
    if len(a) == 1 and len(b) == 1:
        (i,), (j,) = a, b
        return Fraction(d[i][j]) if linkage == "weighted" else Fraction(d[i][j]) ** 2
    if len(a) == 1:
        a, b = b, a
    left, right = history[a]
    x, y = _by_history(linkage, left, b, d, history), _by_history(linkage, right, b, d, history)
    if linkage == "weighted":
        return (x + y) / 2
    return (x + y) / 2 - _by_history(linkage, left, right, d, history) / 4


def outcomes(linkage, d):
    """Return every list of merges that the definition allows: a set of tuples of (cluster, height)."""
    n = len(d)
    found = set()
    start = frozenset(frozenset([i]) for i in range(n))
    todo = [(start, {}, ())]
    while todo:
        clusters, history, merges = todo.pop()
        if len(clusters) == 1:
            found.add(frozenset(merges))
            continue
        pairs = {
            (a, b): linkage_distance(linkage, a, b, d, history)
            for a, b in combinations(sorted(clusters, key=sorted), 2)
        }
        least = min(pairs.values())
        for (a, b), value in pairs.items():
            if value == least:
                union = a | b
                todo.append(((clusters - {a, b}) | {union}, {**history, union: (a, b)}, (*merges, (union, least))))
    return found


def greedy(linkage, d):
    """Return the merges (low, high, height) of the one outcome in which the lowest pair of node numbers wins."""
    n = len(d)
    node = {frozenset([i]): i for i in range(n)}
    history = {}
    merges = []
    while len(node) > 1:
        value, low, high, a, b = _lowest(linkage, d, node, history)
        merges.append((low, high, value))
        history[a | b] = (a, b)
        del node[a], node[b]
        node[a | b] = n + len(merges) - 1
    return merges


def _lowest(linkage, d, node, history):
    best = None
    for a, b in combinations(sorted(node, key=node.get), 2):
        value = linkage_distance(linkage, a, b, d, history)
        if best is None or (value, node[a], node[b]) < best[:3]:
            best = (value, node[a], node[b], a, b)
    return best


def greedy_ties(linkage, d):
    """Return at how many merges of `greedy` another pair was exactly as near as the one merged."""
    return len(ties_on_path(linkage, [(low, high) for low, high, _ in greedy(linkage, d)], d))


def ties_on_path(linkage, merges, d):
    """Return the nodes of the merges (low, high) at which another pair of the clusters there was exactly as near."""
    clusters = {i: frozenset([i]) for i in range(len(d))}
    history = {}
    ties = []
    for step, (low, high) in enumerate(merges):
        value = linkage_distance(linkage, clusters[low], clusters[high], d, history)
        pairs = combinations(clusters.values(), 2)
        if sum(linkage_distance(linkage, a, b, d, history) == value for a, b in pairs) > 1:
            ties.append(len(d) + step)
        a, b = clusters.pop(low), clusters.pop(high)
        history[a | b] = (a, b)
        clusters[len(d) + step] = a | b
    return ties
