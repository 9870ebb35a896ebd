"""Excess of mass by definition: all sets of disjoint clusters, each with the time that each item stays in it."""

from itertools import combinations


def tied_parts(children, height, node):
    """The parts of a node, where merges at its height, one below the other, are one merge with it."""
    found = []
    for u in children[node]:
        found += tied_parts(children, height, u) if children[u] and height[u] == height[node] else [u]
    return found


def life(children, items, node, least):
    """The nodes of a cluster that starts at a node, from the top down, and the large parts into which it splits."""
    nodes = [node]
    while True:
        large = [u for u in children[nodes[-1]] if len(items[u]) >= least]
        if len(large) != 1:
            return nodes, large
        nodes += large


def mass(nodes, large, items, height, split, density):
    """The sum over the items of a cluster of the time that each stays in it."""
    total = 0.0
    for at, v in enumerate(nodes):
        stay = items[nodes[at + 1]] if at + 1 < len(nodes) else set()
        time = 1 / height[v] - 1 / split if density else split - height[v]
        total += len(items[v] - stay) * time
    return total


def masses(children, items, height, root, least, density):
    """Each cluster, the root excepted, and its mass."""
    nodes, large = life(children, items, root, least)
    found = {}
    for u in large:
        own = life(children, items, u, least)
        found[frozenset(items[u])] = mass(*own, items, height, height[nodes[-1]], density)
        found |= masses(children, items, height, u, least, density)
    return found


def largest_mass(found):
    """The largest total mass of disjoint clusters."""
    best = 0.0
    for count in range(len(found) + 1):
        for some in combinations(found, count):
            if all(not a & b for a, b in combinations(some, 2)):
                best = max(best, sum(found[cluster] for cluster in some))
    return best
