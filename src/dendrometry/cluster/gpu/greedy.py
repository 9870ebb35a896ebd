"""The greedy algorithm on a device, for linkages under which a new cluster may be nearer than its parts were.

As on the CPU, every pair is kept by its later cluster. A step takes the nearest pair that is known: if both clusters
are there, they merge, and the new cluster is compared with all others; if one is gone, the other is compared again.
Which of the two happens is decided on the device, so that steps follow each other without waiting for the host.
"""

from typing import Any, NamedTuple

from dendrometry._kernels.cluster.vector_greedy import AVERAGE, FORMS, WARD
from dendrometry._progress import Advance
from dendrometry.cluster.gpu.choose import Backend
from dendrometry.cluster.gpu.ladder import Ladder

_GROUP, _MEDIAN = FORMS.index("group_average"), FORMS.index("median")
_STEPS = 512  # between two looks at how many merges are made
_ROWS = 1 << 24  # numbers compared at once when the first neighbours are found


class Pool(NamedTuple):
    """Clusters: centroid, size, sum of squared distances from it, sum of the items' own terms, and node."""

    centroid: Any
    size: Any
    scatter: Any
    own: Any
    node: Any


def merge_greedily(
    pool: Pool, form: int, alpha: float, first: int, ladder: Ladder, backend: Backend, advance: Advance
) -> tuple[Any, Any, Any, Any]:
    """Merge the clusters until one is left; return the merges, the first of which becomes node ``first``."""
    xp = backend.xp
    ladder.same_bits = False
    parts = []
    known: _Known | None = None
    while pool.size.shape[0] > 1:
        n = pool.size.shape[0]
        count = min(n - 1, max(256, n // 4))
        stage = Stage(pool, known, count, form, alpha, first, backend)
        full = stage.slot.shape[0]
        if known is None:
            ladder.count("float64", n, n * full)
        step, together = backend.searches.greedy_step(stage)
        repeat = backend.repeater(step)
        made = 0
        while made < count:
            n_steps = max(1, min(_STEPS, 2 * (count - made)) // together)
            repeat(n_steps)
            ladder.count("float64", n_steps * together, n_steps * together * full)
            now = int(stage.made[0])
            advance(now - made)
            made = now
        repeat(1)  # fused kernels compare what a merge formed at the beginning of the next step
        parts.append(tuple(column[:count] for column in stage.merges))
        first += count
        pool, known = stage.remaining()
    return tuple(xp.concat([part[i] for part in parts]) for i in range(4))


class _Known(NamedTuple):
    """For each cluster the nearest one before it (-1 if that is gone), its distance, and whether others are as near."""

    nearest: Any
    distance: Any
    tied: Any


class Stage:
    """The clusters of one stage in slots, with room for those that its merges form."""

    def __init__(
        self, pool: Pool, known: _Known | None, count: int, form: int, alpha: float, first: int, backend: Backend
    ) -> None:
        xp, where = backend.xp, backend.where
        n, full = pool.size.shape[0], pool.size.shape[0] + count + 1  # the last slot takes what comes after the end
        self.xp, self.form, self.alpha, self.n, self.count = xp, form, alpha, n, count

        def column(values: Any, fill: Any) -> Any:
            rest = xp.full((count + 1, *values.shape[1:]), fill, dtype=values.dtype, device=where)
            return xp.concat([values, rest])

        self.centroid, self.size = column(pool.centroid, 0.0), column(pool.size, 1.0)
        self.scatter, self.own = column(pool.scatter, 0.0), column(pool.own, 0.0)
        self.slot = xp.arange(full, dtype=xp.int64, device=where)
        self.node = column(pool.node, 0)
        self.node[n:] = first + self.slot[: count + 1]
        self.alive = self.slot < n
        self.nearest = self.slot * 0
        self.distance = xp.full(full, xp.inf, dtype=xp.float64, device=where)
        self.tied = xp.zeros(full, dtype=xp.bool, device=where)
        self.made = self.slot[:1] * 0
        if known is None:
            self.nearest[:n], self.distance[:n], self.tied[:n] = backend.searches.nearest_before(self)
        else:
            self.nearest[:n] = xp.where(known.nearest < 0, full - 1, known.nearest)
            self.distance[:n], self.tied[:n] = known.distance, known.tied
        self.merges = (self.slot * 0, self.slot * 0, self.distance + 0.0, self.tied | False)

    def step(self) -> None:
        """Take the nearest pair that is known: merge it, or compare the cluster again whose nearest one is gone."""
        xp = self.xp
        c = xp.reshape(xp.argmin(self.distance), (1,))
        b = self.nearest[c]
        least = self.distance[c]
        merging = self.alive[b] & (self.made < self.count)
        tied = self.tied[c] | (xp.sum(xp.astype((self.distance == least) & self.alive[self.nearest], xp.int64)) > 1)
        for column, value in zip(self.merges, (self.node[b], self.node[c], least, tied), strict=True):
            column[self.made] = value
        into = xp.where(merging, self.n + self.made, c)
        self._join(b, c, into, merging)
        for s in (b, c):
            self.alive[s] = self.alive[s] & ~merging
            self.distance[s] = xp.where(merging, xp.inf, self.distance[s])
        self.alive[into] = self.alive[into] | merging
        self.made += xp.astype(merging, xp.int64)
        value = self._distances(into)
        value = xp.where(self.alive & (self.slot < into), value, xp.inf)
        at = xp.reshape(xp.argmin(value), (1,))
        self.nearest[into] = at
        self.distance[into] = value[at]
        self.tied[into] = xp.sum(xp.astype(value == value[at], xp.int64)) > 1

    def _join(self, b: Any, c: Any, into: Any, merging: Any) -> None:
        """Put the union of two clusters into a slot; if they are not merging, leave what is there."""
        xp = self.xp
        n_b, n_c = self.size[b], self.size[c]
        n = n_b + n_c
        gap = self.centroid[c] - self.centroid[b]
        share = 0.5 if self.form == _MEDIAN else (n_c / n)[:, None]
        scatter = (self.scatter[b] + self.scatter[c]) + n_b * n_c / n * xp.sum(gap * gap, axis=1)
        self.centroid[into] = xp.where(merging[:, None], self.centroid[b] + share * gap, self.centroid[into])
        self.scatter[into] = xp.where(merging, scatter, self.scatter[into])
        self.own[into] = xp.where(merging, self.own[b] + self.own[c], self.own[into])
        self.size[into] = xp.where(merging, n, self.size[into])

    def _distances(self, slots: Any) -> Any:
        """Return the distances of one cluster, or of each of some in a row, from all clusters."""
        xp = self.xp
        one = slots.shape[0] == 1
        mine = slots if one else slots[:, None]
        gap = self.centroid - (self.centroid[slots] if one else self.centroid[slots][:, None, :])
        delta = xp.sum(gap * gap, axis=-1)
        n, m = self.size[mine], self.size
        if self.form == WARD:
            return 2.0 * (n * m / (n + m)) * delta
        if self.form == AVERAGE:
            spread = self.scatter[mine] / n + self.scatter / m
            return self.alpha * (delta + spread) + (self.own[mine] / n + self.own / m)
        if self.form == _GROUP:
            scatter = (self.scatter[mine] + self.scatter) + n * m / (n + m) * delta
            return 2.0 * (self.alpha * scatter / (n + m - 1.0) + (self.own[mine] + self.own) / (n + m))
        return delta

    def nearest_before(self) -> tuple[Any, Any, Any]:
        """Return for each cluster the nearest before it, its distance, and whether another is as near."""
        xp = self.xp
        step = max(1, _ROWS // (self.centroid.shape[0] * self.centroid.shape[1]))
        parts = []
        for start in range(0, self.n, step):
            slots = self.slot[start : min(start + step, self.n)]
            value = xp.where(self.slot < slots[:, None], self._distances(slots), xp.inf)
            value = xp.reshape(value, (slots.shape[0], -1))
            least = xp.min(value, axis=1)
            alike = xp.sum(xp.astype(value == least[:, None], xp.int64), axis=1) > 1
            parts.append((xp.argmin(value, axis=1), least, alike & (least < xp.inf)))
        return tuple(xp.concat(column) for column in zip(*parts, strict=True))

    def remaining(self) -> tuple[Pool, _Known]:
        """Return the clusters that are left, and what is known of their nearest ones."""
        xp = self.xp
        left = xp.nonzero(self.alive[:-1])[0]
        rank = xp.where(self.alive, xp.cumulative_sum(xp.astype(self.alive, xp.int64)) - 1, -1)
        known = _Known(rank[self.nearest[left]], self.distance[left], self.tied[left])
        return Pool(*(column[left] for column in (self.centroid, self.size, self.scatter, self.own, self.node))), known
