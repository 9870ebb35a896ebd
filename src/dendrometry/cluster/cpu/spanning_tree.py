"""Single linkage from a minimum spanning tree, without a matrix.

Cutting the longest edges of a minimum spanning tree gives the single-linkage clusters, so the tree is all that is
needed. It grows as a forest, by the shortest edges that leave its components (Boruvka). In few dimensions a k-d tree
finds them: O(n log n) in practice. In many, lists of near points do, from a search by matrix products with a bound on
its rounding errors, or by exact distances for points in groups so dense that this bound does not decide; where lists no
longer decide, near points of other components are searched, or, if components are few, the shortest edge of every two.
Few points, many of them in such groups, and points with several minimum spanning trees are left to Prim's algorithm,
which computes each distance once, when it is needed. Both take O(n d) memory and O(n^2 d) time in practice.
Other distances are computed row by row.
"""

from collections.abc import Callable, Iterator

import numpy as np

from dendrometry._kernels.cluster import kd_tree as kd_kernels
from dendrometry._kernels.cluster import spanning_tree as kernels
from dendrometry._kernels.cluster.kd_tree import Forest
from dendrometry._kernels.cluster.neighbours import Clusters, Lists
from dendrometry._kernels.cluster.spanning_tree import Outside
from dendrometry._progress import Advance
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import MergeSequence, of_spanning_tree
from dendrometry.cluster.cpu.neighbours import (
    Form,
    KeptColumns,
    bridges_of,
    decide,
    exact_tiles,
    new_lists,
    search_all,
    search_exactly,
)
from dendrometry.cluster.cpu.ward import equal_rows

_FEW = 1000  # points, up to which Prim's algorithm is fast enough
_PAIRS = 16  # pairs of components for each point, up to which the shortest edges of all pairs are searched at once
_DENSE = 3  # Prim's algorithm takes over if more than one point in this many is searched by exact distances
_Edges = tuple[IntArray, IntArray, FloatArray]  # both ends, and length


def spanning_tree_points(points: FloatArray, own: FloatArray, alpha: float, advance: Advance) -> MergeSequence:
    """Merge points; a distance is ``alpha`` times the squared distance plus both ``own`` parts."""
    n = points.shape[0]
    grown = _grow_by_lists(points, own, alpha, advance) if n > _FEW else None
    if grown is not None:
        return grown
    edges, length = spanning_edges(points, own, alpha, advance)
    return of_spanning_tree(edges[:, 0], edges[:, 1], length, n - 1)


def _grow_by_lists(points: FloatArray, own: FloatArray, alpha: float, advance: Advance) -> MergeSequence | None:
    """Merge points by the edges of a growing forest; None if the minimum spanning tree is not found to be the only one.

    Equal points are connected first, all with the lowest, as Prim's algorithm does.
    """
    n = points.shape[0]
    edges = [(np.repeat(group[:1], group.size - 1), group[1:], np.zeros(group.size - 1))
             for group in equal_rows(points, own)]  # fmt: skip
    n_edges = sum(length.size for _, _, length in edges)
    advance(n_edges)
    active = np.setdiff1d(np.arange(n), np.concatenate([np.arange(0), *(second for _, second, _ in edges)]))
    n_twins = len(edges)
    for new in _rounds(active, Clusters(points, np.ones(n), own, np.arange(n)), Form(False, alpha)):
        edges.append(new)
        n_edges += new[2].size
        advance(new[2].size)
    if n_edges < n - 1:
        advance(-n_edges)
        return None
    first, second, length = (np.concatenate(column) for column in zip(*edges, strict=True))
    return of_spanning_tree(first, second, length, len(edges) - n_twins)


def _rounds(active: IntArray, clusters: Clusters, form: Form) -> Iterator[_Edges]:
    """Yield the shortest edges that leave the components, until these are one, or an edge is not decided, or tied."""
    n = clusters.size.size
    lists, forest = new_lists(n), Forest(np.arange(n), np.full(n, -1), np.full(n, np.inf))
    n_left, n_before = active.size, 0
    while n_left not in (1, n_before):
        if n_left**2 <= _PAIRS * n:
            yield _bridging_edges(active, clusters, forest.component, form)
            return
        if not _lists_are_filled(active, lists, clusters, form, forest.component):
            return
        forest.nearest[:] = -1
        n_before = n_left
        while True:
            source, tied = kernels.listed_edges(active, clusters, lists, forest, form.alpha)
            if tied:
                return
            kept = kd_kernels.join(source, forest)
            if kept.size == 0:
                break
            n_left -= kept.size
            yield kept, forest.nearest[kept], forest.bound[kept]


def _lists_are_filled(active: IntArray, lists: Lists, clusters: Clusters, form: Form, component: IntArray) -> bool:
    """Fill the lists of all points, by products as precise as needed; False if too many points lie too densely."""
    alone, item = np.full(component.size, -1), np.arange(component.size)
    search_all(active, clusters, lists, form, component)
    lists.value[active] = -np.inf  # all distances are computed, so that lists are in their order
    decide(active, alone, item, clusters, lists, form)
    doubtful = _doubtful(active, lists, component)
    if doubtful.size * _DENSE > active.size:
        return False
    if doubtful.size:
        KeptColumns(active, clusters, form).search(doubtful, clusters, lists, component)
        lists.value[doubtful] = -np.inf
        decide(doubtful, alone, item, clusters, lists, form)
        doubtful = _doubtful(active, lists, component)
    if doubtful.size:
        search_exactly(doubtful, active, clusters, lists, form, component)
    return True


def _doubtful(active: IntArray, lists: Lists, component: IntArray) -> IntArray:
    """Return the points whose lists do not decide whether the shortest edge of their component starts there."""
    shortest = np.full(component.size, np.inf)
    np.minimum.at(shortest, component[active], lists.distance[active])
    unsure: IntArray = active[~lists.sure[active] & (lists.reach[active] <= shortest[component[active]])]
    return unsure


def _bridging_edges(active: IntArray, clusters: Clusters, component: IntArray, form: Form) -> _Edges:
    """Return the edges that connect few components, by Prim's algorithm on the shortest edges of any two of them.

    They are less than needed if another edge is as short.
    """
    order = active[np.argsort(component[active], kind="stable")]
    group = np.unique(component[order], return_inverse=True)[1]
    length, first, second, tied = bridges_of(
        Clusters(clusters.centroid[order], clusters.size[order], clusters.spread[order], order), group, form
    )
    length, tied = np.minimum(length, length.T), tied | tied.T
    outside = np.arange(length.shape[0]) > 0
    distance, inside, open_ = length[0].copy(), np.zeros(outside.size, dtype=np.int64), tied[0].copy()
    pairs = []
    while outside.any():
        new = int(np.argmin(np.where(outside, distance, np.inf)))
        if open_[new] or np.count_nonzero(outside & (distance == distance[new])) > 1:
            break
        pairs.append(sorted((int(inside[new]), new)))
        outside[new] = False
        nearer = length[new] < distance
        open_ = np.where(nearer, tied[new], open_ | (length[new] == distance))
        inside[nearer], distance = new, np.minimum(distance, length[new])
    low, high = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return order[first[low, high]], order[second[low, high]], length[low, high]


def spanning_edges(points: FloatArray, own: FloatArray, alpha: float, advance: Advance) -> tuple[IntArray, FloatArray]:
    """Return the edges of a minimum spanning tree by Prim's algorithm, a row of two points each, and their lengths."""
    n = points.shape[0]
    outside = Outside(
        exact_tiles(points[1:], 64),
        np.arange(1, n),
        own[1:].copy(),
        np.zeros(n - 1, dtype=np.int64),
        np.full(n - 1, np.inf),
    )
    edges = np.zeros((n - 1, 2), dtype=np.int64)
    length = np.empty(n - 1)
    point = points[0].copy()
    last = 0
    for done in range(0, n - 1, 256):
        part = edges[done : done + 256]
        length[done : done + 256] = kernels.grow(outside, n - 1 - done, point, (last, float(own[last])), alpha, part)
        last = int(part[-1, 1])
        advance(part.shape[0])
    return edges, length


def spanning_tree_kd(points: FloatArray, alpha: float, advance: Advance) -> MergeSequence:
    """Merge points by Boruvka's algorithm on a k-d tree; a distance is ``alpha`` times the squared distance."""
    n = points.shape[0]
    tree = kd_kernels.build(points, max(0, int(np.log2(n / 8))))
    forest = Forest(np.arange(n), np.full(n, -1, dtype=np.int64), np.zeros(n))
    first, second, length = [], [], []
    rounds = 0
    n_edges = 0
    while n_edges < n - 1:
        source, _ = kd_kernels.leaving_edges(tree, forest)
        kept = kd_kernels.join(source, forest)
        first.append(tree.item[kept])
        second.append(tree.item[forest.nearest[kept]])
        length.append(alpha * forest.bound[kept])
        n_edges += kept.size
        rounds += 1
        advance(kept.size)
    return of_spanning_tree(np.concatenate(first), np.concatenate(second), np.concatenate(length), rounds)


def spanning_tree_rows(n: int, row: Callable[[int], FloatArray], advance: Advance) -> MergeSequence:
    """Merge items by Prim's algorithm; ``row(i)`` returns the distances of all items from item i."""
    outside = np.arange(1, n)
    inside = np.zeros(n - 1, dtype=np.int64)
    distance = np.full(n - 1, np.inf)
    edges = np.zeros((n - 1, 2), dtype=np.int64)
    length = np.empty(n - 1)
    newest = 0
    for step in range(n - 1):
        new = row(newest)[outside]
        nearer = new < distance
        distance[nearer] = new[nearer]
        inside[nearer] = newest
        best = int(np.argmin(distance))
        newest = int(outside[best])
        edges[step] = inside[best], newest
        length[step] = distance[best]
        keep = np.arange(outside.size) != best
        outside, inside, distance = outside[keep], inside[keep], distance[keep]
        advance(1)
    return of_spanning_tree(edges[:, 0], edges[:, 1], length, n - 1)
