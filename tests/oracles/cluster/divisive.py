"""Division by definition: sets of items, every way to part them, means in fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np


def mean(points, items):
    return [sum(Fraction(points[i][k]) for i in items) / len(items) for k in range(len(points[0]))]


def squared(x, y):
    return sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y, strict=True))


def scatter(points, items):
    """Return the sum of squared distances of some items from their mean."""
    centre = mean(points, items)
    return sum(squared(points[i], centre) for i in items)


def best_bisection(points, items):
    """Return the two parts of least scatter, of all there are."""
    first, *rest = sorted(items)
    ways = []
    for size in range(len(rest)):
        for others in combinations(rest, size):
            left = frozenset([first, *others])
            right = frozenset(items) - left
            ways.append((scatter(points, left) + scatter(points, right), left, right))
    return min(ways, key=lambda way: way[0])[1:]


def is_settled(points, left, right):
    """Whether no item is nearer to the mean of the other part than to that of its own."""
    a, b = mean(points, left), mean(points, right)
    return all(squared(points[i], a) <= squared(points[i], b) for i in left) and all(
        squared(points[i], b) <= squared(points[i], a) for i in right
    )


def two_means(points, first, second):
    """Return which rows end with the second of two rows, when all go to the nearer mean until none moves."""
    a, b = points[first], points[second]
    side = None
    while True:
        moved = ((points - b) ** 2).sum(axis=1) < ((points - a) ** 2).sum(axis=1)
        if side is not None and (moved == side).all():
            return side
        side = moved
        a, b = points[~side].mean(axis=0), points[side].mean(axis=0)


def principal_parts(points, items):
    """Return the two parts across the leading eigenvector of the scatter matrix, the first item's part first."""
    items = sorted(items)
    rows = np.array([points[i] for i in items], dtype=float)
    rows = rows - rows.mean(axis=0)
    direction = np.linalg.eigh(rows.T @ rows)[1][:, -1]
    projection = rows @ direction
    if projection[0] > 0:
        projection = -projection
    left = frozenset(i for i, p in zip(items, projection, strict=True) if p <= 0)
    return left, frozenset(items) - left


def divided(points, parts_of, *, choose="scatter", max_clusters=None, max_depth=None, leaf_size=1, leaf_scatter=0):
    """Return all clusters of the tree with their scatter, split one at a time as the rules say."""
    n = len(points)
    whole = frozenset(range(n))
    leaves = [(whole, 0)]
    tree = {whole: scatter(points, whole)}
    while len(leaves) < (n if max_clusters is None else max_clusters):
        open_ = [
            (cluster, depth)
            for cluster, depth in leaves
            if len(cluster) > leaf_size and tree[cluster] > leaf_scatter and (max_depth is None or depth < max_depth)
        ]
        if not open_:
            break
        cluster, depth = max(open_, key=lambda leaf: len(leaf[0]) if choose == "size" else tree[leaf[0]])
        leaves.remove((cluster, depth))
        for part in parts_of(points, cluster):
            tree[part] = scatter(points, part)
            leaves.append((part, depth + 1))
    return tree
