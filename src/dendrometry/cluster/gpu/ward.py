"""Ward, and average linkage on centroids, on a GPU: everything stays there, and only the merges come back.

The search is first made in low precision, with a bound on its error; what it cannot decide is searched again, more
precisely, and at last by differences in float64. Every decision is made in float64 from differences, in the order of
the compiled kernels, so distances have the same bits.
"""

from typing import Any

import numpy as np

from dendrometry._kernels.cluster.merges import Merges
from dendrometry._kernels.cluster.vector_greedy import AVERAGE, WARD
from dendrometry._progress import Advance
from dendrometry._typing import IntArray
from dendrometry.cluster.cpu.merges import MergeSequence, equal_merges, first_of, in_greedy_order, in_height_order
from dendrometry.cluster.cpu.ward import MergedRound, merge_in_rounds
from dendrometry.cluster.gpu.choose import Backend
from dendrometry.cluster.gpu.greedy import Pool, merge_greedily
from dendrometry.cluster.gpu.ladder import Ladder
from dendrometry.cluster.gpu.plain import Columns, Lists, Rows, Slots, Wanted


def gpu_vector_reciprocal(
    points: Any, spread: Any, wanted: Wanted, ladder: Ladder, backend: Backend, advance: Advance
) -> MergeSequence:
    """Build the tree of points on their device; ``spread`` is the term that each item adds to its distances."""
    engine = _Engine(points, spread, wanted, ladder, backend)
    advance(engine.n_made)
    active = backend.xp.nonzero(engine.slots.root == engine.item)[0]
    rounds = merge_in_rounds(active, engine, advance)
    return engine.merges(rounds)


class _Engine:
    """The engine of array code and fused kernels on a device."""

    chain = 10_000

    def __init__(self, points: Any, spread: Any, wanted: Wanted, ladder: Ladder, backend: Backend) -> None:
        xp, where = backend.xp, backend.where
        n = points.shape[0]
        self.backend, self.xp, self.wanted = backend, xp, wanted
        self.ladder = ladder
        self.columns = Columns(points, xp.ones(n, dtype=xp.float64, device=where), spread)
        self.item = xp.arange(n, dtype=xp.int64, device=where)
        self.slots = Slots.single(xp, n, where)
        self.lists = Lists.empty(xp, n, where)
        self.n_made = self._merge_duplicates()

    def ask(self, changed: Any, active: Any) -> None:
        """Find the nearest cluster of those that changed: from their lists, or by searches of growing precision."""
        searches = self.backend.searches
        searches.renew_lists(self.lists, changed, self.slots, self.columns, self.wanted)
        unsure = searches.open_slots(self.lists, changed)
        self.ladder.search(unsure, active, self.item, self.columns, self.wanted, self._found)

    def _found(self, slots: Any, rows: Rows, exact: bool) -> Any:
        """Set the lists of some clusters from a search, and return those that it leaves open."""
        searches = self.backend.searches
        searches.set_lists(self.lists, slots, rows, self.columns, self.wanted, exact=exact)
        return slots[:0] if exact else searches.open_slots(self.lists, slots)

    def merge(self, active: Any) -> MergedRound:
        """Merge the clusters that are each other's nearest; of those as near, the lowest slot counts as nearest."""
        merged: MergedRound = self.backend.searches.merge_pairs(
            active, self.lists, self.slots, self.columns, self.wanted, self.n_made
        )
        self.n_made += merged.n_merged
        return merged

    def finish(self, active: Any, advance: Advance) -> None:
        """Merge the remaining clusters by the greedy algorithm."""
        centroid, size, spread = self.columns
        own = spread[active] * size[active]
        pool = Pool(centroid[active], size[active], self.xp.zeros_like(own), own, self.slots.node[active])
        form = WARD if self.wanted.by_size else AVERAGE
        first = self.item.shape[0] + self.n_made
        rest = merge_greedily(pool, form, self.wanted.alpha, first, self.ladder, self.backend, advance)
        for column, part in zip(self.slots[-4:], rest, strict=True):
            column[self.n_made :] = part

    def merges(self, rounds: int) -> MergeSequence:
        """Return all merges in order, sorted on the device where no heights are equal."""
        n, made = self.item.shape[0], Merges(*self.slots[-4:])
        ordered = in_height_order(n, made, self.xp, self.backend.where)
        if ordered is None:
            return in_greedy_order(n, Merges(*map(self.backend.numpy, made)), rounds)
        tied = self.backend.numpy(made.tied[self.xp.argsort(made.height)])
        left, right, height = (self.backend.numpy(column) for column in ordered)
        return MergeSequence(left, right, height, int(tied.sum()), rounds, first_of(tied))

    def _merge_duplicates(self) -> int:
        """Merge equal points at height 0 before any search, lowest numbers first, and return the number of merges."""
        array, slots = self.backend.array, self.slots
        groups = _equal_rows(self.columns, self.backend)
        merges, last = equal_merges(groups, self.item.shape[0])
        n_made: int = merges.left.size
        if groups:
            for column, values in zip(slots[-4:], merges, strict=True):
                column[:n_made] = array(values)
            first = array(np.array([group[0] for group in groups]))
            rest = array(np.concatenate([group[1:] for group in groups]))
            sizes = np.array([group.size for group in groups])
            self.columns.size[first] = array(sizes.astype(np.float64))
            slots.node[first] = array(np.array(last, dtype=np.int64))
            slots.root[rest] = array(np.repeat([group[0] for group in groups], sizes - 1))
        return n_made


def _equal_rows(columns: Columns, backend: Backend) -> list[IntArray]:
    """Return the groups of equal points at distance 0 of each other, each in ascending order."""
    xp = backend.xp
    points, spread = columns.centroid, columns.spread
    key = spread + 0.0
    for k in range(points.shape[1]):  # in one order for every point, so that equal ones have equal keys
        key = key + points[:, k] * float(np.cos(k + 1.0))
    order = xp.argsort(key, stable=True)
    alike = (key[order[1:]] == key[order[:-1]]) & (spread[order[1:]] == 0.0) & (spread[order[:-1]] == 0.0)
    at = xp.nonzero(alike)[0]
    if at.shape[0] == 0:
        return []
    alike[at] = xp.all(points[order[at + 1]] == points[order[at]], axis=1)
    same, items = backend.numpy(alike), backend.numpy(order)
    bounds = np.flatnonzero(np.concatenate([[True], ~same, [True]]))
    return [np.sort(items[bounds[i] : bounds[i + 1]]) for i in np.flatnonzero(np.diff(bounds) > 1)]
