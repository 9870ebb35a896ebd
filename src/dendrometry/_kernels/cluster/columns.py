"""Clusters as factors whose products are distances; the nearest of a few, by products in double precision.

Columns are kept while clusters merge. Rounding errors are so small that hardly anything that single precision does not
tell apart is left to search by differences.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import fill_fused_products, stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry._typing import FloatArray, IntArray

NOWHERE = 1e300  # the own part of a column without a cluster: far from all


class Columns(NamedTuple):
    """Clusters as columns of tiles: their products with rows are distances, or half of them without the sizes.

    ``slot`` tells the cluster of every column, -1 if there is none. ``size`` is empty unless distances go by size;
    ``least`` are then the least sizes in each tile, or below them.
    """

    tiles: FloatArray
    slot: IntArray
    size: FloatArray
    least: FloatArray


@njit
def fill_factors(
    blocks: IntArray,
    slots: IntArray,
    clusters: Clusters,
    form: tuple[FloatArray, float, bool],
    tiles: NDArray[Any],
    squared: FloatArray,
) -> None:
    """Fill some tiles with clusters in the order of ``slots``, one column each, and with zeros after them.

    ``form`` is a centre for all, alpha, and whether they are rows of a product or columns. The product of a row and a
    column is alpha times the squared distance plus both spreads. ``squared`` takes those from the centre. O(n d).
    """
    centre, alpha, are_rows = form
    d = centre.size
    factor = 1.0 if are_rows else -2.0 * alpha
    for b in blocks:
        tile = tiles[b]
        for j in range(tile.shape[1]):
            at = b * tile.shape[1] + j
            if at >= slots.size:
                for k in range(tile.shape[0]):
                    tile[k, j] = 0.0
                continue
            c = slots[at]
            squared[at] = 0.0
            for k in range(d):
                x = clusters.centroid[c, k] - centre[k]
                squared[at] += x * x
                tile[k, j] = factor * x
            own = alpha * squared[at] + clusters.spread[c]
            tile[d, j] = 1.0 if are_rows else own
            tile[d + 1, j] = own if are_rows else 1.0
        if stopped():
            break


@njit
def search_columns(
    blocks: IntArray,
    rows: FloatArray,
    queries: tuple[IntArray, FloatArray, IntArray],
    columns: Columns,
    near: NDArray[np.int32],
    best: FloatArray,
) -> None:
    """Fill ``near[q]`` with the nearest clusters of query q, for some blocks of rows, from the nearest on.

    Block b holds the rows of the next few of the ``queries``, which have slots and sizes; of clusters in one group, if
    all have groups, none is another's neighbour. ``best[q]`` takes the products of those in ``near[q]``; nothing else
    undercuts its last, which means nothing where there is nothing. O(m n d), nearly all in products.
    """
    slots, row_size, group = queries
    side = rows.shape[2]
    width = columns.tiles.shape[2]
    k = near.shape[1]
    product = np.empty((side, width))
    none = product.ravel()[:0]
    bits = product.view(np.int64)
    limit = np.empty(1)
    limit_bits = limit.view(np.int64)
    for b in blocks:
        first = b * side
        n_rows = min(side, slots.size - first)
        best[first : first + n_rows] = 0.5 * NOWHERE
        near[first : first + n_rows] = -1
        for t in range(columns.tiles.shape[0]):
            if stopped():
                break
            fill_fused_products(rows[b], 0, columns.tiles[t], product, none)
            for i in range(n_rows):
                q = first + i
                limit[0] = best[q, k - 1]
                if columns.size.size:
                    share = row_size[q] * columns.least[t] / (row_size[q] + columns.least[t])
                    limit[0] = min(best[q, k - 1] / share * (1.0 + 1e-12), 0.5 * NOWHERE)
                least = bits[i, 0]
                for j in range(width):  # as integers, several at a time: negative ones (rounding) are below all others
                    x = bits[i, j]
                    least = x if x < least else least
                if least < limit_bits[0]:
                    _keep(product[i], t, (slots[q], row_size[q], group), columns, near[q], best[q])


@njit
def _keep(
    row: FloatArray,
    t: int,
    query: tuple[int, float, IntArray],
    columns: Columns,
    near: NDArray[np.int32],
    best: FloatArray,
) -> None:
    """Put the clusters of one tile that are near enough into the list of a query. O(T)."""
    last = best.size - 1
    own, own_size, group = query
    for j in range(row.size):
        at = t * row.size + j
        value = row[j]
        if columns.size.size:
            value *= own_size * columns.size[at] / (own_size + columns.size[at])
        s = columns.slot[at]
        if value < best[last] and s >= 0 and s != own and not (group.size and group[s] == group[own]):
            to = last
            while to > 0 and best[to - 1] > value:
                best[to] = best[to - 1]
                near[to] = near[to - 1]
                to -= 1
            best[to] = value
            near[to] = s
