"""The vector rounds on a device: everything stays there, and only the merges come back.

The search is first made in low precision, with a bound on its error; what it cannot decide is searched again, more
precisely, and at last by differences in float64. Every decision is made in float64 from differences, in the order of
the compiled kernels, so distances have the same bits.
"""

from typing import Any

import numpy as np

from dendrometry._kernels._jit import IntArray
from dendrometry._kernels.cluster.agglomerative.vector_greedy import AVERAGE, WARD
from dendrometry._progress import Advance
from dendrometry.cluster.agglomerative.merges import Merges, MergeSequence, equal_merges, in_greedy_order
from dendrometry.cluster.agglomerative.vector_rounds import merge_in_rounds
from dendrometry.cluster.device.choose import Backend
from dendrometry.cluster.device.greedy import Pool, merge_greedily
from dendrometry.cluster.device.ladder import Ladder
from dendrometry.cluster.device.plain import LISTED, Columns, Lists, Rows, Wanted, squared_differences

__all__ = ["device_vector_rounds"]


def device_vector_rounds(
    points: Any, spread: Any, wanted: Wanted, ladder: Ladder, backend: Backend, advance: Advance
) -> MergeSequence:
    """Build the tree of points on their device; ``spread`` is the term that each item adds to its distances."""
    engine = _Engine(points, spread, wanted, ladder, backend)
    advance(engine.n_made)
    active = backend.xp.nonzero(engine.alive)[0]
    rounds = merge_in_rounds(active, engine, advance)
    return in_greedy_order(points.shape[0], engine.merges(), rounds)


class _Engine:
    """The engine of array code and fused kernels on a device."""

    def __init__(self, points: Any, spread: Any, wanted: Wanted, ladder: Ladder, backend: Backend) -> None:
        xp, where = backend.xp, backend.where
        n = points.shape[0]
        self.backend, self.xp, self.wanted = backend, xp, wanted
        self.ladder = ladder
        self.columns = Columns(points, xp.ones(n, dtype=xp.float64, device=where), spread)
        self.slot = xp.arange(n, dtype=xp.int64, device=where)
        self.node, self.root = self.slot + 0, self.slot + 0
        self.partner = xp.full(n, -1, dtype=xp.int64, device=where)
        self.alive = xp.ones(n, dtype=xp.bool, device=where)
        self.lists = Lists.empty(xp, n, where)
        self.parts: list[tuple[Any, Any, Any, Any]] = []
        self.duplicates = self._merge_duplicates()
        self.n_made = self.duplicates.left.size

    @property
    def nearest(self) -> Any:
        return self.lists.nearest

    @property
    def tied(self) -> Any:
        return self.lists.tied

    def ask(self, changed: Any, active: Any) -> None:
        """Find the nearest cluster of those that changed: from their lists, or by searches of growing precision."""
        xp, lists = self.xp, self.lists
        both = xp.concat([lists.near[changed], lists.near[self.partner[changed]]], axis=1)
        single = (self.partner[changed] < 0)[:, None] & (xp.arange(2 * LISTED, device=self.backend.where) >= LISTED)
        both = xp.where((both < 0) | single, -1, xp.astype(self.root[both], xp.int32))
        self.partner[active] = -1
        self.backend.searches.set_lists(lists, changed, Rows(both, lists.reach[changed]), self.columns, self.wanted)
        self.ladder.search(lists.open(changed), active, self.slot, self.columns, self.wanted, self._found)

    def _found(self, slots: Any, rows: Rows, exact: bool) -> Any:
        """Set the lists of some clusters from a search, and return those that it leaves open."""
        self.backend.searches.set_lists(self.lists, slots, rows, self.columns, self.wanted)
        still = self.lists.open(slots)
        if exact:
            self.lists.tied[still] = True  # others beyond the list are exactly as near
        return still

    def merge(self, active: Any) -> int:
        """Merge the clusters that are each other's nearest; of those as near, the lowest slot counts as nearest."""
        xp, lists = self.xp, self.lists
        other = lists.nearest[active]
        mutual = (lists.nearest[other] == active) & (active < other)
        low, high = active[mutual], other[mutual]
        self.parts.append((self.node[low], self.node[high], lists.distance[low], lists.tied[low] | lists.tied[high]))
        n = self.slot.shape[0]
        self.node[low] = n + self.n_made + xp.arange(low.shape[0], device=self.backend.where)
        self.n_made += low.shape[0]
        self._unite(low, high)
        self.alive[high] = False
        self.root[high] = low
        self.root = self.root[self.root]
        self.partner[low] = high
        return int(low.shape[0])

    def _unite(self, low: Any, high: Any) -> None:
        """Let clusters swallow others, and bound the reach of the new ones: see the compiled kernel `_merge`."""
        xp = self.xp
        centroid, size, spread = self.columns
        reach = self.lists.reach
        n_low, n_high = size[low], size[high]
        n = n_low + n_high
        weighted = n_low * reach[low] + n_high * reach[high]
        mean = (n_low * spread[low] + n_high * spread[high]) / n
        if self.wanted.by_size:
            slope = reach[low] + reach[high] - self.lists.distance[low]
            reach[low] = xp.minimum((weighted + slope) / (n + 1.0), slope) * (1 - 1e-12)
        else:
            reach[low] = weighted / n * (1 - 1e-12)
            delta = squared_differences(xp, centroid[low], centroid[high])
            mean = mean + self.wanted.alpha * (n_low / n) * (n_high / n) * delta
        spread[low] = mean
        centroid[low] = centroid[low] + (n_high / n)[:, None] * (centroid[high] - centroid[low])
        size[low] = n

    def finish(self, active: Any, advance: Advance) -> None:
        """Merge the remaining clusters by the greedy algorithm."""
        centroid, size, spread = self.columns
        own = spread[active] * size[active]
        pool = Pool(centroid[active], size[active], self.xp.zeros_like(own), own, self.node[active])
        form = WARD if self.wanted.by_size else AVERAGE
        first = self.slot.shape[0] + self.n_made
        self.parts.append(merge_greedily(pool, form, self.wanted.alpha, first, self.ladder, self.backend, advance))

    def merges(self) -> Merges:
        """Return all merges as NumPy arrays."""
        columns = [
            np.concatenate([getattr(self.duplicates, name), *(self.backend.numpy(part[i]) for part in self.parts)])
            for i, name in enumerate(Merges._fields)
        ]
        return Merges(*columns)

    def _merge_duplicates(self) -> Merges:
        """Merge equal points at height 0 before any search, lowest numbers first."""
        groups = _equal_rows(self.columns, self.backend)
        merges, last = equal_merges(groups, self.slot.shape[0])
        if groups:
            first = self.backend.array(np.array([group[0] for group in groups]))
            rest = self.backend.array(np.concatenate([group[1:] for group in groups]))
            sizes = np.array([group.size for group in groups])
            self.columns.size[first] = self.backend.array(sizes.astype(np.float64))
            self.node[first] = self.backend.array(np.array(last, dtype=np.int64))
            self.alive[rest] = False
            self.root[rest] = self.backend.array(np.repeat([group[0] for group in groups], sizes - 1))
        return merges


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
