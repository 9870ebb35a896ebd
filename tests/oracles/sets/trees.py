"""A hierarchy as its clusters, in sets and loops. Slow and obvious; imports nothing of what it judges."""

from functools import lru_cache
from typing import NamedTuple


class Tree(NamedTuple):
    """Parents (-1 at the root), the node of each item, and heights or None."""

    parent: tuple[int, ...]
    item_node: tuple[int, ...]
    height: tuple[float, ...] | None = None


def plain(hierarchy, items: tuple[str, ...]) -> Tree:
    """The columns of a hierarchy as tuples, with its items in the given order."""
    place = {name: i for i, name in enumerate(hierarchy.items)}
    at = hierarchy.item_node.tolist()
    height = None if hierarchy.height is None else tuple(hierarchy.height.tolist())
    return Tree(tuple(hierarchy.parent.tolist()), tuple(at[place[name]] for name in items), height)


@lru_cache(maxsize=10_000)
def ancestors(tree: Tree, v: int) -> list[int]:
    """v itself, its parent, and so on to the root."""
    chain = []
    while v != -1:
        chain.append(v)
        v = tree.parent[v]
    return chain


@lru_cache(maxsize=10_000)
def clusters(tree: Tree) -> list[frozenset[int]]:
    """The items at or below each node."""
    sets: list[set[int]] = [set() for _ in tree.parent]
    for i, at in enumerate(tree.item_node):
        for v in ancestors(tree, at):
            sets[v].add(i)
    return [frozenset(s) for s in sets]


def is_leaf(tree: Tree, v: int) -> bool:
    return v not in tree.parent


def lowest(tree: Tree, i: int, j: int) -> int:
    """The node of the smallest cluster with both items; of equal ones (unary nodes) the lowest."""
    above_j = ancestors(tree, tree.item_node[j])
    return next(v for v in ancestors(tree, tree.item_node[i]) if v in above_j)


def pairs(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i + 1, n)]
