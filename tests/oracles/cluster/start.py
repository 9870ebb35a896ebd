"""Merging given clusters by definition: lists of members, all pairs, the nearest first."""

import math
from itertools import combinations


def merges_above(points, clusters, linkage, metric):
    """Return the merges of given clusters, lists of positions: the members of each union, and its height."""
    clusters = [frozenset(cluster) for cluster in clusters]
    largest = max(dot(x, x) for x in points)
    merges = []
    while len(clusters) > 1:
        height, a, b = min(
            (apart(points, a, b, linkage, metric, largest), sorted(a), sorted(b)) for a, b in combinations(clusters, 2)
        )
        union = frozenset(a) | frozenset(b)
        clusters = [c for c in clusters if not c <= union] + [union]
        merges.append((union, height))
    return merges


def apart(points, a, b, linkage, metric, largest):
    """Return the distance of two clusters."""
    if linkage == "ward":
        share = 2 * len(a) * len(b) / (len(a) + len(b))
        return math.sqrt(share) * math.dist(mean(points, a), mean(points, b))
    if linkage == "centroid" and metric == "euclidean":
        return math.dist(mean(points, a), mean(points, b))
    pairs = combinations(sorted(a | b), 2) if linkage == "group_average" else ((i, j) for i in a for j in b)
    between = [distance(points[i], points[j], metric, largest) for i, j in pairs]
    return sum(between) / len(between)


def distance(x, y, metric, largest):
    """Return the distance of two points."""
    if metric == "euclidean":
        return math.dist(x, y)
    if metric == "sqeuclidean":
        return math.dist(x, y) ** 2
    if metric == "cosine":
        return 1 - dot(x, y) / math.sqrt(dot(x, x) * dot(y, y))
    return largest - dot(x, y)


def dot(x, y):
    """Return the dot product of two points."""
    return sum(a * b for a, b in zip(x, y, strict=True))


def mean(points, cluster):
    """Return the mean of some points."""
    return [sum(column) / len(cluster) for column in zip(*(points[i] for i in cluster), strict=True)]
