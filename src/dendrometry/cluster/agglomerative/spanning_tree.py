"""Single linkage from a minimum spanning tree, without a matrix.

Cutting the longest edges of a minimum spanning tree gives the single-linkage clusters, so the tree is all that is
needed. For points in many dimensions Prim's algorithm computes each distance once, when it is needed: O(n d) memory,
O(n^2 d) time. In few dimensions a k-d tree finds the shortest edges that leave each component of a growing forest
(Boruvka): O(n log n) in practice. Other distances are computed row by row.
"""

from collections.abc import Callable

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.cluster.agglomerative import spanning_tree as kernels
from dendrometry._kernels.cluster.agglomerative.spanning_tree import Outside
from dendrometry._kernels.cluster.distances import kd_tree as kd_kernels
from dendrometry._kernels.cluster.distances.kd_tree import Forest
from dendrometry._progress import Advance
from dendrometry.cluster.agglomerative.merges import MergeSequence, of_spanning_tree
from dendrometry.cluster.agglomerative.neighbours import tiles_of

__all__ = ["spanning_edges", "spanning_tree_kd", "spanning_tree_points", "spanning_tree_rows"]


def spanning_tree_points(points: FloatArray, own: FloatArray, alpha: float, advance: Advance) -> MergeSequence:
    """Merge points by Prim's algorithm; a distance is ``alpha`` times the squared distance plus both ``own`` parts."""
    edges, length = spanning_edges(points, own, alpha, advance)
    return of_spanning_tree(edges[:, 0], edges[:, 1], length, points.shape[0] - 1)


def spanning_edges(points: FloatArray, own: FloatArray, alpha: float, advance: Advance) -> tuple[IntArray, FloatArray]:
    """Return the edges of a minimum spanning tree by Prim's algorithm, a row of two points each, and their lengths."""
    n = points.shape[0]
    outside = Outside(
        np.asarray(tiles_of(points[1:], 64), dtype=np.float64),
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
