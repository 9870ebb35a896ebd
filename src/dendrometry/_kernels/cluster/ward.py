"""One round: the pairs of clusters that are nearest to each other become one cluster each."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import squared
from dendrometry._kernels.cluster.neighbours import Clusters, Lists, between
from dendrometry._typing import BoolArray, FloatArray, IntArray

_FREE, _MERGED, _OPEN = range(3)


class Pairs(NamedTuple):
    """The slots of the pairs that may merge, and the height of the cluster in every slot."""

    low: IntArray
    high: IntArray
    height: FloatArray


@njit
def mutual_pairs(
    active: IntArray, clusters: Clusters, lists: Lists, form: tuple[bool, float]
) -> tuple[IntArray, IntArray]:
    """Return the pairs of clusters that are each other's nearest, or one of several that tie; lower slot first.

    Relies on lists of tied clusters that lead to live clusters, the nearest first. O(ties d).
    """
    low = [0 for _ in range(0)]
    high = [0 for _ in range(0)]
    for c in active:
        if not lists.sure[c]:
            continue
        for at in range(lists.near.shape[1] if lists.tied[c] else 1):
            s = lists.near[c, at] if lists.tied[c] else lists.nearest[c]
            if s < 0 or (at > 0 and exact_distance(c, s, clusters, form) != lists.distance[c]):
                break
            if lists.sure[s] and lists.distance[s] == lists.distance[c] and c < s:
                low.append(c)
                high.append(s)
        if stopped():
            break
    return np.array(low, dtype=np.int64), np.array(high, dtype=np.int64)


@njit
def exact_distance(c: int, s: int, clusters: Clusters, form: tuple[bool, float]) -> float:
    """Return the distance of two clusters. O(d)."""
    return between(
        squared(clusters.centroid[c], clusters.centroid[s]),
        (clusters.size[c], clusters.size[s]),
        clusters.spread[c] + clusters.spread[s],
        form[0],
        form[1],
    )


@njit
def merge_pairs(
    pairs: Pairs, clusters: Clusters, lists: Lists, root: IntArray, form: tuple[bool, float]
) -> tuple[BoolArray, BoolArray]:
    """Let each cluster ``low[p]`` swallow ``high[p]``, in this order, unless one of them has merged or a tie is open.

    Pairs come by distance, then by nodes, and merge as the greedy algorithm merges them. A tie is open if this cannot
    be known yet: one of the pair was formed at the same height, or another cluster is as near to one of them and may
    merge before, as it has a nearer one, or its nearest is unknown, or it has an open tie itself. Returns which pairs
    merged, and whether another cluster was then as near to one of the pair. O((pairs + ties) d).
    """
    low, high, height = pairs
    merged = np.zeros(low.size, dtype=np.bool_)
    tied = np.zeros(low.size, dtype=np.bool_)
    state = np.zeros(root.size, dtype=np.int64)
    for p in range(low.size):
        i = low[p]
        j = high[p]
        if state[i] == _MERGED or state[j] == _MERGED:
            continue
        one = _rival(i, j, clusters, lists, root, state, form)
        other = _rival(j, i, clusters, lists, root, state, form)
        tied[p] = one != _MERGED or other != _MERGED
        same = height[i] == lists.distance[i] or height[j] == lists.distance[i]
        if state[i] == _OPEN or state[j] == _OPEN or one == _OPEN or other == _OPEN or (tied[p] and same):
            state[i] = _OPEN
            state[j] = _OPEN
            continue
        merged[p] = True
        state[i] = _MERGED
        state[j] = _MERGED
        root[j] = i
        _merge(i, j, clusters, lists, form)
        if stopped():
            break
    return merged, tied


@njit
def _rival(
    c: int, b: int, clusters: Clusters, lists: Lists, root: IntArray, state: IntArray, form: tuple[bool, float]
) -> int:
    """Return the state of the clusters other than b that are as near to c: free, open, or merged if there is none.

    O(ties d).
    """
    found = _MERGED
    for at in range(lists.near.shape[1] if lists.tied[c] else 0):
        s = lists.near[c, at]
        if s < 0:
            break
        if s == b:
            continue
        if exact_distance(c, root[s], clusters, form) == lists.distance[c]:
            if state[s] != _FREE or not lists.sure[s] or lists.distance[s] < lists.distance[c]:
                return _OPEN
            found = _FREE
        elif state[s] != _MERGED:
            break
    return found


@njit
def _merge(i: int, j: int, clusters: Clusters, lists: Lists, form: tuple[bool, float]) -> None:
    """Let cluster i swallow j, and bound the reach of the new cluster by those of its parts. O(d).

    For a cluster of m items that is at least r and s away from the parts, Lance and Williams give the least distance
    from the whole: for average linkage the mean weighted by size, for Ward a ratio that is monotone in m, so m = 1 or
    m = inf is the worst.
    """
    n_i = clusters.size[i]
    n_j = clusters.size[j]
    n = n_i + n_j
    weighted = n_i * lists.reach[i] + n_j * lists.reach[j]
    if form[0]:
        slope = lists.reach[i] + lists.reach[j] - lists.distance[i]
        lists.reach[i] = min((weighted + slope) / (n + 1.0), slope) * (1 - 1e-12)
    else:
        lists.reach[i] = weighted / n * (1 - 1e-12)
    combine(i, j, clusters, form)


@njit
def combine(i: int, j: int, clusters: Clusters, form: tuple[bool, float]) -> None:
    """Let cluster i take the items of cluster j. O(d)."""
    by_size, alpha = form
    n_i = clusters.size[i]
    n_j = clusters.size[j]
    n = n_i + n_j
    delta = squared(clusters.centroid[i], clusters.centroid[j])
    clusters.spread[i] = (n_i * clusters.spread[i] + n_j * clusters.spread[j]) / n
    if not by_size:
        clusters.spread[i] += alpha * (n_i / n) * (n_j / n) * delta
    share = n_j / n
    for k in range(clusters.centroid.shape[1]):
        clusters.centroid[i, k] += share * (clusters.centroid[j, k] - clusters.centroid[i, k])
    clusters.size[i] = n


@njit
def follow(root: IntArray) -> None:
    """Let every slot point at the cluster it now belongs to. O(n)."""
    for s in range(root.size):
        root[s] = root[root[s]]
