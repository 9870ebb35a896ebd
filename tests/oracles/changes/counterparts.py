"""The best counterparts of nodes, and the deepest nodes that hold most of their items, by their definition.

A tree is a list of (name, items) of its nodes, as sets; nodes come before the nodes that hold them.
"""


def jaccard(a, b):
    return len(a & b) / len(a | b)


def counterpart(name, items, names, candidates, names_of_others):
    """The best of candidates {node: (name, items)} for a node, and its score; None if there is none.

    ``names`` are those of its own tree, ``names_of_others`` those of the other.
    """
    best = None
    for v, (other, held) in sorted(candidates.items()):
        if name and name == other:
            score = jaccard(items, held) + 0.5 if items & held else 0.0
        elif 2 * len(items & held) > len(items | held):
            score = jaccard(items, held) - (0.5 if name in names_of_others or other in names else 0.0)
        else:
            continue
        if score > 0.0 and (best is None or score > best[1]):
            best = v, score
    return best


def holder(items, nodes):
    """The deepest of nodes, a list of sets, with more than half of the items."""
    return next(v for v, held in enumerate(nodes) if 2 * len(items & held) > len(items))
