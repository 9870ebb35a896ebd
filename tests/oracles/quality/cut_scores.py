"""Indices of a flat clustering of points by definition, cluster by cluster and item by item."""

from math import dist, inf


def centroid(rows):
    return [sum(x) / len(rows) for x in zip(*rows, strict=True)]


def members(points, labels):
    """Return the points of each cluster."""
    return [[p for p, own in zip(points, labels, strict=True) if own == c] for c in sorted(set(labels))]


def within_squares(points, labels):
    """Return the sum of the squared distances from the centroids."""
    return sum(dist(row, centroid(rows)) ** 2 for rows in members(points, labels) for row in rows)


def calinski_harabasz(points, labels):
    """Return (B / (k - 1)) / (W / (n - k))."""
    clusters, n, middle = members(points, labels), len(points), centroid(points)
    between = sum(len(rows) * dist(centroid(rows), middle) ** 2 for rows in clusters)
    within = within_squares(points, labels)
    k = len(clusters)
    return (between / (k - 1)) / (within / (n - k)) if within else inf


def davies_bouldin(points, labels):
    """Return the mean over clusters of the largest (r_i + r_j) / d_ij."""
    clusters = members(points, labels)
    centres = [centroid(rows) for rows in clusters]
    reach = [sum(dist(row, c) for row in rows) / len(rows) for rows, c in zip(clusters, centres, strict=True)]
    worst = []
    for i, c in enumerate(centres):
        others = [j for j in range(len(centres)) if j != i]
        worst.append(max((reach[i] + reach[j]) / dist(c, centres[j]) if c != centres[j] else inf for j in others))
    return sum(worst) / len(worst)


def simplified_silhouette(points, labels):
    """Return the mean over items of (b - a) / max(a, b), by distances from centroids; 0 for an item alone."""
    centres = {c: centroid([p for p, own in zip(points, labels, strict=True) if own == c]) for c in set(labels)}
    total = 0.0
    for point, own in zip(points, labels, strict=True):
        a = dist(point, centres[own])
        b = min(dist(point, centre) for c, centre in centres.items() if c != own)
        if labels.count(own) > 1 and max(a, b) > 0:
            total += (b - a) / max(a, b)
    return total / len(points)
