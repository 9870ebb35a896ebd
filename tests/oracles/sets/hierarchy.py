"""What a tree is, in sets and loops: parents as a list, the items of each node as a list of names."""


def clusters(parent, item_node, items):
    """The set of items at or below each node: walk up from every item."""
    held = [set() for _ in parent]
    for name, node in zip(items, item_node, strict=True):
        while node != -1:
            held[node].add(name)
            node = parent[node]
    return held


def depths(parent):
    """Steps to the root, counted one by one."""
    result = []
    for node in range(len(parent)):
        steps = 0
        while parent[node] != -1:
            node = parent[node]
            steps += 1
        result.append(steps)
    return result


def description(parent, height, item_node, items):
    """A nested description that forgets node numbers and the order of children; equal for equal trees only."""

    def describe(node):
        own = frozenset(name for name, at in zip(items, item_node, strict=True) if at == node)
        below = sorted((describe(child) for child, p in enumerate(parent) if p == node), key=repr)
        return (None if height is None else float(height[node]), tuple(sorted(own)), tuple(below))

    return describe(parent.index(-1))


def restricted(parent, item_node, items, wanted):
    """The clusters that remain when only the wanted items are kept, as a sorted list of sorted tuples."""
    return sorted(tuple(sorted(c & wanted)) for c in clusters(parent, item_node, items) if c & wanted)


def triples(item_node_a, items_a, item_node_b, items_b):
    """How many items share each pair of nodes, found by looking up every name."""
    counts = {}
    for name, node in zip(items_a, item_node_a, strict=True):
        key = (node, item_node_b[list(items_b).index(name)])
        counts[key] = counts.get(key, 0) + 1
    return [(a, b, count) for (a, b), count in sorted(counts.items())]
