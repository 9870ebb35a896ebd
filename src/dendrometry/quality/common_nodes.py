"""The lowest common node of pairs of items, in blocks of rows or for single pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._typing import IntArray
from dendrometry.hierarchy import Hierarchy

BLOCK = 256  # rows that are looked at together


class CommonNodes(NamedTuple):
    """The items of a tree in pre-order, and the lowest common node of each and the next.

    Node numbers grow towards the root, so the lowest common node of two items is the greatest of those between them.
    """

    item: IntArray
    between: IntArray

    @classmethod
    def of(cls, tree: Hierarchy) -> CommonNodes:
        """Return the common nodes of a tree, O(n)."""
        order, low = tree.order, tree.order.item_low
        between = np.empty(max(tree.n_items - 1, 0), dtype=np.int64)
        above, first = tree.parent[:-1], low[:-1]
        later = first > low[above]  # parts of a node after its first
        between[first[later] - 1] = above[later]
        node = tree.item_node[order.item]
        place = np.flatnonzero(np.arange(tree.n_items) > low[node])  # items of a node itself precede its children
        between[place - 1] = node[place]
        return cls(order.item, between)

    def block(self, start: int, stop: int) -> IntArray:
        """Return the common nodes of the items from ``start`` to ``stop`` with all items after ``start``.

        Both count in pre-order. Row r belongs to item start + r, column c to item start + 1 + c; entries with c < r,
        which would repeat a pair or join an item with itself, are -1.
        """
        between = np.tile(self.between[start:], (stop - start, 1))
        between[np.tril_indices(stop - start, -1, between.shape[1])] = -1
        return np.maximum.accumulate(between, axis=1, out=between)

    def of_pairs(self, i: IntArray, j: IntArray) -> IntArray:
        """Return the common node of each of some pairs of different items. O((n + pairs) log n)."""
        rank = np.empty_like(self.item)
        rank[self.item] = np.arange(self.item.size)
        low, high = np.minimum(rank[i], rank[j]), np.maximum(rank[i], rank[j])
        level = np.frexp((high - low).astype(np.float64))[1] - 1  # of the longest power of two within the range
        found = np.empty_like(low)
        greatest = self.between.copy()  # of 2 ** step neighbours from each on
        for step in range(int(level.max(initial=-1)) + 1):
            at = np.flatnonzero(level == step)
            found[at] = np.maximum(greatest[low[at]], greatest[high[at] - (1 << step)])
            greatest = np.maximum(greatest[: -(1 << step)], greatest[1 << step :])
        return found
