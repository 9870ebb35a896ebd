"""Single linkage on a device, by Boruvka's algorithm with the search of the vector rounds.

In every round each component takes its shortest edge to another one, from the lists of its points as far as they prove
it; only points that may have a shorter one are searched again. The largest component waits for the others, so that most
points are searched once. Of edges of the same length, the one of the lowest points is the shorter.
"""

from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from dendrometry._progress import Advance
from dendrometry.cluster.cpu.merges import MergeSequence, of_spanning_tree
from dendrometry.cluster.gpu.choose import Backend
from dendrometry.cluster.gpu.ladder import Ladder
from dendrometry.cluster.gpu.plain import Columns, Lists, Rows, Wanted


def gpu_spanning_tree(
    points: Any, own: Any, alpha: float, ladder: Ladder, backend: Backend, advance: Advance
) -> MergeSequence:
    """Merge points; a distance is ``alpha`` times the squared distance plus both ``own`` parts."""
    forest = _Forest(points, own, alpha, ladder, backend)
    edges: list[tuple[Any, ...]] = []
    n, n_edges, rounds = points.shape[0], 0, 0
    while n_edges < n - 1:
        found = forest.shortest_edges()
        edges.append(found)
        n_edges += found[0].size
        advance(found[0].size)
        rounds += 1
    first, second, length = (np.concatenate([part[i] for part in edges]) for i in range(3))
    return of_spanning_tree(first, second, length, rounds)


class _Forest:
    """The components so far, and for each point the near points outside its component that are known."""

    def __init__(self, points: Any, own: Any, alpha: float, ladder: Ladder, backend: Backend) -> None:
        xp, where = backend.xp, backend.where
        n = points.shape[0]
        self.backend, self.xp = backend, xp
        self.wanted = Wanted(False, alpha)
        self.columns = Columns(points, xp.ones(n, dtype=xp.float64, device=where), own)
        self.ladder = ladder
        self.item = xp.arange(n, dtype=xp.int64, device=where)
        self.component, self.n_components = self.item + 0, n
        self.lists = Lists.empty(xp, n, where)
        self._ask(self.item)

    def shortest_edges(self) -> tuple[Any, Any, Any]:
        """Add the shortest edge that leaves each component but the largest, and return the new edges."""
        xp = self.xp
        asking = self._asking()
        self._drop_inner(asking)
        while True:
            best = self._least(asking)
            reach = self.lists.reach[asking]
            unsure = asking[(self.lists.distance[asking] > reach) & (reach <= best[asking])]
            if unsure.shape[0] == 0:
                break
            self._ask(unsure)
        edge = asking[self.lists.distance[asking] == best[asking]]
        n = self.item.shape[0]
        key = xp.minimum(edge, self.lists.nearest[edge]) * n + xp.maximum(edge, self.lists.nearest[edge])
        order = xp.argsort(key, stable=True)
        order = order[xp.argsort(self.component[edge][order], stable=True)]
        order = order[_first_of_each(self.component[edge][order], xp)]
        order = order[xp.argsort(key[order], stable=True)]
        order = order[_first_of_each(key[order], xp)]  # two components may have the same shortest edge
        keys, length = (self.backend.numpy(column[order]) for column in (key, self.lists.distance[edge]))
        pairs = np.stack(np.divmod(keys, n), axis=1)
        kept = self._join(pairs, length)
        return pairs[kept, 0], pairs[kept, 1], length[kept]

    def _asking(self) -> Any:
        """Return the points of all components but the largest."""
        sizes = np.bincount(self.backend.numpy(self.component), minlength=self.n_components)
        return self.xp.nonzero(self.component != int(np.argmax(sizes)))[0]

    def _drop_inner(self, asking: Any) -> None:
        """Take the points that are now in the same component out of the lists."""
        xp = self.xp
        stale = asking[self.component[self.lists.nearest[asking]] == self.component[asking]]
        near = self.lists.near[stale]
        inner = (near < 0) | (self.component[near] == self.component[stale][:, None])
        self._set(stale, Rows(xp.where(inner, -1, near), self.lists.reach[stale]))

    def _least(self, asking: Any) -> Any:
        """Return for each point the length of the shortest edge known that leaves its component."""
        xp = self.xp
        order = xp.argsort(self.lists.distance[asking], stable=True)
        order = order[xp.argsort(self.component[asking][order], stable=True)]
        group = self.component[asking][order]
        first = _first_of_each(group, xp)
        least = xp.full(self.n_components, xp.inf, dtype=xp.float64, device=self.backend.where)
        least[group[first]] = self.lists.distance[asking][order][first]
        return least[self.component]

    def _ask(self, slots: Any) -> None:
        """Search the nearest point in another component."""
        self.ladder.search(slots, self.item, self.component, self.columns, self.wanted, self._found)

    def _found(self, slots: Any, rows: Rows, exact: bool) -> Any:
        """Set the lists of some points from a search, and return those that it leaves open."""
        self._set(slots, rows)
        still = self.backend.searches.open_slots(self.lists, slots)
        if exact:
            reach, distance = self.lists.reach, self.lists.distance
            reach[slots] = self.xp.maximum(reach[slots], distance[slots])
        return still

    def _set(self, slots: Any, rows: Rows) -> None:
        """Set the lists of some points from those found, and from a bound on all others."""
        if slots.shape[0]:
            self.backend.searches.set_lists(self.lists, slots, rows, self.columns, self.wanted)

    def _join(self, pairs: Any, length: Any) -> Any:
        """Make one component of those that the edges connect, and return which edges form no circle.

        Edges of the same length may form circles, if some that are as short are beyond the lists.
        """
        component = self.backend.numpy(self.component)
        ends = component[pairs[:, 0]], component[pairs[:, 1]]
        shape = (self.n_components, self.n_components)
        n_before = self.n_components
        graph = coo_array((np.ones(length.size, dtype=np.int8), ends), shape=shape)
        self.n_components, label = connected_components(graph, directed=False)
        self.component = self.backend.array(label.astype(np.int64))[self.component]
        if n_before - self.n_components == length.size:
            return np.arange(length.size)
        order = np.lexsort((pairs[:, 1], pairs[:, 0], length))
        rank = np.empty(length.size)
        rank[order] = np.arange(1, length.size + 1)
        twice = np.sort(np.stack(ends, axis=1), axis=1)  # two edges may connect the same components
        first = order[np.unique(twice[order], axis=0, return_index=True)[1]]
        forest = minimum_spanning_tree(coo_array((rank[first], twice[first].T), shape=shape))
        return order[forest.data.astype(np.int64) - 1]


def _first_of_each(ordered: Any, xp: Any) -> Any:
    """Return the places where a value of an ordered array occurs first."""
    return xp.nonzero(ordered != xp.concat([ordered[:1] - 1, ordered[:-1]]))[0]
