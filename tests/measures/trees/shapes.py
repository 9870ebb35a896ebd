"""All hierarchies of a few items: with items at any node, or one item in each leaf."""

from functools import cache
from itertools import combinations

from dendrometry import Hierarchy, from_parents


def _partitions(items):
    """All ways to split a tuple into blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for chosen in combinations(rest, size):
            left = tuple(x for x in rest if x not in chosen)
            for others in _partitions(left):
                yield [(first, *chosen), *others]


@cache
def nested_any(items):
    """Trees as (own items, children); an inner node without own items has at least two children."""
    trees = []
    for size in range(len(items) + 1):
        for own in combinations(items, size):
            rest = tuple(x for x in items if x not in own)
            for blocks in _partitions(rest):
                if len(blocks) == 1 and not own:
                    continue
                trees.extend((own, children) for children in _products(blocks, nested_any))
    return tuple(trees)


@cache
def nested_leaf_only(items):
    """Trees with exactly one item in each leaf and none elsewhere."""
    if len(items) == 1:
        return ((items, ()),)
    return tuple(
        ((), children)
        for blocks in _partitions(items)
        if len(blocks) > 1
        for children in _products(blocks, nested_leaf_only)
    )


def _products(blocks, trees_of):
    """One tree for each block, in all combinations."""
    if not blocks:
        yield ()
        return
    for tree in trees_of(blocks[0]):
        for others in _products(blocks[1:], trees_of):
            yield (tree, *others)


def hierarchy(nested) -> Hierarchy:
    """The columns of a nested tree."""
    parent, item_node, items = [], [], []

    def visit(tree):
        own, children = tree
        below = [visit(child) for child in children]
        v = len(parent)
        parent.append(-1)
        for c in below:
            parent[c] = v
        for name in own:
            item_node.append(v)
            items.append(name)
        return v

    visit(nested)
    return from_parents(parent, item_node, None, items)


def all_hierarchies(n: int) -> list[Hierarchy]:
    return [hierarchy(tree) for tree in nested_any(tuple("abcdefgh"[:n]))]


def by_size(tree: Hierarchy) -> Hierarchy:
    """The same tree, each node as high as it has items: monotone, with many ties."""
    return Hierarchy(tree.parent, tree.sizes, tree.item_node, tree.items)


def all_leaf_only(n: int) -> list[Hierarchy]:
    return [hierarchy(tree) for tree in nested_leaf_only(tuple("abcdefgh"[:n]))]
