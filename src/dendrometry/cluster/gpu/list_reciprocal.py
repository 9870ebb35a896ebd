"""A head start on a device for complete, average and weighted linkage: merges that lists decide, before a matrix.

It works as `cluster.cpu.list_reciprocal` does, in array code. Clusters stay small, so that the members of all pairs of
clusters fit into arrays; larger ones are left to the matrix.
"""

from typing import Any, NamedTuple

from dendrometry._check.points import Prepared
from dendrometry._progress import Advance
from dendrometry.cluster.cpu.list_reciprocal import LIST_UPDATES
from dendrometry.cluster.gpu.choose import Backend

LARGEST = 16  # items of the clusters built here
_WIDTH = 40  # near clusters in a list
_YIELD = 200  # the head start ends with a round that merges less than one in this many clusters
_CELLS = 1 << 26  # numbers in a block of work


class DeviceStart(NamedTuple):
    """The merges made, in parts, and the remaining clusters in order of their first items.

    ``member`` holds the items of each cluster (-1 at the end), ``weight`` their weights in a mean, not normalised.
    """

    parts: list[tuple[Any, Any, Any, Any]]
    node: Any
    size: Any
    member: Any
    weight: Any


def list_bytes(n: int, d: int) -> int:
    """Return the bytes that the head start needs on the device."""
    return n * (8 * d * 3 + 4 * 2 * _WIDTH + 24 * LARGEST + 200) + 8 * 5 * _CELLS


def point_distances(ready: Prepared, squares: Any, own: Any, xp: Any) -> Any:
    """Return the distances of points from the squared ones and the sums of both own parts."""
    value = ready.alpha * squares + own
    return xp.sqrt(value) if ready.root else value


def gpu_list_reciprocal(ready: Prepared, update: str, backend: Backend, advance: Advance) -> DeviceStart:
    """Merge the clusters that every greedy algorithm merges, as far as lists of near clusters prove it."""
    xp = backend.xp
    clusters = _Clusters(ready, update, backend)
    active = changed = clusters.slot
    while True:
        clusters.evaluate(changed)
        low, high = clusters.certain_pairs(active)
        if low.shape[0] * _YIELD < active.shape[0]:
            return clusters.start(active)
        clusters.merge(low, high)
        advance(low.shape[0])
        active = active[clusters.top[active] == active]
        merged = xp.zeros(clusters.slot.shape[0], dtype=xp.bool, device=backend.where)
        merged[low] = merged[high] = True
        changed = active[merged[active] | merged[clusters.nearest[active]]]


class _Clusters:
    """The clusters in slots, each in the slot of its first item, with lists of near clusters."""

    def __init__(self, ready: Prepared, update: str, backend: Backend) -> None:
        xp, where = backend.xp, backend.where
        n = ready.points.shape[0]
        self.ready, self.xp, self.update = ready, xp, LIST_UPDATES[update]
        self.searches = backend.searches
        self.slot = xp.arange(n, dtype=xp.int64, device=where)
        self.node, self.top, self.nearest = self.slot + 0, self.slot + 0, self.slot + 0
        self.size = xp.ones(n, dtype=xp.int64, device=where)
        self.member = xp.full((n, LARGEST), -1, dtype=xp.int64, device=where)
        self.member[:, 0] = self.slot
        self.weight = xp.ones((n, LARGEST), dtype=xp.float64, device=where)
        self.near = xp.full((n, 2 * _WIDTH), -1, dtype=xp.int32, device=where)
        self.reach = xp.zeros(n, dtype=xp.float64, device=where)
        self.distance = self.reach + xp.inf
        self.sure = self.slot < 0
        self.parts: list[tuple[Any, Any, Any, Any]] = []
        self.n_nodes = n
        self._search()

    def _search(self) -> None:
        """Set the lists of all points, by products, and lower bounds on the distances of all points beyond them."""
        xp, (x, own, alpha, root, *_) = self.xp, self.ready
        n, d = x.shape
        length = xp.sum(x * x, axis=1)
        own_part = alpha * length + own
        error = alpha * (8 * d + 64) * 2.0**-53 * (length + xp.max(length)) + 2.0**-50 * (own + xp.max(own))
        step = max(1, _CELLS // n)
        for at in range(0, n, step):
            rows = self.slot[at : at + step]
            here = rows - at
            value = (own_part[rows][:, None] + own_part[None, :]) - (2.0 * alpha) * (x[rows] @ x.T)
            value[here, rows] = xp.inf
            for k in range(min(_WIDTH, n - 1)):
                found = xp.argmin(value, axis=1)
                self.near[rows, k] = xp.astype(found, xp.int32)
                value[here, found] = xp.inf
            self.reach[rows] = xp.min(value, axis=1) - error[rows]
        self.reach = xp.maximum(self.reach, xp.zeros_like(self.reach))
        if root:
            self.reach = xp.sqrt(self.reach) * (1 - 1e-12)

    def evaluate(self, slots: Any) -> None:
        """Set the nearest cluster of some, and their lists, from the distances to the clusters in their lists."""
        step = max(1, _CELLS // (16 * self.near.shape[1]))
        for at in range(0, slots.shape[0], step):
            self._evaluate(slots[at : at + step])

    def _evaluate(self, slots: Any) -> None:
        xp = self.xp
        near = self.near[slots]
        found = xp.sort(xp.where(near < 0, -1, self.top[near]), axis=1)
        void = (found < 0) | (found == slots[:, None])
        void[:, 1:] |= found[:, 1:] == found[:, :-1]
        row, column = xp.nonzero(~void)
        value = xp.full(found.shape, xp.inf, dtype=xp.float64, device=found.device)
        value[row, column] = self._distances(slots[row], found[row, column])
        order = xp.argsort(value, axis=1, stable=True)
        rows = xp.arange(slots.shape[0], device=found.device)
        value = value[rows[:, None], order]
        near = xp.astype(xp.where(value < xp.inf, found[rows[:, None], order], -1), xp.int32)
        self.near[slots, :_WIDTH] = near[:, :_WIDTH]
        self.near[slots, _WIDTH:] = -1
        self.reach[slots] = xp.minimum(self.reach[slots], value[:, _WIDTH])
        first = value[:, 0]
        self.distance[slots] = first
        self.nearest[slots] = xp.where(first < xp.inf, xp.astype(near[:, 0], xp.int64), slots)
        self.sure[slots] = (first < self.reach[slots]) & (first < value[:, 1])

    def _distances(self, first: Any, second: Any) -> Any:
        """Return the distances of pairs of clusters, from all pairs of their members."""
        xp = self.xp
        total = xp.zeros(first.shape[0], dtype=xp.float64, device=first.device)
        n_first, n_second = self.size[first], self.size[second]
        if first.shape[0] == 0:
            return total
        step = max(1, _CELLS // (2 * self.ready.points.shape[1]))
        for i in range(int(xp.max(n_first))):
            for j in range(int(xp.max(n_second))):
                both = xp.nonzero((n_first > i) & (n_second > j))[0]
                for at in range(0, both.shape[0], step):
                    pair = both[at : at + step]
                    a, b = first[pair], second[pair]
                    x, y = self.member[a, i], self.member[b, j]
                    squares = self.searches.pair_squares(self.ready.points, x, y)
                    value = point_distances(self.ready, squares, self.ready.own[x] + self.ready.own[y], xp)
                    if self.update.farthest:
                        total[pair] = xp.maximum(total[pair], value)
                    else:
                        total[pair] += self.weight[a, i] * self.weight[b, j] * value
        return total if self.update.farthest or self.update.alike else total / xp.astype(n_first * n_second, xp.float64)

    def certain_pairs(self, active: Any) -> tuple[Any, Any]:
        """Return the clusters that are certainly each other's only nearest one, and form a small one together."""
        other = self.nearest[active]
        pair = self.sure[active] & self.sure[other] & (self.nearest[other] == active) & (active < other)
        pair &= self.size[active] + self.size[other] <= LARGEST
        return active[pair], other[pair]

    def merge(self, low: Any, high: Any) -> None:
        """Let clusters swallow others."""
        xp = self.xp
        self.parts.append((self.node[low], self.node[high], self.distance[low], low < 0))
        self.node[low] = self.n_nodes + xp.arange(low.shape[0], dtype=xp.int64, device=low.device)
        self.n_nodes += low.shape[0]
        n_low, n_high = (xp.astype(self.size[which], xp.float64) for which in (low, high))
        reach = self.reach[low], self.reach[high]
        if self.update.farthest:
            self.reach[low] = xp.maximum(*reach)
        elif self.update.alike:
            self.reach[low] = 0.5 * (reach[0] + reach[1]) * (1 - 1e-12)
        else:
            self.reach[low] = (n_low * reach[0] + n_high * reach[1]) / (n_low + n_high) * (1 - 1e-12)
        self.near[low, _WIDTH:] = self.near[high, :_WIDTH]
        member = xp.concat([self.member[low], self.member[high]], axis=1)
        weight = xp.concat([self.weight[low], self.weight[high]], axis=1)
        order = xp.argsort(xp.astype(member < 0, xp.int8), axis=1, stable=True)[:, :LARGEST]
        rows = xp.arange(low.shape[0], device=low.device)[:, None]
        self.member[low] = member[rows, order]
        self.weight[low] = weight[rows, order] * (0.5 if self.update.alike else 1.0)
        self.size[low] += self.size[high]
        self.top[high] = low
        self.top = self.top[self.top]

    def start(self, active: Any) -> DeviceStart:
        """Return the merges made and the clusters that are left."""
        columns = (self.node, self.xp.astype(self.size, self.xp.float64), self.member, self.weight)
        return DeviceStart(self.parts, *(column[active] for column in columns))
