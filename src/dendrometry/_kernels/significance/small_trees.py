"""Trees of few points, of which many are built: by chains of nearest neighbours on a small matrix of distances."""

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.lance_williams import blend
from dendrometry._typing import BoolArray, FloatArray, IntArray


@njit
def parents(columns: FloatArray, scale: float, root: bool, update: int) -> IntArray:
    """Return the parent of each node of the tree of some points, the points first, then the others by their height.

    ``columns`` has a row for each coordinate. A distance of points is ``scale`` times the squared distance, or the root
    of that; ``update`` is that of a linkage by which a new cluster is never nearer to a third one than both its parts
    were. Such a tree joins any two clusters that are each other's nearest: the way from cluster to nearest cluster ends
    at a pair of them, and goes on from where it came from. O(n^2 d). If it is stopped, or a distance is no number, all
    parents are -1.
    """
    n = columns.shape[1]
    matrix = _distances(columns, scale, root)
    size = np.ones(n)
    merged = np.empty((n - 1, 2), dtype=np.int64)
    height = np.empty(n - 1)
    way = np.empty(n, dtype=np.int64)
    alive = np.ones(n, dtype=np.bool_)
    length, first = 0, 0
    for step in range(n - 1):
        while not alive[first]:
            first += 1
        if length == 0:
            way[0] = first
            length = 1
        length = _walk(matrix, way, length)
        if length == 0 or stopped():
            return np.full(2 * n - 1, -1, dtype=np.int64)
        length -= 2
        a, b = way[length], way[length + 1]
        merged[step, 0], merged[step, 1], height[step] = a, b, matrix[a, b]
        _merge(matrix, size, alive, a, b, update)
    return _numbered(merged, height)


@njit
def _walk(matrix: FloatArray, way: IntArray, length: int) -> int:
    """Go on from the end of a way to the nearest cluster, until two are each other's nearest; return its length.

    It is 0 if no distance is a number. O(n) for each step.
    """
    while True:
        row = matrix[way[length - 1]]
        before = way[length - 2] if length > 1 else -1
        at, best = before, row[before] if before >= 0 else np.inf
        for s in range(row.size):
            if row[s] < best:
                best = row[s]
                at = s
        if at == before:
            return length if at >= 0 else 0
        way[length] = at
        length += 1


@njit
def _distances(columns: FloatArray, scale: float, root: bool) -> FloatArray:
    """Return the square matrix of distances of points, and infinity from each to itself. O(n^2 d)."""
    d, n = columns.shape
    matrix = np.zeros((n, n))
    for i in range(n):
        rest = matrix[i, i + 1 :]
        for c in range(d):
            x = columns[c, i]
            others = columns[c, i + 1 :]
            for j in range(rest.size):  # from 0 on, as only such loops are vectorised
                rest[j] += (x - others[j]) * (x - others[j])
        if stopped():
            break
    for i in range(n):
        matrix[i, i] = np.inf
        for j in range(i + 1, n):
            value = scale * matrix[i, j]
            if root:
                value = np.sqrt(value)
            matrix[i, j] = value
            matrix[j, i] = value
    return matrix


@njit
def _merge(matrix: FloatArray, size: FloatArray, alive: BoolArray, a: int, b: int, update: int) -> None:
    """Take over the union of two clusters in the row and column of the second; the first is gone. O(n)."""
    sizes = (size[a], size[b], matrix[a, b])
    gone, row = matrix[a], matrix[b]
    alive[a] = False
    for s in range(row.size):
        if alive[s] and s != b:
            value = max(blend(update, gone[s], row[s], sizes, size[s]), min(gone[s], row[s]))  # rounding aside
            row[s] = value
            matrix[s, b] = value
            matrix[s, a] = np.inf
    row[a] = np.inf
    size[b] += size[a]


@njit
def _numbered(merged: IntArray, height: FloatArray) -> IntArray:
    """Return the parent of each node, given for each merge a point of both clusters, and its height. O(n log n)."""
    n = height.size + 1
    parent = np.full(2 * n - 1, -1, dtype=np.int64)
    node = np.arange(n)  # of the cluster that a point stands for
    above = np.arange(n)  # a point of the same cluster, on the way to that which stands for it
    number = n
    for m in np.argsort(height, kind="mergesort"):
        a, b = merged[m, 0], merged[m, 1]
        while above[a] != a:
            above[a] = above[above[a]]
            a = above[a]
        while above[b] != b:
            above[b] = above[above[b]]
            b = above[b]
        parent[node[a]] = number
        parent[node[b]] = number
        above[a] = b
        node[b] = number
        number += 1
    return parent
