"""Where trees split into two groups; how far apart, and how deep the valley of density between them."""

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


@njit
def hypotheses(parent: IntArray, own: IntArray, size: IntArray, least: IntArray) -> tuple[BoolArray, IntArray]:
    """Return which nodes split into two groups, and the group that each node is part of. O(n).

    A node splits if it has two children and both hold at least ``least[g]`` items, g the number of items of its group.
    Its children are then groups of their own; other nodes leave their group to their children, but those with another
    number of children, or items of their own, make every child a group.
    """
    n = parent.size
    n_children = np.zeros(n, dtype=np.int64)
    smaller = np.full(n, size[n - 1], dtype=np.int64)
    for v in range(n - 1):
        n_children[parent[v]] += 1
        smaller[parent[v]] = min(smaller[parent[v]], size[v])
    group = np.arange(n)
    splits = np.zeros(n, dtype=np.bool_)
    for v in range(n - 1, -1, -1):
        p = parent[v]
        if p >= 0 and not splits[p] and own[p] == 0 and n_children[p] <= 2:
            group[v] = group[p]
        splits[v] = n_children[v] == 2 and own[v] == 0 and smaller[v] >= least[size[group[v]]]
    return splits, group


@njit
def top_split(parent: IntArray, least: int) -> IntArray:
    """Return the side, 1 or 2, of each item in the first split from the top with as many items on both; 0 if outside.

    The first nodes of the binary tree are the items. From a smaller split the larger part is followed. Without such a
    split all are 0. O(n).
    """
    n = (parent.size + 1) // 2
    size = np.zeros(parent.size, dtype=np.int64)
    size[:n] = 1
    child = np.full((parent.size, 2), -1, dtype=np.int64)
    for v in range(parent.size - 1):
        p = parent[v]
        size[p] += size[v]
        child[p, 1 if child[p, 0] >= 0 else 0] = v
    side = np.zeros(parent.size, dtype=np.int64)
    v = parent.size - 1
    while v >= n and min(size[child[v, 0]], size[child[v, 1]]) < least:
        a, b = child[v, 0], child[v, 1]
        v = a if size[a] >= size[b] else b
    if v >= n:
        side[child[v, 0]] = 1
        side[child[v, 1]] = 2
        for u in range(v - 1, -1, -1):
            if side[parent[u]] > 0:
                side[u] = side[parent[u]]
    return side[:n].copy()


@njit
def within_share(points: FloatArray, side: IntArray) -> float:
    """Return the sum of squares within the sides 1 and 2, as a share of that about their common centre. O(n d)."""
    n, d = points.shape
    within, total = 0.0, 0.0
    for c in range(d):
        count = np.zeros(3)
        mean = np.zeros(3)
        for i in range(n):
            count[side[i]] += 1.0
            mean[side[i]] += points[i, c]
        centre = (mean[1] + mean[2]) / (count[1] + count[2])
        mean /= np.maximum(count, 1.0)
        for i in range(n):
            if side[i] > 0:
                within += (points[i, c] - mean[side[i]]) ** 2
                total += (points[i, c] - centre) ** 2
    return within / total if total > 0.0 else 1.0


@njit
def near_distances(columns: FloatArray, k: int) -> FloatArray:
    """Return the distance of each of a few points from its k nearest neighbours, the nearest first. O(n^2 d + n^2 k).

    ``columns`` has a row for each coordinate.
    """
    d, n = columns.shape
    near = np.full((n, k), np.inf)
    distance = np.empty(n)
    for i in range(n):
        if stopped():
            break
        distance[:] = 0.0
        for c in range(d):
            x, others = columns[c, i], columns[c]
            for j in range(n):
                distance[j] += (x - others[j]) * (x - others[j])
        distance[i] = np.inf
        nearest = near[i]
        for j in range(n):
            if distance[j] < nearest[k - 1]:
                at = k - 1
                while at > 0 and distance[j] < nearest[at - 1]:
                    nearest[at] = nearest[at - 1]
                    at -= 1
                nearest[at] = distance[j]
    distances: FloatArray = np.sqrt(near)
    return distances


@njit
def widest_step(points: FloatArray, radius: FloatArray, start: int, goal: int) -> float:
    """Return the least possible widest step on a way over the points from one to another, squared.

    A step is as wide as the larger of the squared distance of its ends and of their ``radius``. O(n^2 d), by Prim's
    algorithm, which ends at the goal.
    """
    n, d = points.shape
    nearest = np.full(n, np.inf)
    reached = np.zeros(n, dtype=np.bool_)
    v, widest = start, 0.0
    while v != goal:
        if stopped():
            break
        reached[v] = True
        best = -1
        for u in range(n):
            if reached[u]:
                continue
            step = 0.0
            for c in range(d):
                step += (points[v, c] - points[u, c]) ** 2
            nearest[u] = min(nearest[u], max(step, radius[v], radius[u]))
            if best < 0 or nearest[u] < nearest[best]:
                best = u
        v = best
        widest = max(widest, nearest[v])
    return widest


@njit
def deepest_on_line(x: FloatArray, k: int) -> float:
    """Return the depth of the deepest valley among points on a line, in ascending order. O(n k).

    The radius of a point is its distance from its k-th neighbour. The depth at a step to the next point is the log of
    its width, at least the radius of both ends, over the larger of the least radii on both sides.
    """
    n = x.size
    radius = np.full(n, np.inf)
    for i in range(n):
        for low in range(max(0, i - k), min(i, n - 1 - k) + 1):
            radius[i] = min(radius[i], max(x[i] - x[low], x[low + k] - x[i]))
    after = radius.copy()
    for i in range(n - 2, -1, -1):
        after[i] = min(after[i], after[i + 1])
    before, deepest = np.inf, 1.0
    for i in range(n - 1):
        before = min(before, radius[i])
        step = max(x[i + 1] - x[i], radius[i], radius[i + 1])
        deepest = max(deepest, step / max(before, after[i + 1]))
    return float(np.log(deepest))
