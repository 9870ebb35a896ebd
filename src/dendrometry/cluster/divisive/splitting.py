"""Splitting: the loop that splits one cluster after the other until a stopping rule applies."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.cluster.distances.rows import Rows, part_rows
from dendrometry._kernels.cluster.divisive import bisect as kernels
from dendrometry._progress import Advance
from dendrometry.cluster.divisive.division import Splits
from dendrometry.cluster.divisive.options import Stop

__all__ = ["Parts", "divide"]


class Parts(NamedTuple):
    """The two parts of a cluster: side of each row, scatter of each part, ties, passes, and whether they converged."""

    side: BoolArray
    scatter: FloatArray
    ties: int
    rounds: int
    settled: bool


class _Cluster(NamedTuple):
    """A cluster that may be split: items in ascending order, their rows, depth, and the seed of its randomness."""

    items: IntArray
    rows: Rows
    depth: int
    seed: int


class _Tree:
    """The clusters so far, the root first, and a queue of those that may be split."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.parent: list[int] = []
        self.scatter: list[float] = []
        self.leaf_items: dict[int, IntArray] = {}
        self.waiting: dict[int, _Cluster] = {}
        self.queue: list[tuple[float, int]] = []

    def add(self, cluster: _Cluster, parent: int, scatter: float) -> None:
        """Add a cluster, and queue it for splitting unless a rule makes it a leaf."""
        v = len(self.parent)
        self.parent.append(parent)
        self.scatter.append(scatter)
        self.leaf_items[v] = cluster.items
        stop = self.stop
        deep = stop.max_depth is not None and cluster.depth >= stop.max_depth
        if not deep and cluster.items.size > stop.leaf_size and scatter > stop.leaf_scatter:
            self.waiting[v] = cluster
            heapq.heappush(self.queue, (-scatter if stop.choose == "scatter" else -float(cluster.items.size), v))

    def next(self) -> int | None:
        """Return the cluster to split next, the oldest of equal ones; None if there is none."""
        if not self.queue or len(self.leaf_items) >= self.stop.max_clusters:
            return None
        return heapq.heappop(self.queue)[1]


def divide(
    rows: Rows, split: Callable[[Rows, np.random.Generator], Parts | None], stop: Stop, seed: int, advance: Advance
) -> Splits:
    """Split the rows according to the rules; ``split`` returns None for rows that it cannot separate.

    Every cluster has a random seed of its own, drawn from that of its parent: its split does not depend on which other
    clusters were split before.
    """
    n = rows.start.size - 1
    tree = _Tree(stop)
    whole: FloatArray = kernels.scatter_of_sides(rows, np.zeros(n, dtype=bool))
    tree.add(_Cluster(np.arange(n), rows, 0, seed), -1, float(whole[0]))
    ties = rounds = unsettled = 0
    while (v := tree.next()) is not None:
        items, own, depth, own_seed = tree.waiting.pop(v)
        rng = np.random.default_rng(own_seed)
        seeds = rng.integers(2**63, size=2).tolist()
        parts = split(own, rng)
        if parts is None:
            continue
        ties += parts.ties
        rounds += parts.rounds
        unsettled += not parts.settled
        del tree.leaf_items[v]
        for s, some in enumerate(part_rows(own, parts.side)):
            tree.add(_Cluster(items[parts.side == bool(s)], some, depth + 1, seeds[s]), v, float(parts.scatter[s]))
        advance(1)
    item_node = np.empty(n, dtype=np.int64)
    for v, items in tree.leaf_items.items():
        item_node[items] = v
    return Splits(np.array(tree.parent), np.array(tree.scatter), item_node, ties, rounds, unsettled)
