"""Spanning trees on points: by Prim, distances made when needed and not kept; by lists of near points."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import Tiles, fill_squared, squared
from dendrometry._kernels.cluster.kd_tree import Forest
from dendrometry._kernels.cluster.neighbours import Clusters, Lists
from dendrometry._typing import FloatArray, IntArray


class Outside(NamedTuple):
    """The points outside the tree, packed in tiles: which item, its own part of a distance, the nearest in the tree."""

    tiles: Tiles
    item: IntArray
    own: FloatArray
    inside: IntArray
    distance: FloatArray


@njit
def grow(
    outside: Outside, n_outside: int, point: FloatArray, last: tuple[int, float], alpha: float, edges: IntArray
) -> FloatArray:
    """Move the nearest points into the tree, one for each row of ``edges``; return the length of each edge.

    ``point`` is the latest point of the tree (and is overwritten), ``last`` its item and its own part of a distance.
    O(n d) for each edge.
    """
    points, used = outside.tiles
    width = points.shape[2]
    delta = np.empty(width)
    length = np.empty(edges.shape[0])
    newest, newest_own = last
    for step in range(edges.shape[0]):
        if stopped():
            break
        best = 0
        for t in range((n_outside + width - 1) // width):
            fill_squared(point, outside.tiles, t, delta)
            for j in range(min(width, n_outside - t * width)):
                s = t * width + j
                value = alpha * delta[j] + (newest_own + outside.own[s])
                if value < outside.distance[s]:
                    outside.distance[s] = value
                    outside.inside[s] = newest
                if outside.distance[s] < outside.distance[best] or (
                    outside.distance[s] == outside.distance[best] and outside.item[s] < outside.item[best]
                ):
                    best = s
        newest = outside.item[best]
        newest_own = outside.own[best]
        edges[step, 0] = outside.inside[best]
        edges[step, 1] = newest
        length[step] = outside.distance[best]
        point[:] = points[best // width, :, best % width]
        n_outside -= 1
        points[best // width, :, best % width] = points[n_outside // width, :, n_outside % width]
        used[best // width] |= used[n_outside // width]
        outside.item[best] = outside.item[n_outside]
        outside.own[best] = outside.own[n_outside]
        outside.inside[best] = outside.inside[n_outside]
        outside.distance[best] = outside.distance[n_outside]
    return length


@njit
def listed_edges(
    active: IntArray, clusters: Clusters, lists: Lists, forest: Forest, alpha: float
) -> tuple[IntArray, bool]:
    """Return where the shortest edge that leaves each component starts, and whether another one is as short.

    It is -1 where the lists do not decide it: where a point that no list leads to could be as near. Lists are in order
    of distance, and points of the own component are taken from their front, into ``nearest`` and ``bound`` of the
    forest. O(n k d).
    """
    n = forest.component.size
    best = np.full(n, np.inf)
    reach = np.full(n, np.inf)
    source = np.full(n, -1, dtype=np.int64)
    tied = np.zeros(n, dtype=np.bool_)
    for p in active:
        c = forest.component[p]
        _drop_inner(p, clusters, lists, forest, alpha)
        length = forest.bound[p]
        if length >= lists.reach[p]:
            reach[c] = min(reach[c], lists.reach[p])
        if length < best[c]:
            best[c] = length
            source[c] = p
            tied[c] = False
        elif length == best[c]:
            tied[c] = True
        if stopped():
            break
    source[best >= reach] = -1
    any_tied = False
    for c in np.flatnonzero(source >= 0):
        any_tied = any_tied or tied[c] or _has_tie(source[c], clusters, lists, forest, alpha)
    return source, any_tied


@njit
def _length(p: int, s: int, clusters: Clusters, alpha: float) -> float:
    """Return the distance of two points, as `grow` has it. O(d)."""
    own: float = clusters.spread[p] + clusters.spread[s]
    return alpha * squared(clusters.centroid[p], clusters.centroid[s]) + own


@njit
def _drop_inner(p: int, clusters: Clusters, lists: Lists, forest: Forest, alpha: float) -> None:
    """Set the nearest point outside the component of p that its list leads to, or -1 at inf. O(k d)."""
    s = forest.nearest[p]
    if s >= 0 and forest.component[s] != forest.component[p]:
        return
    forest.nearest[p] = -1
    forest.bound[p] = np.inf
    for at in range(lists.near.shape[1]):
        s = lists.near[p, at]
        if s >= 0 and forest.component[s] != forest.component[p]:
            forest.nearest[p] = s
            forest.bound[p] = _length(p, s, clusters, alpha)
            return


@njit
def _has_tie(p: int, clusters: Clusters, lists: Lists, forest: Forest, alpha: float) -> bool:
    """Return whether the list of p leads to a second point outside its component that is as near. O(k d)."""
    for at in range(lists.near.shape[1]):
        s = lists.near[p, at]
        if s >= 0 and s != forest.nearest[p] and forest.component[s] != forest.component[p]:
            if _length(p, s, clusters, alpha) == forest.bound[p]:
                return True
    return False
