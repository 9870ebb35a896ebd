"""The branches of a tree that have the shape of a cluster: a tight core, and a gap around it."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.hierarchy import Hierarchy

Between = Callable[[list[int], list[int]], FloatArray]  # the distances of some items from others


class Shape(NamedTuple):
    """What a branch must have to be a cluster: items, a core of less than this scatter, a gap of more than that."""

    min_size: int
    max_scatter: float
    min_gap: float
    max_height: float

    def core_size(self, size: int) -> int:
        """Return the number of items in the core of a branch."""
        base = self.min_size / 2 + 1
        return int(base + sqrt(size - base)) if size > base else size


class Branches(NamedTuple):
    """The nodes of clusters, and of branches that are only too small to be one, in the order in which they began."""

    clusters: list[int]
    small: list[int]


def find_branches(tree: Hierarchy, height: FloatArray, between: Between, shape: Shape) -> Branches:
    """Return the clusters of a binary tree, judged from the bottom up wherever two branches merge.

    Two clusters that merge stay apart, and what joins them later is judged by itself. Otherwise the branches become
    one; its items are listed in the order in which they joined, the first of them being its core.
    """
    judge = _Judge(tree, between, shape)
    for v in np.flatnonzero(tree.n_children).tolist():
        parts = tree.children.node[tree.children.start[v] : tree.children.start[v + 1]].tolist()
        if height[v] > shape.max_height:
            judge.close(parts, shape.max_height)
        elif all(judge.first[u] for u in parts):
            judge.merge(v, parts, float(height[v]))
        else:
            judge.close(parts, float(height[v]), merges=True)
    judge.close([tree.root], shape.max_height)
    return Branches(judge.clusters, sorted(judge.small, key=lambda v: judge.begin[v]))


class _Judge:
    """The branches so far: ``first`` has the first items of each, and none where clusters have merged."""

    def __init__(self, tree: Hierarchy, between: Between, shape: Shape) -> None:
        self.between, self.shape = between, shape
        self.size: list[int] = tree.sizes.tolist()
        self.first: list[list[int]] = [[] for _ in range(tree.n_nodes)]
        self.begin = list(range(tree.n_nodes))  # the node in which the first two items of a branch merged
        for item, v in enumerate(tree.item_node.tolist()):
            self.first[v] = [item]
        self.longest = shape.core_size(tree.n_items)
        self.clusters: list[int] = []
        self.small: list[int] = []

    def has_shape(self, v: int, height: float) -> bool:
        """Whether a branch that ends at a height has a tight core and a gap above it."""
        core = self.first[v][: self.shape.core_size(self.size[v])]
        scatter = float(self.between(core, core).sum()) / (len(core) * (len(core) - 1)) if len(core) > 1 else 0.0
        return scatter < self.shape.max_scatter and height - scatter > self.shape.min_gap

    def close(self, parts: list[int], height: float, *, merges: bool = False) -> None:
        """Take the branches among some nodes as clusters, if they are; too small ones count where something merges."""
        for v in parts:
            if len(self.first[v]) > 1 and self.has_shape(v, height):
                if self.size[v] >= self.shape.min_size:
                    self.clusters.append(v)
                elif merges:
                    self.small.append(v)

    def merge(self, v: int, parts: list[int], height: float) -> None:
        """Merge two branches into one, unless both are clusters; the larger one, or the cluster, comes first."""
        less, more = sorted(parts, key=lambda u: self.size[u])
        if self.size[more] == 1:
            less, more = more, less
        elif self.size[less] > 1:
            shaped = self.has_shape(less, height)
            if shaped and self.size[less] < self.shape.min_size:
                self.small.append(less)
            elif shaped and self.has_shape(more, height):
                self.clusters += parts
                return
            elif shaped:
                less, more = more, less
        self.first[v] = (self.first[more] + self.first[less])[: self.longest]
        self.begin[v] = v if self.size[v] == 2 else self.begin[more]
