"""Rounds on short lists for complete, average and weighted linkage, first of points, then of clusters in half a matrix.

Lists of near points from one search by products, with a bound for all other points, decide the nearest neighbours of
most clusters for many rounds: distances inside the lists are computed from the members, and the bound of a union from
those of its parts. Undecided clusters are left. About half of the merges are made in this way, so the matrix for what
is left has half as many rows, and one half of it is stored: an eighth of the distances. It is searched for lists
in its turn, and what these have left has a smaller matrix, computed from the larger one in one pass.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.points import Prepared
from dendrometry._kernels.cluster import half_matrix as half_kernels
from dendrometry._kernels.cluster import list_reciprocal as kernels
from dendrometry._kernels.cluster.half_matrix import Parts
from dendrometry._kernels.cluster.list_reciprocal import Known, Members
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._kernels.cluster.neighbours import Clusters, Lists
from dendrometry._kernels.cluster.ward import follow
from dendrometry._progress import Advance
from dendrometry._threads import balanced_order, share_pairs, share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import join_merges, new_merges
from dendrometry.cluster.cpu.neighbours import Form, certain_pairs, clusters_in, new_lists, new_nearest, search_all

_WIDTH = 40  # of lists of points: longer ones decide more merges, but cost more time than they save
_HALF_WIDTH = 24  # of lists from a matrix, which are soon made again
_YIELD = 200  # lists are given up after a round that merges less than one in this many clusters
_LEFT = 0.8  # lists from a matrix are given up if they leave more of the clusters than this: ties, or chains
_FEW = 1000  # clusters that take little time however they are merged
_BLOCK = 2**21  # numbers of the rows of new clusters that are computed before they replace old ones


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


def list_reciprocal(ready: Prepared, update: str, advance: Advance) -> HeadStart:
    """Merge the clusters that every greedy algorithm merges, as far as lists of near points prove it."""
    n = ready.own.size
    start = HeadStart(new_merges(0), np.arange(n), np.ones(n), np.arange(n), np.ones(n))
    form = (ready.alpha, ready.root, ready.scaled_top, LIST_UPDATES[update].farthest)
    return _rounds(
        _members(start, ready.points, ready.own, np.empty(0)), _lists_of(ready), form, start, update, advance
    )


def half_reciprocal(flat: NDArray[Any], start: HeadStart, update: str, squared: bool, advance: Advance) -> HeadStart:
    """Go on with the half of a flat matrix in place of points; it becomes the whole matrix of what is left.

    The half may hold squared distances if only the greatest count. Lists are made anew when they decide little more,
    from the matrix of the clusters that they have left. Ties end this: rounds on the whole matrix break them.
    """
    form = (1.0, squared, 0.0, LIST_UPDATES[update].farthest)
    n, before = start.size.size, np.inf
    while n > _FEW and n <= _LEFT * before:
        half = flat[: n * (n - 1) // 2]
        members = _members(start, np.empty((0, 0)), np.empty(0), half)
        start = _rounds(members, _lists_in(half, n, squared), form, start, update, advance)
        n, before = start.size.size, n
        if n < before:
            _combine(half, start, form[3])
    half_kernels.to_square(flat, n)
    if squared:
        np.sqrt(flat[: n * n], out=flat[: n * n])
    return start


def _members(start: HeadStart, points: FloatArray, own: FloatArray, half: NDArray[Any]) -> Members:
    """Return clusters as items, each alone."""
    n = start.size.size
    alone = np.full(n, -1, dtype=np.int64)
    return Members(points, own, half, np.ones(n), alone, np.arange(n), start.node.copy(), np.arange(n))


def _rounds(
    members: Members,
    lists: Lists,
    form: tuple[float, bool, float, bool],
    start: HeadStart,
    update: str,
    advance: Advance,
) -> HeadStart:
    """Merge what the lists decide, round by round, until that is little."""
    farthest, alike = LIST_UPDATES[update]
    size, node, top = start.size.copy(), members.node, members.top
    n = size.size
    partner = np.full(n, -1, dtype=np.int64)
    known = Known(np.empty(lists.near.shape), np.zeros(n, dtype=np.int64))
    active = changed = np.arange(n)
    parts = [start.merges]
    n_nodes = n + 2 * start.merges.left.size
    while True:
        share_rows(lambda slots: kernels.evaluate(slots, partner, members, lists, known, form), changed)
        known.bound[changed] = n_nodes
        partner[active] = -1
        low = certain_pairs(active, lists.nearest, lists.sure & ~lists.tied)
        if low.size * _YIELD < active.size or (members.half.size and lists.tied[active].any()):
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
    search_all(np.arange(n), Clusters(ready.points, np.ones(n), ready.own, np.arange(n)), lists,
           Form(False, ready.alpha))  # fmt: skip
    if ready.root:
        _take_roots(lists.reach)
    return lists


def _take_roots(reach: FloatArray) -> None:
    """Replace lower bounds of squares by lower bounds of their roots."""
    reach[:] = np.sqrt(np.maximum(reach, 0.0)) * (1 - 1e-12)


def _lists_in(half: NDArray[Any], n: int, squared: bool) -> Lists:
    """Return the lists of near clusters among n whose distances are stored, with lower bounds for all others."""
    lists = new_lists(n, _HALF_WIDTH)
    nearest = new_nearest(np.full(n, np.inf, dtype=np.float32), _HALF_WIDTH)
    share_pairs(lambda rows, columns: half_kernels.search_half(half, nearest, rows, columns), n, half_kernels.SIDE)
    below = np.nextafter(nearest.last, np.float32(-1.0)).astype(np.float64)
    lists.near[:] = clusters_in(nearest)
    lists.reach[:] = np.where(lists.near[:, -1] >= 0, below, np.inf)
    if squared:
        _take_roots(lists.reach)
    return lists


def _combine(half: NDArray[Any], start: HeadStart, farthest: bool) -> None:
    """Let the half of a matrix become that of the clusters which its slots have joined."""
    n = start.size.size
    order = np.argsort(start.group, kind="stable")
    first = np.append(0, np.cumsum(np.bincount(start.group)))
    several = np.flatnonzero(np.diff(first) > 1)
    several = several[balanced_order(several.size)]  # later ones have longer rows
    lead, last = order[first[:-1]], order[first[1:] - 1]
    end = np.searchsorted(lead, last)  # clusters from here on begin after all slots of this one
    if half.dtype == np.float64:  # no new memory: see `Parts`
        begin, ahead, place = last * (last - 1) // 2, half, lead
    else:
        n_ahead = np.maximum(end - np.arange(n) - 1, 0)
        begin = np.cumsum(n_ahead) - n_ahead + n - 1 - np.arange(n)
        ahead, place = np.empty(n_ahead.sum() + n), np.arange(n)
    parts = Parts(order, first, start.group.astype(np.uint32), start.weight, ahead, begin, place, end)
    share_rows(lambda some: half_kernels.fill_ahead(some, parts, farthest, half), several, 2)
    height = max(64, _BLOCK // n)
    block = np.empty((height, n))

    def replace(clusters: IntArray) -> None:
        above = int(clusters[0])
        share_rows(lambda some: half_kernels.combine(some, parts, farthest, half, block, above), clusters, 2)
        share_rows(lambda some: half_kernels.put_rows(some, block, above, half), clusters, 2)

    for at in range(1, n, height):
        replace(np.arange(at, min(at + height, n)))
