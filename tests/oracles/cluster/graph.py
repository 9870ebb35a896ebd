"""Merging on a graph by definition: the nearest clusters that an edge joins, and where there are none, of all."""

from itertools import combinations

from tests.oracles.cluster import start


def merges_on_graph(points, edges, linkage, metric, n_exact=1):
    """Return the merges of single items: the members of each union, and its height, in order."""
    clusters = [frozenset([i]) for i in range(len(points))]
    merges = []
    if linkage == "single":
        edges = edges | bridges(points, edges, metric)
    while len(clusters) > 1:
        near = [pair for pair in combinations(clusters, 2) if are_joined(*pair, edges)]
        exact = len(clusters) <= n_exact or not near
        pairs = combinations(clusters, 2) if exact else near
        height, a, b = min((apart(points, a, b, edges, linkage, metric), sorted(a), sorted(b)) for a, b in pairs)
        union = frozenset(a) | frozenset(b)
        clusters = [c for c in clusters if not c <= union] + [union]
        merges.append((union, height))
    return merges


def are_joined(a, b, edges):
    """Whether an edge joins two clusters."""
    return any((i, j) in edges or (j, i) in edges for i in a for j in b)


def bridges(points, edges, metric):
    """Return the shortest edges that connect the parts of a graph, one after the other."""
    found = set()
    largest = max(start.dot(x, x) for x in points)
    pairs = list(combinations(range(len(points)), 2))
    for i, j in sorted(pairs, key=lambda pair: start.distance(points[pair[0]], points[pair[1]], metric, largest)):
        if j not in part_of(i, edges | found):
            found.add((i, j))
    return found


def part_of(i, edges):
    """Return all items that edges connect with one."""
    part, grown = set(), {i}
    while part != grown:
        part = grown
        grown = part | {b for a, b in edges if a in part} | {a for a, b in edges if b in part}
    return part


def apart(points, a, b, edges, linkage, metric):
    """Return the distance of two clusters: over all their pairs, for single linkage over the edges alone."""
    largest = max(start.dot(x, x) for x in points)
    if linkage not in ("single", "complete"):
        return start.apart(points, a, b, linkage, metric, largest)
    pairs = [(i, j) for i in a for j in b]
    if linkage == "single":
        pairs = [(i, j) for i, j in pairs if (i, j) in edges or (j, i) in edges]
    between = [start.distance(points[i], points[j], metric, largest) for i, j in pairs]
    return min(between) if linkage == "single" else max(between)


def worst_ratio(points, edges, linkage, metric, merges):
    """Return how many times as far apart the clusters of a merge were as the nearest that an edge joined, at most."""
    clusters = [frozenset([i]) for i in range(len(points))]
    worst = 1.0
    for union, height in merges:
        near = [pair for pair in combinations(clusters, 2) if are_joined(*pair, edges)]
        least = min(apart(points, a, b, edges, linkage, metric) for a, b in near)
        worst = max(worst, height / least)
        clusters = [c for c in clusters if not c <= union] + [union]
    return worst
