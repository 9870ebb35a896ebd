"""The cut by size by definition: from the root down, whatever is too large falls into its parts."""


def foot(children, own, v):
    """The node itself, or the one below it that holds the same items and is a merge or a leaf."""
    while len(children[v]) == 1 and not own[v]:
        (v,) = children[v]
    return v


def items_of(children, own, v):
    """The items below a node."""
    return set(own[v]).union(*(items_of(children, own, u) for u in children[v]))


def parts_of(children, own, height, v):
    """The nodes and the single items that merge in a node, where merges at its height below it are one with it."""
    nodes, items = [], list(own[v])
    for u in (foot(children, own, u) for u in children[v]):
        if children[u] and height is not None and height[u] == height[v]:
            more_nodes, more_items = parts_of(children, own, height, u)
            nodes, items = nodes + more_nodes, items + more_items
        else:
            nodes.append(u)
    return nodes, items


def clusters_of(children, own, height, v, most):
    """The clusters of at most so many items, as sets; a leaf is one whatever it holds."""
    v = foot(children, own, v)
    members = items_of(children, own, v)
    if not children[v] or len(members) <= most:
        return [members]
    nodes, items = parts_of(children, own, height, v)
    found = [{item} for item in items]
    for u in nodes:
        found += clusters_of(children, own, height, u, most)
    return found
