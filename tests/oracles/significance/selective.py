"""Selective inference by definition: points are moved along a line, and clustered again by loops over all pairs."""

import math


def squared(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def mean(points):
    return [sum(column) / len(points) for column in zip(*points, strict=True)]


def nearness(points, a, b, linkage):
    """Return the dissimilarity of two sets of points, of squared distances."""
    pairs = [squared(points[i], points[j]) for i in a for j in b]
    if linkage == "single":
        return min(pairs)
    if linkage == "average":
        return sum(pairs) / len(pairs)
    centres = [mean([points[i] for i in part]) for part in (a, b)]
    return len(a) * len(b) / (len(a) + len(b)) * squared(*centres)


def clusters(points, count, linkage):
    """Return so many clusters, as sets of positions."""
    found = [frozenset([i]) for i in range(len(points))]
    while len(found) > count:
        pairs = [(a, b) for i, a in enumerate(found) for b in found[:i]]
        a, b = min(pairs, key=lambda pair: nearness(points, *pair, linkage))
        found = [one for one in found if one not in (a, b)] + [a | b]
    return set(found)


def distance(points, first, second):
    """Return the distance of the means of two sets."""
    return math.sqrt(squared(*(mean([points[i] for i in part]) for part in (first, second))))


def moved(points, first, second, to):
    """Return the points with two sets moved along the line of their means, until these are so far apart."""
    a, b = (mean([points[i] for i in part]) for part in (first, second))
    now = distance(points, first, second)
    step = [(x - y) / now * (to - now) for x, y in zip(a, b, strict=True)]
    share = len(second) / (len(first) + len(second))
    by = {i: share for i in first} | {i: share - 1.0 for i in second}
    return [[x + by.get(i, 0.0) * s for x, s in zip(point, step, strict=True)] for i, point in enumerate(points)]
