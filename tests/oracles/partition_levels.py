"""The partitions of a tree on its way from single items to one group, in sets and loops."""

from typing import NamedTuple

Group = frozenset[int]


class Tree(NamedTuple):
    """Parents (-1 at the root), the node of each item, and heights."""

    parent: list[int]
    item_node: list[int]
    height: list[float]


def path(tree: Tree, v: int) -> list[int]:
    """v itself, its parent, and so on to the root."""
    nodes = [v]
    while tree.parent[nodes[-1]] != -1:
        nodes.append(tree.parent[nodes[-1]])
    return nodes


def partitions(tree: Tree, ties: str) -> list[list[Group]]:
    """Finest first. "order": nodes form one at a time, by number; "together": all up to a height form at once.

    A node that lies lower than something below it waits for that.
    """
    nodes = range(len(tree.parent))
    items = range(len(tree.item_node))
    cluster = [frozenset(i for i in items if v in path(tree, tree.item_node[i])) for v in nodes]
    when: list[float] = [
        v if ties == "order" else max(tree.height[u] for u in nodes if v in path(tree, u)) for v in nodes
    ]
    found = []
    for moment in [float("-inf"), *sorted(set(when))]:
        groups = {frozenset([i]) for i in items} | {cluster[v] for v in nodes if when[v] <= moment}
        found.append([x for x in groups if not any(x < y for y in groups)])
    return found


def partition_at(tree: Tree, k: int, ties: str) -> list[Group]:
    """The coarsest partition on the way with at least k groups."""
    return min((groups for groups in partitions(tree, ties) if len(groups) >= k), key=len)
