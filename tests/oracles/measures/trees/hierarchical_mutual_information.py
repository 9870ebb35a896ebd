"""Hierarchical mutual information by the recursion of Perotti et al.: at two nodes, that of their parts and below."""

import math

from tests.oracles.sets.trees import Tree, clusters, is_leaf


def parts(tree: Tree, v: int) -> list[tuple[frozenset[int], int | None]]:
    """The parts of a node with two or more: its children, skipping unary nodes, and its own items, each by itself."""
    held = clusters(tree)
    children = [c for c, p in enumerate(tree.parent) if p == v]
    own = [i for i, at in enumerate(tree.item_node) if at == v]
    if len(children) == 1 and not own:
        return parts(tree, children[0])
    if is_leaf(tree, v):
        return []
    return [(held[c], c) for c in children] + [(frozenset([i]), None) for i in own]


def below(a: Tree, b: Tree, v: int | None, w: int | None, shared: frozenset[int]) -> float:
    """Mutual information of the parts of two nodes among the items of both, and that below, weighted."""
    in_v, in_w = ([] if v is None else parts(a, v)), ([] if w is None else parts(b, w))
    if not in_v or not in_w or not shared:
        return 0.0
    total = 0.0
    for x, c in in_v:
        for y, d in in_w:
            share = len(x & y & shared) / len(shared)
            if share:
                apart = len(x & shared) / len(shared) * len(y & shared) / len(shared)
                total += share * (math.log(share / apart) + below(a, b, c, d, x & y & shared))
    return total


def hierarchical_mutual_information(a: Tree, b: Tree) -> float:
    return below(a, b, len(a.parent) - 1, len(b.parent) - 1, frozenset(range(len(a.item_node))))
