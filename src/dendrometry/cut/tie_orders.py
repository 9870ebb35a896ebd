"""Other orders of tied merges: how many clusterings a rule finds that depends on the order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from dendrometry._typing import BoolArray, IntArray
from dendrometry.cut.cut import Cut
from dendrometry.cut.ties import highest_tied
from dendrometry.hierarchy import Hierarchy

_MOST_ORDERS, _MOST_NODES = 20, 200_000  # of all orders together, of which two are always tried


def count_other_orders(tree: Hierarchy, merges: BoolArray, cut: Cut, rule: Callable[[Hierarchy, IntArray], Cut]) -> int:
    """Return how many other clusterings a rule finds in random orders of what ties in a binary tree: a lower bound.

    Merges at one height, one below the other, are one merge of all their parts, which are joined two by two at random.
    The rule also takes a number for each node, which decides between siblings of the same height.
    """
    others = set()
    for shuffled, number in _orders(tree, highest_tied(tree, merges)):
        others.add(rule(shuffled, number).labels.tobytes())
    return len(others - {cut.labels.tobytes()})


def _orders(tree: Hierarchy, top: IntArray) -> Iterator[tuple[Hierarchy, IntArray]]:
    """Yield the tree with what ties in other orders, and random numbers of its nodes. O(n log n) for each."""
    assert tree.height is not None
    numbers, choice = np.random.default_rng(0), Random(0)
    order = np.argsort(top, kind="stable")  # parts first, then the merges of one height, the highest of them last
    new = np.argsort(order)
    for _ in range(max(2, min(_MOST_ORDERS, _MOST_NODES // tree.n_nodes))):
        parent = np.append(new[tree.parent[order[:-1]]], -1)
        for parts, nodes in _tied_merges(tree, top, new):
            for v in nodes:
                for _ in range(2):
                    at = choice.randrange(len(parts))
                    parts[at], parts[-1] = parts[-1], parts[at]
                    parent[parts.pop()] = v
                parts.append(v)
        shuffled = Hierarchy(parent, tree.height[order], new[tree.item_node], tree.items)
        yield shuffled, numbers.permutation(tree.n_nodes)


def _tied_merges(tree: Hierarchy, top: IntArray, new: IntArray) -> Iterator[tuple[list[int], range]]:
    """Yield the parts of the merges of one height that lead up to one of them, and these merges, by new numbers."""
    n_tied = np.bincount(top, minlength=tree.n_nodes)
    above = top[tree.parent[:-1]]
    part = np.flatnonzero((top[:-1] == np.arange(tree.root)) & (n_tied[above] > 1))
    part = part[np.argsort(above[part], kind="stable")]
    tops, start = np.unique(above[part], return_index=True)
    number = new[part].tolist()
    for v, low, high in zip(tops.tolist(), start.tolist(), [*start[1:].tolist(), part.size], strict=False):
        yield number[low:high], range(int(new[v]) - int(n_tied[v]) + 1, int(new[v]) + 1)
