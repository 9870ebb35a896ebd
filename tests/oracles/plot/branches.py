"""Where nodes are drawn, by definition: lists of children, and a stack."""


def children_of(parent):
    """The children of each node, in ascending number."""
    found = [[] for _ in parent]
    for v, p in enumerate(parent[:-1]):
        found[p].append(v)
    return found


def pre_order(parent, key=None):
    """All nodes, each before its children; children by key or by number."""
    children, order, stack = children_of(parent), [], [len(parent) - 1]
    while stack:
        v = stack.pop()
        order.append(v)
        stack.extend(sorted(children[v], key=(lambda c: (key[c], c)) if key else None, reverse=True))
    return order


def slots(parent, own, key=None):
    """The nodes that own items, in pre-order."""
    return [v for v in pre_order(parent, key) if own[v]]


def position(v, parent, slot):
    """The middle of the outermost children, a node's own slot being one of them."""
    places = [position(c, parent, slot) for c in children_of(parent)[v]]
    if v in slot:
        places.append(slot.index(v))
    return (min(places) + max(places)) / 2


def level(v, parent):
    """The number of edges to the farthest leaf."""
    return max((1 + level(c, parent) for c in children_of(parent)[v]), default=0)
