"""Merging on a map by definition: the nearest of the clusters that are adjacent, too small ones first, parts last."""

from itertools import combinations

from tests.oracles.cluster.agglomerate import linkage_distance
from tests.oracles.cluster.graph import are_joined, part_of


def merges_on_map(linkage, d, edges, least=0, sizes=None):
    """Return the clusters that are large enough, and the merges above them: each union and its height.

    ``sizes`` is what each item counts towards ``least``. Heights are squared for ward, centroid and median.
    """
    sizes = [1] * len(d) if sizes is None else sizes
    clusters = [frozenset([i]) for i in range(len(d))]
    history = {}

    def merge(pairs):
        a, b = min(pairs, key=lambda pair: apart(linkage, *pair, d, edges, history))
        height = apart(linkage, a, b, d, edges, history)
        history[a | b] = (a, b)
        clusters[:] = [c for c in clusters if c not in (a, b)] + [a | b]
        return a | b, height

    def adjacent():
        return [pair for pair in combinations(clusters, 2) if are_joined(*pair, edges)]

    def is_small(cluster):
        return sum(sizes[i] for i in cluster) < least

    while pairs := [pair for pair in adjacent() if any(map(is_small, pair))]:
        merge(pairs)
    first = set(clusters)
    merges = []
    while pairs := adjacent():
        merges.append(merge(pairs))
    top = max((height for _, height in merges), default=0)
    while len(clusters) > 1:
        union, height = merge(combinations(clusters, 2))
        merges.append((union, max(height, top)))
    return first, merges


def apart(linkage, a, b, d, edges, history):
    """Return the distance of two clusters: over all pairs, for single linkage over adjacent ones if there are any."""
    if linkage == "single" and are_joined(a, b, edges):
        return min(d[i][j] for i in a for j in b if (i, j) in edges or (j, i) in edges)
    return linkage_distance(linkage, a, b, d, history)


def is_connected(items, edges):
    """Whether edges between some items connect all of them."""
    inside = {(i, j) for i, j in edges if i in items and j in items}
    return part_of(min(items), inside) == set(items)
