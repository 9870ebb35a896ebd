"""The nodes and items that must move, given which nodes are the same, by their definition."""


def above(parent, v, kept):
    """The nearest node above v that is kept."""
    v = parent[v]
    while v >= 0 and v not in kept:
        v = parent[v]
    return v


def at_or_above(parent, v, kept):
    return v if v in kept else above(parent, v, kept)


def moved_nodes(parent_old, parent_new, match):
    """The new numbers of the matched nodes whose nearest matched node above is another one."""
    kept_old, kept_new = set(match), set(match.values())
    return {
        v
        for u, v in match.items()
        if parent_old[u] >= 0 and match[above(parent_old, u, kept_old)] != above(parent_new, v, kept_new)
    }


def moved_items(old, new, match):
    """The items whose nearest matched node is another one; trees are (parent, {item: node})."""
    kept_old, kept_new = set(match), set(match.values())
    return {
        item
        for item, u in old[1].items()
        if item in new[1] and match[at_or_above(old[0], u, kept_old)] != at_or_above(new[0], new[1][item], kept_new)
    }
