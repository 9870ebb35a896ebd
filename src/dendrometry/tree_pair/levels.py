"""The stages of one walk over two hierarchies: numbers of clusters, entropies, partitions and merges."""

from functools import cached_property

import numpy as np

from dendrometry._kernels.tree_pair import levels as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.overlap import Overlap
from dendrometry.tree_pair.contraction import Contraction
from dendrometry.tree_pair.sums import running_sum


class Levels:
    """The stages of a walk over two trees: column i is tick i; the last column is the start, with all items alone."""

    def __init__(self, overlap: Overlap, walk: Contraction) -> None:
        self.overlap, self.walk, self.n = overlap, walk, overlap.n_items
        self.trees = (walk.pair.a, walk.pair.b)
        self.merges = [tree.parts > 1 for tree in self.trees]
        self.ticks = [
            np.searchsorted(walk.time, np.where(merge, moment, 0))
            for merge, moment in zip(self.merges, walk.frame.moments, strict=True)
        ]
        self.groups = [self._groups(i) for i in range(2)]
        self.same = (walk.p == walk.q) & (walk.q == walk.t)

    def tick_of(self, k: IntArray) -> IntArray:
        """Return the tick of each stage, -1 for the start."""
        return np.searchsorted(self.walk.time, self.n - k, side="right") - 1

    def _groups(self, i: int) -> IntArray:
        """Return the number of clusters of one tree at each tick, and n for the start."""
        tree, merge = self.trees[i], self.merges[i]
        joined = running_sum(self.ticks[i][merge], (tree.parts - 1)[merge], self.walk.time.size)
        return np.append(self.n - joined, self.n)

    @property
    def rises(self) -> kernels.Rises:
        """The growth of overlaps: when items of one row come together, and when two overlaps meet."""
        meets, count = self.walk.meets, self.walk.pair.count
        many = np.flatnonzero(count > 1)
        both = meets.kept_count + meets.gone_count
        rise = _m_log_m(both) - _m_log_m(meets.kept_count) - _m_log_m(meets.gone_count)
        tick = np.concatenate((self.walk.row_tick[many], meets.tick))
        order = np.argsort(tick, kind="stable")
        return kernels.Rises(
            tick[order],
            np.concatenate((many, meets.kept))[order],
            np.concatenate((np.full(many.size, -1), meets.gone))[order],
            np.concatenate((_m_log_m(count[many]), rise))[order],
        )

    def held(self, i: int) -> FloatArray:
        """Return the sum of m log m over the clusters of one tree at each tick."""
        return self._held[i]

    @cached_property
    def _held(self) -> tuple[FloatArray, FloatArray]:
        return self._sum_held(0), self._sum_held(1)

    def _sum_held(self, i: int) -> FloatArray:
        tree, merge = self.trees[i], self.merges[i]
        new = _m_log_m(tree.size)
        np.subtract.at(new, tree.parent[:-1], _m_log_m(tree.size)[:-1])
        return running_sum(self.ticks[i][merge], new[merge], self.walk.time.size)

    @cached_property
    def held_in_both(self) -> FloatArray:
        """The sum of m log m over the overlaps at each tick."""
        rises = self.rises
        return running_sum(rises.tick, rises.rise, self.walk.time.size)

    def overlap_sums(self, i: int) -> tuple[FloatArray, IntArray]:
        """Return sums over the clusters of a tree at each tick: of m²/size over their overlaps, of their largest m."""
        tree, row_tick, count = self.trees[i], self.walk.row_tick, self.walk.pair.count
        formed = np.flatnonzero(self.merges[i])
        formed = formed[np.argsort(self.ticks[i][formed], kind="stable")]
        start = np.append(0, np.cumsum(tree.n_children))
        child = np.argsort(tree.parent[:-1], kind="stable")
        merges = kernels.Merges(formed, self.ticks[i][formed], child, start, tree.own, tree.size, tree.node)
        many = np.flatnonzero(count > 1)
        many = many[np.argsort(row_tick[many], kind="stable")]
        rows = kernels.Rows(many, row_tick[many], count[many])
        return kernels.overlap_sums(merges, rows, self.walk.meets, self.walk.time.size)

    def first_at_least(self, i: int, value: IntArray, start: IntArray, least: IntArray) -> IntArray:
        """Return the first node of a tree, from each start upwards, with a value of at least ``least``.

        Values do not decrease towards the root, whose value is great enough.
        """
        searched = kernels.Query(start, least, np.argsort(least, kind="stable"))
        return kernels.first_at_least(self.trees[i].parent, value, np.argsort(value, kind="stable"), searched)

    def joins(self) -> kernels.Joins:
        """Return the merges of clusters and overlaps: rows of the overlap and nodes of both trees."""
        n_rows = self.walk.pair.count.size
        tick, child, node, offset = [], [], [], 2 * n_rows
        holder = [np.arange(2 * n_rows)]
        for i, (tree, merge) in enumerate(zip(self.trees, self.merges, strict=True)):
            rows = np.flatnonzero(merge[tree.node])
            alone = np.flatnonzero(~merge[tree.node])
            held = np.full(tree.parent.size, -1)
            held[tree.node[alone]] = i * n_rows + alone
            parent = np.concatenate((tree.node[rows], tree.parent[:-1]))
            part = np.concatenate((i * n_rows + rows, offset + np.arange(tree.parent.size - 1)))
            order = np.lexsort((parent, self.ticks[i][parent]))
            tick.append(self.ticks[i][parent][order])
            child.append(part[order])
            node.append(offset + parent[order])
            holder.append(held)
            offset += tree.parent.size
        order = np.argsort(np.concatenate(tick), kind="stable")
        when, part, whole = (np.concatenate(column)[order] for column in (tick, child, node))
        return kernels.Joins(when, part, whole, np.concatenate(holder))

    def table(self, tick: int) -> Contingency:
        """Return the two partitions at a tick, over the items of the first tree."""
        first, second = (self._labels(i, tick) for i in range(2))
        return Contingency.of(first, second)

    def _labels(self, i: int, tick: int) -> IntArray:
        """Return the group of each item: the topmost node that is formed, or the item itself."""
        tree, merge = self.trees[i], self.merges[i]
        formed = merge & (self.ticks[i] <= tick)
        top = kernels.tops(tree.parent, formed)
        node = tree.node[self.overlap.item_row]
        alone = merge[node] & ~formed[node]
        return np.where(alone, tree.parent.size + np.arange(node.size), top[node])


def _m_log_m(count: IntArray) -> FloatArray:
    """Return m log m, which is 0 for a single item."""
    logs: FloatArray = np.log(count)
    return logs * count
