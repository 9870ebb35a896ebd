"""A head start for complete, average and weighted linkage: merges that short lists decide, before a matrix is needed.

Lists of near points from one search by products, with a bound for all other points, decide the nearest neighbours of
most clusters for many rounds: distances inside the lists are computed from the members, and the bound of a union from
those of its parts. Undecided clusters are left. About half of the merges are made in this way, so the matrix for the
remaining rounds has half as many rows and needs a quarter of the memory.
"""

from typing import NamedTuple

import numpy as np

from dendrometry._check.points import Prepared
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.cluster.agglomerative import list_rounds as kernels
from dendrometry._kernels.cluster.agglomerative.list_rounds import Known, Members
from dendrometry._kernels.cluster.agglomerative.vector_rounds import follow
from dendrometry._kernels.cluster.distances.neighbours import Clusters, Lists
from dendrometry._progress import Advance
from dendrometry._threads import share_rows
from dendrometry.cluster.agglomerative.merges import Merges, join_merges, new_merges
from dendrometry.cluster.agglomerative.neighbours import Form, certain_pairs, new_lists, search

__all__ = ["LIST_UPDATES", "HeadStart", "list_rounds"]

_WIDTH = 40  # longer lists decide more merges, but beyond about this width they cost more time than they save
_YIELD = 200  # the head start ends with a round that merges less than one in this many clusters


class _Members(NamedTuple):
    """How the members of two clusters give their distance: the farthest, or a mean in which parts weigh equally."""

    farthest: bool
    alike: bool


LIST_UPDATES = {
    "complete": _Members(farthest=True, alike=False),
    "average": _Members(farthest=False, alike=False),
    "weighted": _Members(farthest=False, alike=True),
}


class HeadStart(NamedTuple):
    """The merges made, and the remaining clusters: their nodes, sizes, and the group and weight of every item."""

    merges: Merges
    node: IntArray
    size: FloatArray
    group: IntArray
    weight: FloatArray


def list_rounds(ready: Prepared, update: str, advance: Advance) -> HeadStart:
    """Merge the clusters that every greedy algorithm merges, as far as lists of near clusters prove it."""
    n = ready.own.size
    node, size = np.arange(n), np.ones(n)
    lists = _lists_of(ready)
    top, partner = np.arange(n), np.full(n, -1, dtype=np.int64)
    members = Members(ready.points, ready.own, np.ones(n), np.full(n, -1, dtype=np.int64), np.arange(n), node, top)
    known = Known(np.empty(lists.near.shape), np.zeros(n, dtype=np.int64))
    farthest, alike = LIST_UPDATES[update]
    form = (ready.alpha, ready.root, ready.scaled_top, farthest)
    active = changed = np.arange(n)
    parts = [new_merges(0)]
    n_nodes = n
    while True:
        share_rows(lambda slots: kernels.evaluate(slots, partner, members, lists, known, form), changed)
        known.asked[changed] = n_nodes
        partner[active] = -1
        low = certain_pairs(active, lists.nearest, lists.sure & ~lists.tied)
        if low.size * _YIELD < active.size:
            break
        high = lists.nearest[low]
        parts.append(Merges(node[low], node[high], lists.distance[low], np.zeros(low.size, dtype=bool)))
        share = np.full(low.size, 0.5) if alike else size[high] / (size[low] + size[high])
        kernels.merge_pairs(low, high, share, members, lists, farthest)
        size[low] += size[high]
        node[low] = n_nodes + np.arange(low.size)
        n_nodes += low.size
        top[high] = low
        follow(top)
        partner[low] = high
        advance(low.size)
        active = active[top[active] == active]
        nearest = np.maximum(lists.nearest[active], 0)
        changed = active[(partner[active] >= 0) | (top[nearest] != nearest) | (partner[nearest] >= 0)]
    group = np.searchsorted(active, top)
    return HeadStart(join_merges(parts), node[active], size[active], group, members.weight)


def _lists_of(ready: Prepared) -> Lists:
    """Return the lists of near points, with lower bounds on the distances of all others."""
    n = ready.own.size
    lists = new_lists(n, _WIDTH)
    search(np.arange(n), np.arange(n), Clusters(ready.points, np.ones(n), ready.own, np.arange(n)), lists,
           Form(False, ready.alpha))  # fmt: skip
    if ready.root:
        lists.reach[:] = np.sqrt(np.maximum(lists.reach, 0.0)) * (1 - 1e-12)
    return lists
