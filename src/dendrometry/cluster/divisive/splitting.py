"""Splitting: the loop that splits one cluster after the other until a stopping rule applies."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.cluster.distances.rows import Entries, Rows, part_rows
from dendrometry._kernels.cluster.divisive import bisect as kernels
from dendrometry._kernels.cluster.divisive.centred import About
from dendrometry._progress import Advance
from dendrometry.cluster.divisive.division import Splits
from dendrometry.cluster.divisive.options import Stop

__all__ = ["Parts", "divide"]

_WORTH_ROOM = 2**16  # fewer entries are written into memory of their own, and looked at anew
_NOTHING = About(np.empty(0), np.empty(0))
_NO_ROOM = Entries(np.empty(0, dtype=np.uint32), np.empty(0))


class Parts(NamedTuple):
    """The two parts of a cluster: side of each row, scatter of each part, ties, passes, and whether they converged."""

    side: BoolArray
    scatter: FloatArray
    ties: int
    rounds: int
    settled: bool
    mean: FloatArray = np.empty((2, 0))  # of each part, if known
    square: FloatArray = np.empty(0)  # the squared distance of each row from the mean of its part, if known


class _Cluster(NamedTuple):
    """A cluster to be split: items in ascending order, their rows, depth, and the seed of its randomness.

    The entries of its rows begin at ``low`` in a room for those of all rows.
    """

    items: IntArray
    rows: Rows
    about: About
    low: int
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

    def add(self, items: IntArray, depth: int, parent: int, scatter: float) -> int | None:
        """Add a cluster, and queue it for splitting unless a rule makes it a leaf; return its number if queued."""
        v = len(self.parent)
        self.parent.append(parent)
        self.scatter.append(scatter)
        self.leaf_items[v] = items
        stop = self.stop
        deep = stop.max_depth is not None and depth >= stop.max_depth
        if deep or items.size <= stop.leaf_size or scatter <= stop.leaf_scatter:
            return None
        heapq.heappush(self.queue, (-scatter if stop.choose == "scatter" else -float(items.size), v))
        return v

    def next(self) -> int | None:
        """Return the cluster to split next, the oldest of equal ones; None if there is none."""
        if not self.queue or self.is_full():
            return None
        return heapq.heappop(self.queue)[1]

    def is_full(self) -> bool:
        """Return whether no more clusters are wanted."""
        return len(self.leaf_items) >= self.stop.max_clusters


def divide(
    rows: Rows,
    split: Callable[[Rows, About, np.random.Generator], Parts | None],
    stop: Stop,
    seed: int,
    advance: Advance,
) -> Splits:
    """Split the rows according to the rules; ``split`` returns None for rows that it cannot separate.

    Every cluster has a random seed of its own, drawn from that of its parent: its split does not depend on which other
    clusters were split before. The rows of its parts are written where those of its parent were, by turns into one of
    two rooms; the rows given stay as they are.
    """
    n = rows.start.size - 1
    rooms = [Entries(np.empty_like(rows.column), np.empty_like(rows.value)) for _ in range(2)]
    tree = _Tree(stop)
    whole: FloatArray = kernels.scatter_of_sides(rows, np.zeros(n, dtype=bool))
    tree.waiting[0] = _Cluster(np.arange(n), rows, _NOTHING, 0, 0, seed)
    tree.add(tree.waiting[0].items, 0, -1, float(whole[0]))
    ties = rounds = unsettled = 0
    while (v := tree.next()) is not None:
        items, own, about, low, depth, own_seed = tree.waiting.pop(v)
        rng = np.random.default_rng(own_seed)
        seeds = rng.integers(2**63, size=2).tolist()
        parts = split(own, about, rng)
        if parts is None:
            continue
        ties += parts.ties
        rounds += parts.rounds
        unsettled += not parts.settled
        del tree.leaf_items[v]
        sides = [items[~parts.side], items[parts.side]]
        added = [tree.add(sides[s], depth + 1, v, float(parts.scatter[s])) for s in range(2)]
        if added != [None, None] and not tree.is_full():
            room = _part_of_room(rooms[depth % 2], low, own.value.size)
            for s, some in enumerate(part_rows(own, parts.side, room)):
                if (child := added[s]) is not None:
                    tree.waiting[child] = _Cluster(sides[s], some, _known(parts, s, some), low, depth + 1, seeds[s])
                low += some.value.size
        advance(1)
    item_node = np.empty(n, dtype=np.int64)
    for v, items in tree.leaf_items.items():
        item_node[items] = v
    return Splits(np.array(tree.parent), np.array(tree.scatter), item_node, ties, rounds, unsettled)


def _part_of_room(room: Entries, low: int, size: int) -> Entries:
    """Return where to write entries, nowhere if they are few."""
    return Entries(room.column[low : low + size], room.value[low : low + size]) if size >= _WORTH_ROOM else _NO_ROOM


def _known(parts: Parts, s: int, rows: Rows) -> About:
    """Return what is known about the rows of a part; nothing if they are few, or have not all columns of the whole."""
    if rows.value.size < _WORTH_ROOM or rows.n_columns != parts.mean.shape[1]:
        return _NOTHING
    return About(parts.mean[s], parts.square[parts.side == bool(s)])
