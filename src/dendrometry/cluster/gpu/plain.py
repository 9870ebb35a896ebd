"""The search for nearest clusters and their merging in plain array code, against the array API standard.

It runs wherever NumPy or PyTorch run, and defines what the fused kernels of `triton.kernels` compute. Numbers are also
written to places given by integer arrays, as both libraries allow; the standard does not have this, so that
array-api-strict cannot run the code.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from dendrometry.cluster.cpu.ward import MergedRound, left_and_changed

LISTED = 8  # near clusters in a list
_CELLS = 1 << 22  # numbers in a block of work


class Wanted(NamedTuple):
    """How centroids give distances: see `Form`; and the precision of the search."""

    by_size: bool
    alpha: float
    search: str = "float64"


class Columns(NamedTuple):
    """The clusters in slots: centroid, number of items and spread of each."""

    centroid: Any
    size: Any
    spread: Any


class Lists(NamedTuple):
    """What is known of each slot: near clusters, nearest first (-1 at the end), and a lower bound for all the others.

    ``nearest`` is the first of the list, or the slot itself, ``distance`` its distance, or inf, and ``tied`` tells
    whether the second of the list is exactly as near.
    """

    near: Any
    reach: Any
    nearest: Any
    distance: Any
    tied: Any

    @classmethod
    def empty(cls, xp: Any, n: int, where: Any) -> "Lists":
        """Return the lists of slots of which nothing is known."""
        reach = xp.zeros(n, dtype=xp.float64, device=where)
        near = xp.full((n, LISTED), -1, dtype=xp.int32, device=where)
        nearest = xp.arange(n, dtype=xp.int64, device=where)
        return cls(near, reach, nearest, reach + xp.inf, xp.zeros(n, dtype=xp.bool, device=where))


class Slots(NamedTuple):
    """Which cluster a slot belongs to, and the merges made, one row for each; see `left_and_changed`.

    ``node`` is the number of the cluster in a slot; ``left``, ``right``, ``height`` and ``ties`` are columns of merges.
    """

    node: Any
    root: Any
    partner: Any
    left: Any
    right: Any
    height: Any
    ties: Any

    @classmethod
    def single(cls, xp: Any, n: int, where: Any) -> "Slots":
        """Return the slots of single items, with room for all merges."""
        item = xp.arange(n, dtype=xp.int64, device=where)
        height = xp.zeros(n - 1, dtype=xp.float64, device=where)
        return cls(item, item + 0, item * 0 - 1, item[1:] * 0, item[1:] * 0, height, height > 0.0)


class Rows(NamedTuple):
    """What a search finds for each query: near targets (-1 at the end), and a lower bound for all the others.

    ``n_compared`` is the number of distances computed, where these are not all.
    """

    near: Any
    reach: Any
    n_compared: int | None = None


def squared_differences(xp: Any, a: Any, b: Any) -> Any:
    """Return the squared distances of points along the last axis, added up in the order of the compiled kernels."""
    d = a.shape[-1]
    total: Any = 0.0
    for k in range(0, d - d % 4, 4):
        x = a[..., k : k + 4] - b[..., k : k + 4]
        x = x * x
        total = total + ((x[..., 0] + x[..., 1]) + (x[..., 2] + x[..., 3]))
    for k in range(d - d % 4, d):
        x = a[..., k] - b[..., k]
        total = total + x * x
    return total


def distances(xp: Any, delta: Any, sizes: tuple[Any, Any], spreads: Any, wanted: Wanted) -> Any:
    """Return the distances of clusters whose centroids are ``delta`` apart (squared)."""
    if wanted.by_size:
        return 2.0 * (sizes[0] * sizes[1] / (sizes[0] + sizes[1])) * delta
    return wanted.alpha * delta + spreads


class Plain:
    """The searches; ``xp`` is the array namespace."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def open_slots(self, lists: Lists, slots: Any) -> Any:
        """Return those of some slots whose nearest cluster is not certain: one beyond the list may be as near."""
        return slots[lists.distance[slots] >= lists.reach[slots]]

    def renew_lists(self, lists: Lists, changed: Any, slots: Slots, columns: Columns, wanted: Wanted) -> None:
        """Set the lists of clusters from those of their parts, following the clusters listed to where they are now."""
        xp, partner = self.xp, slots.partner[changed]
        both = xp.concat([lists.near[changed], lists.near[partner]], axis=1)
        single = (partner < 0)[:, None] & (xp.arange(2 * LISTED, device=changed.device) >= LISTED)
        both = xp.where((both < 0) | single, -1, xp.astype(slots.root[both], xp.int32))
        slots.partner[changed] = -1
        self.set_lists(lists, changed, Rows(both, lists.reach[changed]), columns, wanted)

    def merge_pairs(
        self, active: Any, lists: Lists, slots: Slots, columns: Columns, wanted: Wanted, n_made: int
    ) -> MergedRound:
        """Merge the clusters that are each other's nearest; of those as near, the lowest slot counts as nearest.

        ``n_made`` is the number of merges made before.
        """
        xp = self.xp
        other = lists.nearest[active]
        mutual = (lists.nearest[other] == active) & (active < other)
        low, high = active[mutual], other[mutual]
        rows = slice(n_made, n_made + low.shape[0])
        slots.left[rows], slots.right[rows], slots.height[rows] = slots.node[low], slots.node[high], lists.distance[low]
        slots.ties[rows] = lists.tied[low] | lists.tied[high]
        n = slots.root.shape[0]
        slots.node[low] = n + n_made + xp.arange(low.shape[0], dtype=xp.int64, device=low.device)
        self._unite(low, high, lists, columns, wanted)
        slots.partner[low] = high
        slots.root[high] = low
        slots.root[:] = slots.root[slots.root]
        left = left_and_changed(active, lists.nearest, lists.tied, slots.root, slots.partner)
        return MergedRound(int(low.shape[0]), *left)

    def _unite(self, low: Any, high: Any, lists: Lists, columns: Columns, wanted: Wanted) -> None:
        """Let clusters swallow others, and bound the reach of the new ones: see the compiled kernel `_merge`."""
        xp, reach = self.xp, lists.reach
        centroid, size, spread = columns
        n_low, n_high = size[low], size[high]
        n = n_low + n_high
        weighted = n_low * reach[low] + n_high * reach[high]
        mean = (n_low * spread[low] + n_high * spread[high]) / n
        if wanted.by_size:
            slope = reach[low] + reach[high] - lists.distance[low]
            reach[low] = xp.minimum((weighted + slope) / (n + 1.0), slope) * (1 - 1e-12)
        else:
            reach[low] = weighted / n * (1 - 1e-12)
            delta = squared_differences(xp, centroid[low], centroid[high])
            mean = mean + wanted.alpha * (n_low / n) * (n_high / n) * delta
        spread[low] = mean
        centroid[low] = centroid[low] + (n_high / n)[:, None] * (centroid[high] - centroid[low])
        size[low] = n

    def set_lists(
        self, lists: Lists, slots: Any, rows: Rows, columns: Columns, wanted: Wanted, *, exact: bool = False
    ) -> None:
        """Set the lists of some slots to the nearest of the clusters found, each once, and never the slot itself.

        After an ``exact`` search, slots are also tied if a cluster beyond their list is as near.
        """
        step = max(1, _CELLS // (rows.near.shape[1] * max(rows.near.shape[1], columns.centroid.shape[1])))
        for at in range(0, slots.shape[0], step):
            part = slice(at, at + step)
            self._set_lists(lists, slots[part], Rows(rows.near[part], rows.reach[part]), columns, wanted)
        if exact:
            lists.tied[self.open_slots(lists, slots)] = True

    def _set_lists(self, lists: Lists, slots: Any, rows: Rows, columns: Columns, wanted: Wanted) -> None:
        xp, found = self.xp, rows.near
        n_found = found.shape[1]
        here = xp.arange(n_found, device=found.device)
        same = found[:, :, None] == found[:, None, :]
        repeated = xp.any(same & (here[None, None, :] < here[None, :, None]), axis=2)
        void = (found < 0) | (found == slots[:, None]) | repeated
        known = xp.where(void, 0, found)
        delta = squared_differences(xp, columns.centroid[slots][:, None, :], columns.centroid[known])
        sizes = columns.size[slots][:, None], columns.size[known]
        value = distances(xp, delta, sizes, columns.spread[slots][:, None] + columns.spread[known], wanted)
        value = xp.where(void, xp.inf, value)
        before = (value[:, None, :] < value[:, :, None]) | (
            (value[:, None, :] == value[:, :, None])
            & ((found[:, None, :] < found[:, :, None]) | (same & (here[None, None, :] < here[None, :, None])))
        )
        rank = xp.sum(xp.astype(before, xp.int64), axis=2)
        order = xp.argsort(rank, axis=1, stable=True)
        row = xp.arange(slots.shape[0], device=found.device)[:, None]
        value = value[row, order]
        near = xp.where(value < xp.inf, found[row, order], -1)[:, :LISTED]
        first, second = value[:, 0], value[:, 1]
        lists.near[slots] = xp.astype(near, xp.int32)
        lists.reach[slots] = xp.minimum(rows.reach, value[:, LISTED]) if n_found > LISTED else rows.reach
        lists.nearest[slots] = xp.where(near[:, 0] < 0, slots, xp.astype(near[:, 0], xp.int64))
        lists.distance[slots] = first
        lists.tied[slots] = (first == second) & (first < xp.inf)

    def pair_squares(self, points: Any, first: Any, second: Any) -> Any:
        """Return the squared distances of pairs of points, given by their numbers."""
        return squared_differences(self.xp, points[first], points[second])

    def cross_squares(self, points: Any, first: Any, second: Any) -> Any:
        """Return the squared distances of all points of two kinds, given by their numbers."""
        return squared_differences(self.xp, points[first][:, None, :], points[second][None, :, :])

    def nearest_before(self, stage: Any) -> tuple[Any, Any, Any]:
        """Return for each cluster of a stage the nearest before it, its distance, and whether another is as near."""
        found: tuple[Any, Any, Any] = stage.nearest_before()
        return found

    def greedy_step(self, stage: Any) -> tuple[Callable[[], None], int]:
        """Return a function that makes steps of the greedy algorithm, and how many."""
        return stage.step, 1

    def search(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return the near clusters of each slot among the active ones of another group, and a bound for the others.

        Relies on active slots in ascending order.
        """
        xp = self.xp
        near, reach = [], []
        step = max(1, _CELLS // active.shape[0])
        target = columns.centroid[active]
        for at in range(0, slots.shape[0], step):
            part = slots[at : at + step]
            delta = squared_differences(xp, columns.centroid[part][:, None, :], target[None, :, :])
            sizes = columns.size[part][:, None], columns.size[active][None, :]
            spreads = columns.spread[part][:, None] + columns.spread[active][None, :]
            value = distances(xp, delta, sizes, spreads, wanted)
            value = xp.where(group[part][:, None] == group[active][None, :], xp.inf, value)
            found, bound = self._least(value, active)
            near.append(found)
            reach.append(bound)
        return Rows(xp.concat(near), xp.concat(reach))

    search_exactly = search
    ladder: tuple[str, ...] = ()

    def _least(self, value: Any, active: Any) -> tuple[Any, Any]:
        """Return the targets of the least values in each row, and the least of the other values."""
        xp = self.xp
        rows = xp.arange(value.shape[0], device=value.device)
        found = []
        for _ in range(LISTED):
            at = xp.argmin(value, axis=1)
            least = value[rows, at]
            found.append(xp.where(least < xp.inf, xp.astype(active[at], xp.int32), -1))
            value[rows, at] = xp.inf
        return xp.stack(found, axis=1), xp.min(value, axis=1)
