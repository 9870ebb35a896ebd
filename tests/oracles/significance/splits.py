"""Splits by definition: which have a hypothesis, how far apart their sides are, and the valley between them."""

import math


def least_side(n):
    """Return the least number of items of a side that is a group."""
    return max(5, math.ceil(math.sqrt(n)))


def hypotheses(parent, item_node):
    """Return the group of each node with a hypothesis: the set of its items; trees as parents, children first."""
    n = len(parent)
    below = [{i for i, node in enumerate(item_node) if node == v} for v in range(n)]
    children = [[c for c in range(n) if parent[c] == v] for v in range(n)]
    own = [len(items) for items in below]
    for v in range(n - 1):
        below[parent[v]] |= below[v]
    found, waiting = {}, [(n - 1, below[n - 1])]
    while waiting:
        v, group = waiting.pop()
        two = len(children[v]) == 2 and own[v] == 0
        if two and min(len(below[c]) for c in children[v]) >= least_side(len(group)):
            found[v] = group
            waiting += [(c, below[c]) for c in children[v]]
        elif len(children[v]) > 2 or own[v] > 0:
            waiting += [(c, below[c]) for c in children[v]]
        else:
            waiting += [(c, group) for c in children[v]]
    return found


def distance(a, b):
    return math.dist(a, b)


def scatter(points):
    """Return the sum of squared distances of points from their mean."""
    mean = [sum(column) / len(points) for column in zip(*points, strict=True)]
    return sum(distance(p, mean) ** 2 for p in points)


def separation(points, side):
    """Return minus the log of the share of the scatter within the sides, times the share of the points in them."""
    parts = [[p for p, s in zip(points, side, strict=True) if s == i] for i in (1, 2)]
    both = parts[0] + parts[1]
    share = sum(scatter(part) for part in parts) / scatter(both)
    return -len(both) / len(points) * math.log(share)


def radii(points, k):
    """Return the distance of each point from its k-th nearest neighbour."""
    return [sorted(distance(p, q) for q in points)[k] for p in points]


def widest_step(points, radius, start, goal):
    """Return the least width at which steps of at most this width lead from start to goal."""
    n = len(points)
    width = [[max(distance(points[i], points[j]), radius[i], radius[j]) for j in range(n)] for i in range(n)]
    for limit in sorted({w for row in width for w in row}):
        reached, waiting = {start}, [start]
        while waiting:
            i = waiting.pop()
            new = {j for j in range(n) if width[i][j] <= limit} - reached
            reached |= new
            waiting += new
        if goal in reached:
            return limit
    raise AssertionError


def dimension(points, k):
    """Return the dimension from the growth of the number of neighbours, at most that of the points, at least 1."""
    half = k // 2
    logs = [math.log(a / b) for a, b in zip(radii(points, k), radii(points, half), strict=True)]
    expected = sum(1 / i for i in range(half, k))
    found = min(len(points[0]), max(1.0, expected / (sum(logs) / len(logs))))
    return found if found >= 2 else 1 + (found - 1) ** 1.5


def valley(points, side, k):
    """Return the depth of the valley between the densest points of two sides, in few dimensions."""
    radius = radii(points, k)
    a, b = (min((i for i, s in enumerate(side) if s == which), key=lambda i: radius[i]) for which in (1, 2))
    ratio = widest_step(points, radius, a, b) / max(radius[a], radius[b])
    return dimension(points, k) * math.log(ratio)


def deepest_on_line(x, k):
    """Return the deepest valley of points on a line over all steps from one point to the next."""
    points = [(value,) for value in x]
    radius, found = radii(points, k), 0.0
    for i in range(len(x) - 1):
        step = max(x[i + 1] - x[i], radius[i], radius[i + 1])
        found = max(found, math.log(step / max(min(radius[: i + 1]), min(radius[i + 1 :]))))
    return found
