"""A folded tree by definition: the children of a node are replaced, the highest first, while there is room."""


def size_of(children, own, v):
    """The number of items below a node."""
    return len(own[v]) + sum(size_of(children, own, u) for u in children[v])


def shown(children, own, height, v, most):
    """The children that a node has in the folded tree."""
    front, fixed = list(children[v]), set()
    while True:
        free = [u for u in front if u not in fixed]
        if not free:
            return front
        top = max(
            free, key=lambda u: (height[u] if height else size_of(children, own, u), size_of(children, own, u), u)
        )
        divided = [u for u in front if u != top] + list(children[top])
        small = size_of(children, own, top) <= most < size_of(children, own, v)
        if not children[top] or small or own[top] or len(divided) > most:
            fixed.add(top)
        else:
            front = divided


def folded(children, own, height, v, most):
    """All nodes of the folded tree below and with a node."""
    nodes = {v}
    for u in shown(children, own, height, v, most):
        nodes |= folded(children, own, height, u, most)
    return nodes
