"""What makes columns a tree: one root, reached from every node, and an item in every leaf."""

import math


def flaw(parent, height, item_node, items, node_names):
    """Say what is wrong with the columns of a tree, or return None."""
    parent, item_node = [int(p) for p in parent], [int(v) for v in item_node]
    return flaw_of_nodes(parent, height) or flaw_of_items(parent, item_node, items, node_names)


def flaw_of_nodes(parent, height):
    """Say what is wrong with the parents and heights of nodes."""
    nodes = range(len(parent))
    if [v for v in nodes if parent[v] == -1] != [len(parent) - 1]:
        return "the last node, and no other, is the root"
    if any(p not in nodes for p in parent[:-1]):
        return "a parent is a node"
    for v in nodes:
        steps = 0
        while parent[v] != -1:
            if parent[v] <= v or steps > len(parent):
                return "parents come after their children, and every way up ends at the root"
            v, steps = parent[v], steps + 1
    if height is not None and (len(height) != len(parent) or not all(math.isfinite(h) for h in height)):
        return "every node has a finite height"
    return None


def flaw_of_items(parent, item_node, items, node_names):
    """Say what is wrong with the places and names of items, and the names of nodes."""
    nodes = range(len(parent))
    if any(v not in nodes for v in item_node):
        return "an item belongs to a node"
    if any(v not in parent and v not in item_node for v in nodes):
        return "a leaf has an item"
    if len(items) != len(item_node) or len(set(items)) != len(items) or not items:
        return "every item has a name of its own"
    if not all(type(name) is str for name in (*items, *node_names)):
        return "names are text"
    if len(node_names) not in (0, len(parent)):
        return "all nodes have a name, or none"
    return None
