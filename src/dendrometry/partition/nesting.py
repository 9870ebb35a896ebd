"""The nearest nested tree of clusterings that are not nested: parents by majority, then the best path of each item."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.labels import Partition
from dendrometry._display import plural
from dendrometry._html import preview
from dendrometry._typing import IntArray
from dendrometry.contingency import Contingency
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents


@dataclass(frozen=True, eq=False, repr=False)
class Nesting(Frozen):
    """Clusterings made nested, and what had to move for it.

    Attributes
    ----------
    names : tuple of str
        The names of the levels, from the coarsest to the finest.
    tree : Hierarchy
        The nested tree: its nodes are clusters of the levels, named by their labels. Clusters that lost all their items
        are left out.
    parents : tuple of arrays of int
        For each level but the coarsest, the number of each cluster's parent: the cluster of the next coarser level that
        holds most of its items.
    moved : (n_levels,) array of int
        The number of items at each level that leave their cluster.
    item_moves : (n_items,) array of int
        The number of levels at which each item leaves its cluster.
    least : int
        A lower bound on the moves of any nested tree; with two levels it is always reached.
    """

    names: tuple[str, ...]
    tree: Hierarchy
    parents: tuple[IntArray, ...]
    moved: IntArray
    item_moves: IntArray
    least: int

    @property
    def n_moves(self) -> int:
        """The number of moves at all levels together: how far the levels are from the tree."""
        return int(self.moved.sum())

    @property
    def n_items_moved(self) -> int:
        """The number of items that move at any level."""
        return int((self.item_moves > 0).sum())

    @property
    def is_fewest(self) -> bool:
        """Whether it is certain that no nested tree needs fewer moves."""
        return self.n_moves == self.least

    def _repr_html_(self) -> str:
        return preview(repr(self), {"level": list(self.names), "moved": self.moved.tolist()})

    def __repr__(self) -> str:
        at_least = "the fewest possible" if self.is_fewest else f"at least {self.least:,} needed"
        items = f"{self.n_items_moved:,} of {plural(self.item_moves.size, 'item')}"
        return f"Nesting({plural(len(self.names), 'level')}, {plural(self.n_moves, 'move')} of {items}, {at_least})"


def main_parts(table: Contingency) -> tuple[IntArray, int]:
    """Return, for each cluster of the second partition, the cluster of the first that holds most of its items.

    The second value is the number of items elsewhere: the fewest that must move for the second to refine the first.
    """
    order = np.lexsort((-table.row, table.count, table.column))
    last = np.append(np.diff(table.column[order]) > 0, True)
    main = order[last]
    return table.row[main], table.n_items - int(table.count[main].sum())


def nest_levels(levels: list[Partition], names: tuple[str, ...], items: tuple[str, ...]) -> Nesting:
    """Return levels, from the coarsest to the finest, as a nested tree.

    The parent of a cluster is the cluster of the next coarser level that holds most of its items. An item then belongs
    to the node whose path from the root holds most of its own clusters, the deepest of several.
    O(n_items x n_levels**2) time.
    """
    parents, needed = [], []
    for coarse, fine in pairwise(levels):
        parent, n_elsewhere = main_parts(Contingency.of(coarse.code, fine.code))
        parents.append(parent)
        needed.append(n_elsewhere)
    depth, own = _deepest_agreement([level.code for level in levels], parents)
    moved = np.zeros(len(levels), dtype=np.int64)
    item_moves = np.zeros(len(items), dtype=np.int64)
    cluster = np.full(len(items), -1)
    for j in range(len(levels) - 1, -1, -1):
        if j < len(parents):
            cluster = np.where(cluster < 0, -1, parents[j][cluster])
        cluster = np.where(depth == j, own, cluster)
        differs = cluster != levels[j].code
        moved[j] = differs.sum()
        item_moves += differs
    tree = _tree(levels, parents, (depth, own), items)
    return Nesting(names, tree, tuple(parents), moved, item_moves, _least(needed))


def _deepest_agreement(codes: list[IntArray], parents: list[IntArray]) -> tuple[IntArray, IntArray]:
    """Return, for each item, the level and the number of the cluster whose path holds most of the item's clusters."""
    most = np.zeros(codes[0].size, dtype=np.int16)
    depth, own = np.zeros(codes[0].size, dtype=np.int64), codes[0].copy()
    for i, code in enumerate(codes):
        agrees = np.ones(code.size, dtype=np.int16)
        ancestor = np.arange(int(code.max()) + 1)
        for j in range(i - 1, -1, -1):
            ancestor = parents[j][ancestor]
            agrees += ancestor[code] == codes[j]
        better = agrees >= most
        most[better], depth[better], own[better] = agrees[better], i, code[better]
    return depth, own


def _tree(
    levels: list[Partition], parents: list[IntArray], place: tuple[IntArray, IntArray], items: tuple[str, ...]
) -> Hierarchy:
    """Return the tree of the clusters that have items, below a root unless the coarsest level has one cluster."""
    n_roots = int(levels[0].label.size > 1)
    first = n_roots + np.cumsum([0, *(level.label.size for level in levels)])
    parent = [np.full(n_roots, -1), np.full(levels[0].label.size, n_roots - 1)]
    parent += [first[j] + above for j, above in enumerate(parents)]
    names = [""] * n_roots + [str(label) for level in levels for label in level.label.tolist()]
    return from_parents(np.concatenate(parent), first[place[0]] + place[1], None, items, names)


def _least(needed: list[int]) -> int:
    """Return a lower bound on the moves of any nested tree.

    ``needed`` are the fewest moves that make each level refine the one before. Over pairs of neighbouring levels of
    which none share a level, these add up; the pairs are chosen so that the sum is largest.
    """
    before, best = 0, 0
    for moves in needed:
        before, best = best, max(best, before + moves)
    return best
