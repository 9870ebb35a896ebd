"""Nearest clusters of clusters kept as centroids: a fast search by products, an exact one by differences.

The distance of two clusters is ``2 n m / (n + m) * delta`` (by size: Ward, squared) or ``alpha * delta + u + v``
(average linkage), where delta is the squared distance of the centroids, n and m the sizes, u and v the spreads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import fill_product, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.differences import Tiles, fill_squared, squared
from dendrometry._typing import BoolArray, FloatArray, IntArray

BLOCK = 120  # queries in one product
_NEARLY = 1 - 1e-12  # of a distance: a new cluster is at least as far as the nearer part, but for rounding
_ROUNDED = 1e-9  # more than the share by which sums of squares are rounded, in up to a million columns


class Clusters(NamedTuple):
    """One row for each cluster: centroid, number of items, spread, and the node number that settles ties."""

    centroid: FloatArray
    size: FloatArray
    spread: FloatArray
    node: IntArray


class Lists(NamedTuple):
    """For each cluster the near ones that are known, and what is known about all the others.

    Every cluster that ``near`` (row by row, -1 at the end) does not lead to is at least ``reach`` away. ``nearest``
    is the nearest at ``distance``; another one is exactly as near if ``tied``. If ``sure``, this is certain, and all
    that are as near are in the list. But for rounding, none in ``near`` is nearer than its ``value``, nor is what it
    has merged into.
    """

    near: NDArray[np.int32]
    reach: FloatArray
    nearest: IntArray
    distance: FloatArray
    sure: BoolArray
    tied: BoolArray
    value: FloatArray


@njit
def between(delta: float, sizes: tuple[float, float], spreads: float, by_size: bool, alpha: float) -> float:
    """Return the distance of two clusters whose centroids are ``delta`` apart (squared). O(1)."""
    if by_size:
        return 2.0 * (sizes[0] * sizes[1] / (sizes[0] + sizes[1])) * delta
    return alpha * delta + spreads


@njit
def search_products(
    query: NDArray[np.float32],
    query_size: FloatArray,
    own: IntArray,
    tiles: NDArray[np.float32],
    size: FloatArray,
    near: NDArray[np.int32],
) -> FloatArray:
    """Fill ``near[i]`` with the positions of the nearest targets of query i, by single-precision products.

    The product of a query and a column of a tile is their distance (or half of it, without the factor of the query's
    size). ``size`` is empty unless distances go by size; queries then come in blocks of similar ``query_size``.
    ``own[i]`` is the position of the query itself. Returns a value that no target outside ``near[i]`` undercuts. O(m
    n d), all in products of small blocks.
    """
    n_tiles, width, n_columns = tiles.shape
    k = near.shape[1]
    product = np.empty((BLOCK, n_columns), dtype=np.float32)
    scaled = np.empty((width, n_columns), dtype=np.float32)
    best = np.empty((query.shape[0], k), dtype=np.float32)
    best[:] = np.inf
    near[:] = -1
    first = 0
    while first < query.shape[0]:
        last = min(first + BLOCK, query.shape[0])
        if size.size:
            while query_size[last - 1] * 0.9 > query_size[first]:
                last -= 1
        for t in range(n_tiles):
            if stopped():
                break
            columns = tiles[t]
            if size.size:
                _scale(columns, size[t], query_size[last - 1], scaled)
                columns = scaled
            fill_product(query[first:last], columns, product[: last - first])
            _keep_nearest(product[: last - first], t * n_columns, own[first:last], best[first:last], near[first:last])
        first = last
    return best[:, k - 1].astype(np.float64)


@njit
def _scale(columns: NDArray[np.float32], size: FloatArray, query_size: float, scaled: NDArray[np.float32]) -> None:
    """Multiply the columns of a tile by n / (m + n), for targets of n and queries of m items. O(d T)."""
    for j in range(size.size):
        share = np.float32(size[j] / (query_size + size[j]))
        for c in range(columns.shape[0]):
            scaled[c, j] = columns[c, j] * share


@njit
def _keep_nearest(
    product: NDArray[np.float32],
    first: int,
    own: IntArray,
    best: NDArray[np.float32],
    near: NDArray[np.int32],
) -> None:
    """Put the targets of one tile that are near enough into the lists of the queries. O(m T).

    Rows are first compared as integers, several at a time: of numbers that are not negative the least has the least
    bits, and a negative one (rounding) is below all others.
    """
    bits = product.view(np.int32)
    best_bits = best.view(np.int32)
    last = best.shape[1] - 1
    for i in range(product.shape[0]):
        row = bits[i]
        least = row[0]
        for j in range(row.size):
            x = row[j]
            least = x if x < least else least
        if least < best_bits[i, last]:
            for j in range(row.size):
                value = product[i, j]
                if value < best[i, last] and first + j != own[i]:
                    at = last
                    while at > 0 and best[i, at - 1] > value:
                        best[i, at] = best[i, at - 1]
                        near[i, at] = near[i, at - 1]
                        at -= 1
                    best[i, at] = value
                    near[i, at] = first + j


class Targets(NamedTuple):
    """Clusters to be searched in, in ascending order of ``radius``, the distance of their centroids from a point.

    ``tiles`` holds the centroids in this order, the last tile filled up with anything. No spread is below
    ``least_spread``. If ``group`` is not empty, it has the group of every slot, and clusters of one group are not
    searched for.
    """

    slot: IntArray
    radius: FloatArray
    tiles: Tiles
    least_spread: float
    group: IntArray


@njit
def search_differences(
    slots: IntArray,
    radii: FloatArray,
    clusters: Clusters,
    targets: Targets,
    lists: Lists,
    form: tuple[bool, float],
) -> None:
    """Set the lists of some clusters, with their radii, from exact distances to the targets. O(m n d).

    Centroids are at least as far from each other as their radii differ. So tiles are searched from that with the same
    radius on, to both sides, until those that are left are too far away.
    """
    width = targets.tiles.points.shape[2]
    k = lists.near.shape[1]
    delta = np.empty(width)
    best = np.empty(k)
    for at in range(slots.size):
        c = slots[at]
        best[:] = np.inf
        lists.near[c] = -1
        below = min(np.searchsorted(targets.radius, radii[at]), targets.slot.size - 1) // width
        above = below + 1
        while below >= 0 or above < targets.tiles.points.shape[0]:
            gap_below = _gap(below, radii[at], targets)
            gap_above = _gap(above, radii[at], targets)
            if _far(min(gap_below, gap_above), c, clusters, targets, form) > best[k - 1]:
                break
            if gap_below <= gap_above:
                _search_tile(c, below, clusters, targets, form, lists.near[c], best, delta)
                below -= 1
            else:
                _search_tile(c, above, clusters, targets, form, lists.near[c], best, delta)
                above += 1
        lists.value[c] = best
        lists.reach[c] = best[k - 1]
        lists.nearest[c] = lists.near[c, 0]
        lists.distance[c] = best[0]
        lists.tied[c] = k > 1 and best[1] == best[0]
        lists.sure[c] = not lists.tied[c] or best[0] < best[k - 1]
        if stopped():
            break


@njit
def _gap(t: int, radius: float, targets: Targets) -> float:
    """Return by how much the radii of a tile differ from one at least, less rounding; inf if there is none. O(1)."""
    width = targets.tiles.points.shape[2]
    if t < 0 or t * width >= targets.radius.size:
        return np.inf
    low: float = targets.radius[t * width]
    high: float = targets.radius[min(t * width + width, targets.radius.size) - 1]
    return max(low - radius, radius - high) - _ROUNDED * (radius + high)


@njit
def _far(gap: float, c: int, clusters: Clusters, targets: Targets, form: tuple[bool, float]) -> float:
    """Return the least distance of a cluster from one whose centroid is a gap away. O(1)."""
    by_size, alpha = form
    delta = max(gap, 0.0) * max(gap, 0.0) * (1.0 - _ROUNDED)
    if by_size:  # 2 n m / (n + m) is at least 1
        return delta
    spreads: float = clusters.spread[c] + targets.least_spread
    return alpha * delta + spreads * (1.0 - _ROUNDED)


@njit
def _search_tile(
    c: int,
    t: int,
    clusters: Clusters,
    targets: Targets,
    form: tuple[bool, float],
    near: NDArray[np.int32],
    best: FloatArray,
    delta: FloatArray,
) -> None:
    """Put the targets of one tile that are near enough into the list of a cluster. O(d T)."""
    by_size, alpha = form
    group = targets.group
    fill_squared(clusters.centroid[c], targets.tiles, t, delta)
    for j in range(min(delta.size, targets.slot.size - t * delta.size)):
        s = targets.slot[t * delta.size + j]
        sizes = clusters.size[c], clusters.size[s]
        value = between(delta[j], sizes, clusters.spread[c] + clusters.spread[s], by_size, alpha)
        if value <= best[-1] and s != c and not (group.size and group[s] == group[c]):
            insert(near, best, best.size, s, value, clusters.node)


@njit
def insert(near: NDArray[np.int32], best: FloatArray, filled: int, s: int, value: float, node: IntArray) -> None:
    """Put a cluster where it belongs among the first ``filled`` by distance, then by node; the last one falls out."""
    at = filled - 1
    if near[at] >= 0 and (best[at] < value or (best[at] == value and node[near[at]] < node[s])):
        return
    while at > 0 and (
        near[at - 1] < 0 or best[at - 1] > value or (best[at - 1] == value and node[near[at - 1]] > node[s])
    ):
        best[at] = best[at - 1]
        near[at] = near[at - 1]
        at -= 1
    best[at] = value
    near[at] = s


@njit
def evaluate(
    slots: IntArray,
    partner: IntArray,
    root: IntArray,
    clusters: Clusters,
    lists: Lists,
    form: tuple[bool, float],
) -> None:
    """Find the nearest cluster of each cluster in ``slots`` among those in its list, and whether it is certain.

    ``root[s]`` is the cluster that slot s now belongs to, ``partner[c]`` the slot that c has just swallowed, or -1:
    its list counts too, and all distances are computed; else only those that may be the least. O(m k (k + d)).
    """
    k = lists.near.shape[1]
    found = np.empty(2 * k, dtype=np.int32)
    best = np.empty(2 * k)
    for c in slots:
        n_found = _gather(c, partner[c], root, lists, found, best)
        sort_near(found[:n_found], best[:n_found], clusters.node)
        nearest = np.inf
        for at in range(n_found):
            if best[at] > nearest:
                break
            s = found[at]
            delta = squared(clusters.centroid[c], clusters.centroid[s])
            spreads = clusters.spread[c] + clusters.spread[s]
            best[at] = between(delta, (clusters.size[c], clusters.size[s]), spreads, form[0], form[1])
            nearest = min(nearest, best[at])
        sort_near(found[:n_found], best[:n_found], clusters.node)
        lists.near[c] = found[:k]
        lists.value[c] = best[:k]
        lists.reach[c] = min(lists.reach[c], best[k])
        lists.nearest[c] = found[0]
        lists.distance[c] = best[0]
        lists.sure[c] = best[0] < lists.reach[c]
        lists.tied[c] = best[1] == best[0]
        if stopped():
            break


@njit
def _gather(c: int, partner: int, root: IntArray, lists: Lists, found: NDArray[np.int32], least: FloatArray) -> int:
    """Collect the clusters that the lists of a cluster lead to; return how many.

    ``least`` is what their distances are at least, -inf if c has swallowed another, and inf after the last. O(k^2).
    """
    k = lists.near.shape[1]
    n_found = 0
    for at in range(k if partner < 0 else 2 * k):
        s = lists.near[c, at] if at < k else lists.near[partner, at - k]
        if s < 0 or root[s] == c:
            continue
        s = root[s]
        value = lists.value[c, at] * _NEARLY if partner < 0 else -np.inf
        place = 0
        while place < n_found and found[place] != s:
            place += 1
        if place == n_found:
            found[place] = s
            least[place] = value
            n_found += 1
        least[place] = min(least[place], value)
    found[n_found:] = -1
    least[n_found:] = np.inf
    return n_found


@njit
def sort_near(found: NDArray[np.int32], best: FloatArray, node: IntArray) -> None:
    """Sort clusters by distance, then by node. O(k^2)."""
    for last in range(1, found.size):
        s = found[last]
        value = best[last]
        at = last
        while at > 0 and (best[at - 1] > value or (best[at - 1] == value and node[found[at - 1]] > node[s])):
            best[at] = best[at - 1]
            found[at] = found[at - 1]
            at -= 1
        best[at] = value
        found[at] = s
