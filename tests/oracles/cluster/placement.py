"""The node that a new point joins, in loops: from its nearest old point up, by the distance of the linkage."""

import math


def members(parent: list[int], item_node: list[int], v: int) -> list[int]:
    """The items below a node."""
    found = []
    for i, u in enumerate(item_node):
        while u not in (v, len(parent) - 1):
            u = parent[u]
        if u == v:
            found.append(i)
    return found


def distance_of_all(points: list, x: list, linkage: str) -> float:
    """The distance of a point from a cluster as a whole."""
    s = len(points)
    if linkage == "average":
        return sum(math.dist(x, p) ** 2 for p in points) / s
    from_centre = math.dist(x, [sum(column) / s for column in zip(*points, strict=True)])
    return from_centre if linkage == "centroid" else math.sqrt(2 * s / (s + 1)) * from_centre


def place(
    parent: list[int], height: list[float], item_node: list[int], old: list, x: list, linkage: str
) -> tuple[int, float, float]:
    """The node, the height and the doubt of one point."""

    def whole(v: int) -> float:
        return distance_of_all([old[i] for i in members(parent, item_node, v)], x, linkage)

    def distance(v: int) -> float:
        return min(math.dist(x, p) for p in old) if linkage == "single" else whole(v)

    root = len(parent) - 1
    v = min((math.dist(x, p), item_node[i]) for i, p in enumerate(old))[1]
    while v != root and distance(v) > height[parent[v]]:
        v = parent[v]
    joined = max(distance(v), height[v])
    if v == root:
        return v, joined, 1.0 - height[root] / joined
    sibling = next(u for u in range(root) if parent[u] == parent[v] and u != v)
    return v, joined, min(whole(v) / whole(sibling), 1.0)
