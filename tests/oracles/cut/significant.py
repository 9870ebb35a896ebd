"""The cut at significant splits by definition: items are together if a node without significant splits holds them."""


def ancestors(parent, v):
    """The nodes above one, from its parent up."""
    return [] if parent[v] < 0 else [parent[v], *ancestors(parent, parent[v])]


def is_merge(parent, own, v):
    """Whether a node has at least two parts: children, or items of its own beside a child."""
    children = [u for u in range(len(parent)) if parent[u] == v]
    return bool(children) and len(children) + len(own[v]) > 1


def significant_splits(parent, own, adjusted, alpha):
    """The merges with a p-value of at most alpha, as have all tested merges above them; None is not tested."""
    merges = [v for v in range(len(parent)) if is_merge(parent, own, v)]
    tested = {v: adjusted[v] for v in merges if adjusted[v] is not None}
    paths = {v: [v, *ancestors(parent, v)] for v in tested}
    return {v for v, path in paths.items() if all(tested[u] <= alpha for u in path if u in tested)}


def clusters_of(parent, own, adjusted, alpha):
    """The clusters, as sets of items."""
    found = significant_splits(parent, own, adjusted, alpha)
    n = len(parent)
    below = [{u for u in range(n) if u == v or v in ancestors(parent, u)} for v in range(n)]
    held = [frozenset().union(*(own[u] for u in below[v])) for v in range(n)]
    whole = [held[v] for v in range(n) if not below[v] & found]
    single = [frozenset([item]) for v in range(n) for item in own[v]]
    return {max((cluster for cluster in (*whole, one) if one <= cluster), key=len) for one in single}
