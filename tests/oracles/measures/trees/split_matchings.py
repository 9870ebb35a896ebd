"""The splits of a tree, all one-to-one matchings of those of two, and which binary trees have them."""

from collections.abc import Callable
from functools import cache
from itertools import permutations

from tests.oracles.sets.trees import Tree, clusters

Part = frozenset[int]
Split = frozenset[Part]


def splits(tree: Tree) -> set[Split]:
    """The divisions of the items into a cluster and the rest, of at least two items each."""
    every = frozenset(range(len(tree.item_node)))
    return {frozenset((x, every - x)) for x in clusters(tree) if 1 < len(x) < len(every) - 1}


def best_matching(a: Tree, b: Tree, worth: Callable[[Split, Split], float]) -> float:
    """The greatest sum of what matched splits are worth."""
    few, many = sorted((sorted(splits(tree), key=str) for tree in (a, b)), key=len)
    return max(sum(map(worth, few, order)) for order in permutations(many, len(few)))


@cache
def all_trees(items: Part) -> list[frozenset[Split]]:
    """Every binary tree without a root, as its splits: each item in turn is attached to each edge."""
    first = min(items)
    found = []
    for tree in all_rooted(items - {first}):
        found.append(frozenset(frozenset((x, items - x)) for x in tree if 1 < len(x) < len(items) - 1))
    return found


@cache
def all_rooted(items: Part) -> list[frozenset[Part]]:
    """Every rooted binary tree, as its clusters."""
    if len(items) == 1:
        return [frozenset((items,))]
    first, *rest = sorted(items)
    found = []
    for chosen in range(2 ** len(rest) - 1):
        left = frozenset((first, *(item for k, item in enumerate(rest) if chosen >> k & 1)))
        for x in all_rooted(left):
            for y in all_rooted(items - left):
                found.append(x | y | {items})
    return found
