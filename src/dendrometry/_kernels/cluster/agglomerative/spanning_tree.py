"""Prim's spanning tree on points: distances are made when needed and not kept."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit, stopped
from dendrometry._kernels.cluster.distances.differences import fill_squared

__all__ = ["Outside", "grow"]


class Outside(NamedTuple):
    """The points outside the tree, packed in tiles: which item, its own part of a distance, the nearest in the tree."""

    tiles: FloatArray
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
    width = outside.tiles.shape[2]
    delta = np.empty(width)
    length = np.empty(edges.shape[0])
    newest, newest_own = last
    for step in range(edges.shape[0]):
        if stopped():
            break
        best = 0
        for t in range((n_outside + width - 1) // width):
            fill_squared(point, outside.tiles[t], delta)
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
        point[:] = outside.tiles[best // width, :, best % width]
        n_outside -= 1
        outside.tiles[best // width, :, best % width] = outside.tiles[n_outside // width, :, n_outside % width]
        outside.item[best] = outside.item[n_outside]
        outside.own[best] = outside.own[n_outside]
        outside.inside[best] = outside.inside[n_outside]
        outside.distance[best] = outside.distance[n_outside]
    return length
