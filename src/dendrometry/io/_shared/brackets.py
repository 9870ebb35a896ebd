"""The traversal of a tree that every nested notation writes out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dendrometry.hierarchy import Hierarchy


def walk_brackets(tree: Hierarchy) -> Iterator[tuple[Literal["open", "leaf", "close", "next"], int]]:
    """Yield every leaf, the opening and closing of every inner node, and ``next`` between siblings. O(n)."""
    parent = tree.parent.tolist()
    is_leaf = (tree.n_children == 0).tolist()
    at, first = -1, True  # the inner node that is open, and whether it is still empty
    for v in tree.order.node.tolist():
        while at != parent[v]:
            yield "close", at
            at = parent[at]
        if not first:
            yield "next", v
        first = not is_leaf[v]
        yield "leaf" if is_leaf[v] else "open", v
        at = at if is_leaf[v] else v
    while at != -1:
        yield "close", at
        at = parent[at]
