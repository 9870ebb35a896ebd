"""Splitting: the loop that splits one cluster after the other until a stopping rule applies.

The split of a cluster does not depend on that of another. So while one is awaited, those that are likely to be next are
split on other cores; which these are changes nothing in the result.
"""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from dendrometry._kernels.cluster import bisect as kernels
from dendrometry._kernels.cluster.centred import About
from dendrometry._kernels.cluster.rows import Entries, Rows, part_rows, rows_of_side
from dendrometry._progress import Advance
from dendrometry._threads import n_cores, threads
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cluster.divisive.division import Splits
from dendrometry.cluster.divisive.options import Stop

_WORTH_AHEAD = 20_000  # a cluster with fewer entries is split faster than a thread is told to
_WORTH_ROOM = 2**16  # fewer entries are written into memory of their own, and looked at anew
_NOTHING = About(np.empty(0), np.empty(0))


class Parts(NamedTuple):
    """The two parts of a cluster: side of each row, scatter of each part, ties, passes, and whether they converged."""

    side: BoolArray
    scatter: FloatArray
    ties: int
    rounds: int
    settled: bool
    mean: FloatArray = np.empty((2, 0))  # of each part, if known
    square: FloatArray = np.empty(0)  # the squared distance of each row from the mean of its part, if known


class Cluster(NamedTuple):
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
        self.waiting: dict[int, Cluster] = {}
        self.queue: list[tuple[float, int]] = []
        self.large: list[tuple[float, int]] = []  # those of the queue that are worth a thread, in the same order

    def add(self, items: IntArray, depth: int, parent: int, scatter: float) -> int | None:
        """Add a cluster, as a leaf; return its number unless a rule forbids that it is split."""
        v = len(self.parent)
        self.parent.append(parent)
        self.scatter.append(scatter)
        self.leaf_items[v] = items
        stop = self.stop
        deep = stop.max_depth is not None and depth >= stop.max_depth
        if deep or items.size <= stop.leaf_size or scatter <= stop.leaf_scatter:
            return None
        return v

    def await_split(self, v: int, cluster: Cluster) -> None:
        """Put a cluster in the queue."""
        self.waiting[v] = cluster
        place = (-self.scatter[v] if self.stop.choose == "scatter" else -float(cluster.items.size), v)
        heapq.heappush(self.queue, place)
        if cluster.rows.value.size >= _WORTH_AHEAD:
            insort(self.large, place)

    def soon(self, count: int) -> list[int]:
        """Return the first of the large clusters in the queue, at most as many as may still be split."""
        return [v for _, v in self.large[: min(count, self.splits_left())]]

    def next(self) -> int | None:
        """Return the cluster to split next, the oldest of equal ones; None if there is none."""
        if not self.queue or self.splits_left() == 0:
            return None
        place = heapq.heappop(self.queue)
        if self.large and self.large[0] == place:
            del self.large[0]
        return place[1]

    def splits_left(self) -> int:
        """Return how many more clusters may be split."""
        return max(0, self.stop.max_clusters - len(self.leaf_items))


def divide(
    rows: Rows,
    split: Callable[[Cluster, np.random.Generator], Parts | None],
    stop: Stop,
    seed: int,
    advance: Advance,
) -> Splits:
    """Split the rows according to the rules; ``split`` returns None for rows that it cannot separate.

    Every cluster has a random seed of its own, drawn from that of its parent: its split does not depend on which other
    clusters were split before, or are being split on other threads. The rows of its parts are written where those of
    its parent were, by turns into one of two rooms; the rows given stay as they are.
    """
    n = rows.start.size - 1
    rooms = [Entries(np.empty_like(rows.column), np.empty_like(rows.value)) for _ in range(2)]
    tree = _Tree(stop)
    about, scatter = kernels.about_all(rows)
    if tree.add(np.arange(n), 0, -1, float(scatter)) is not None:
        tree.await_split(0, Cluster(np.arange(n), rows, about, 0, 0, seed))
    ties = rounds = unsettled = 0
    with threads(n_cores()) as run:
        for v, cluster, parts, seeds in _split_all(tree, split, run):
            ties += parts.ties
            rounds += parts.rounds
            unsettled += not parts.settled
            del tree.leaf_items[v]
            sides = [cluster.items[~parts.side], cluster.items[parts.side]]
            added = [tree.add(sides[s], cluster.depth + 1, v, float(parts.scatter[s])) for s in range(2)]
            if added != [None, None] and tree.splits_left():
                for s, part in enumerate(_rows_of_sides(cluster, parts, rooms[cluster.depth % 2], run)):
                    if (child := added[s]) is not None:
                        tree.await_split(child, Cluster(sides[s], *part, cluster.depth + 1, seeds[s]))
            advance(1)
    item_node = np.empty(n, dtype=np.int64)
    for v, items in tree.leaf_items.items():
        item_node[items] = v
    return Splits(np.array(tree.parent), np.array(tree.scatter), item_node, ties, rounds, unsettled)


def _split_all(
    tree: _Tree,
    split: Callable[[Cluster, np.random.Generator], Parts | None],
    run: Callable[..., Iterator[tuple[Parts | None, list[int]]]],
) -> Iterator[tuple[int, Cluster, Parts, list[int]]]:
    """Yield each cluster that is split, with its parts and their seeds, while large ones are split ahead by ``run``.

    Before the next is asked for, the parts are to be added to the tree.
    """

    def split_one(cluster: Cluster) -> tuple[Parts | None, list[int]]:
        rng = np.random.default_rng(cluster.seed)
        seeds = rng.integers(2**63, size=2).tolist()
        return split(cluster, rng), seeds

    started = {}
    count = n_cores()
    while True:
        for w in tree.soon(count) if tree.large else ():
            if w not in started:
                started[w] = run(split_one, [tree.waiting[w]])
        if (v := tree.next()) is None:
            return
        cluster = tree.waiting.pop(v)
        parts, seeds = next(started.pop(v)) if v in started else split_one(cluster)
        if parts is not None:
            yield v, cluster, parts, seeds


def _rows_of_sides(
    cluster: Cluster, parts: Parts, room: Entries, run: Callable[..., Iterable[Any]]
) -> Iterator[tuple[Rows, About, int]]:
    """Yield the rows of each part of a cluster, what is known about them, and where in the room they begin."""
    rows, low = cluster.rows, cluster.low
    if rows.value.size < _WORTH_ROOM:
        both: Iterable[tuple[Rows, IntArray]] = part_rows(rows, parts.side)
    else:
        own = Entries(room.column[low : low + rows.value.size], room.value[low : low + rows.value.size])
        both = run(lambda wanted: rows_of_side(rows, parts.side, wanted, own), (False, True))
    for s, (some, held) in enumerate(both):
        known = _NOTHING
        if some.value.size >= _WORTH_ROOM and parts.square.size:
            known = About(parts.mean[s][held], parts.square[parts.side == bool(s)])
        yield some, known, low
        low += some.value.size
