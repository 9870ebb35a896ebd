"""A hierarchy as its clusters, in sets and loops. Slow and obvious; imports nothing of what it judges."""

from typing import NamedTuple


class Tree(NamedTuple):
    """Parents (-1 at the root), the node of each item, and heights or None."""

    parent: list[int]
    item_node: list[int]
    height: list[float] | None = None


def ancestors(tree: Tree, v: int) -> list[int]:
    """v itself, its parent, and so on to the root."""
    chain = []
    while v != -1:
        chain.append(v)
        v = tree.parent[v]
    return chain


def clusters(tree: Tree) -> list[frozenset[int]]:
    """The items at or below each node."""
    return [
        frozenset(i for i, at in enumerate(tree.item_node) if v in ancestors(tree, at)) for v in range(len(tree.parent))
    ]


def is_leaf(tree: Tree, v: int) -> bool:
    return v not in tree.parent


def lowest(tree: Tree, i: int, j: int) -> int:
    """The node of the smallest cluster with both items; of equal ones (unary nodes) the lowest."""
    both = [v for v in ancestors(tree, tree.item_node[i]) if v in ancestors(tree, tree.item_node[j])]
    return both[0]


def pairs(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i + 1, n)]
