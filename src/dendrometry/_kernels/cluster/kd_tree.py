"""A k-d tree over points, and the shortest edges that leave each component of a growing forest."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared
from dendrometry._typing import FloatArray, IntArray


class Tree(NamedTuple):
    """A k-d tree as a heap: node v has children 2 v + 1 and 2 v + 2 and holds the points ``item[start[v]:stop[v]]``."""

    points: FloatArray
    item: IntArray
    start: IntArray
    stop: IntArray
    low: FloatArray
    high: FloatArray


class Forest(NamedTuple):
    """Points in the order of the tree: component, the nearest point of another component, and how near any can be."""

    component: IntArray
    nearest: IntArray
    bound: FloatArray


@njit
def build(points: FloatArray, depth: int) -> Tree:
    """Split the points at the median of the widest side, ``depth`` times. O(n log^2 n)."""
    n, d = points.shape
    n_nodes = 2 ** (depth + 1) - 1
    item = np.arange(n)
    start = np.zeros(n_nodes, dtype=np.int64)
    stop = np.zeros(n_nodes, dtype=np.int64)
    low = np.empty((n_nodes, d))
    high = np.empty((n_nodes, d))
    stop[0] = n
    for v in range(n_nodes):
        if stopped():
            break
        held = item[start[v] : stop[v]].copy()
        widest = 0
        for k in range(d):
            low[v, k] = points[held, k].min()
            high[v, k] = points[held, k].max()
            if high[v, k] - low[v, k] > high[v, widest] - low[v, widest]:
                widest = k
        if 2 * v + 2 < n_nodes:
            item[start[v] : stop[v]] = held[np.argsort(points[held, widest], kind="mergesort")]
            middle = (start[v] + stop[v]) // 2
            start[2 * v + 1] = start[v]
            stop[2 * v + 1] = middle
            start[2 * v + 2] = middle
            stop[2 * v + 2] = stop[v]
    return Tree(points[item], item, start, stop, low, high)


@njit
def leaving_edges(tree: Tree, forest: Forest) -> tuple[IntArray, FloatArray]:
    """Return, for each component, where its shortest leaving edge starts and the length of that edge (squared).

    A point is searched only if it could beat the best of its component so far, below boxes that are near enough and not
    all of its own component. What a search does not find raises the point's bound. O(n log n) in practice.
    """
    n = tree.item.size
    whole = _whole(tree, forest.component)
    best = np.full(n, np.inf)
    source = np.full(n, -1, dtype=np.int64)
    for p in range(n):
        c = forest.component[p]
        q = forest.nearest[p]
        if q >= 0 and forest.component[q] != c and forest.bound[p] < best[c]:
            best[c] = forest.bound[p]
            source[c] = p
    stack = np.empty(128, dtype=np.int64)
    for p in range(n):
        c = forest.component[p]
        q = forest.nearest[p]
        if (q < 0 or forest.component[q] == c) and forest.bound[p] < best[c]:
            if stopped():
                break
            found, distance = _nearest_outside(tree, forest.component, whole, p, best[c], stack)
            forest.nearest[p] = found
            forest.bound[p] = distance
            if found >= 0:
                best[c] = distance
                source[c] = p
    return source, best


@njit
def _whole(tree: Tree, component: IntArray) -> IntArray:
    """Return the component that all points below each node share, or -1."""
    n_nodes = tree.start.size
    whole = np.empty(n_nodes, dtype=np.int64)
    for v in range(n_nodes - 1, -1, -1):
        if 2 * v + 2 < n_nodes:
            whole[v] = whole[2 * v + 1] if whole[2 * v + 1] == whole[2 * v + 2] else -1
        else:
            whole[v] = component[tree.start[v]]
            for p in range(tree.start[v] + 1, tree.stop[v]):
                if component[p] != whole[v]:
                    whole[v] = -1
    return whole


@njit
def _gap(tree: Tree, v: int, p: int) -> float:
    """Return the squared distance of a point from the box of a node."""
    total = 0.0
    for k in range(tree.points.shape[1]):
        x = tree.points[p, k]
        side = max(tree.low[v, k] - x, x - tree.high[v, k])
        if side > 0.0:
            total += side * side
    return total


@njit
def _nearest_outside(
    tree: Tree, component: IntArray, whole: IntArray, p: int, limit: float, stack: IntArray
) -> tuple[int, float]:
    """Return the nearest point of another component that is nearer than ``limit``, or -1 and the limit."""
    own = component[p]
    found = -1
    n_stacked = 1
    stack[0] = 0
    while n_stacked:
        n_stacked -= 1
        v = stack[n_stacked]
        if whole[v] == own or _gap(tree, v, p) >= limit:
            continue
        if 2 * v + 2 < tree.start.size:
            near, far = 2 * v + 1, 2 * v + 2
            if _gap(tree, far, p) < _gap(tree, near, p):
                near, far = far, near
            stack[n_stacked] = far
            stack[n_stacked + 1] = near
            n_stacked += 2
            continue
        for q in range(tree.start[v], tree.stop[v]):
            if component[q] != own:
                distance = squared(tree.points[p], tree.points[q])
                if distance < limit:
                    limit = distance
                    found = q
    return found, limit


@njit
def join(source: IntArray, forest: Forest) -> IntArray:
    """Add the leaving edges that close no circle; return where they start. Components are renumbered. O(n)."""
    n = source.size
    root = np.arange(n)
    kept = np.empty(n, dtype=np.int64)
    n_kept = 0
    for c in range(n):
        if source[c] < 0:
            continue
        a = c
        b = forest.component[forest.nearest[source[c]]]
        while root[a] != a:
            root[a] = root[root[a]]
            a = root[a]
        while root[b] != b:
            root[b] = root[root[b]]
            b = root[b]
        if a != b:
            root[max(a, b)] = min(a, b)
            kept[n_kept] = source[c]
            n_kept += 1
    for p in range(n):
        c = forest.component[p]
        while root[c] != c:
            c = root[c]
        forest.component[p] = c
    return kept[:n_kept]
