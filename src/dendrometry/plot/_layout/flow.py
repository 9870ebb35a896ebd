"""Flow diagram layout: clusters of two partitions and their overlaps as bars, connected by ribbons."""

from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.partition.graph import Bipartite

GAPS = 0.3  # total gap in the layer with most bars, as a share of the total bar length
_SWEEPS = 8
_POINTS = 24  # on each edge of a ribbon


class Flow(NamedTuple):
    """The layout of the derivation graph a -> meet -> b.

    Attributes
    ----------
    low, high : (n_nodes,) array of float
        The start and end of each bar, from 0 at the top to 1 at the bottom; nodes are numbered as in `Derivation`.
    source, target : (n_edges,) array of int
        The bars connected by each ribbon, as in `Derivation`.
    source_low, target_low, thickness : (n_edges,) array of float
        The start of each ribbon on its two bars, and its thickness.
    """

    low: FloatArray
    high: FloatArray
    source: IntArray
    target: IntArray
    source_low: FloatArray
    target_low: FloatArray
    thickness: FloatArray


class Coarse(NamedTuple):
    """A table of few clusters: the largest on each side in descending size, and one for all others (-1: none).

    ``row_of`` and ``column_of`` give the original index of each cluster.
    """

    table: Contingency
    row_of: IntArray
    column_of: IntArray


def coarse(table: Contingency, most: int) -> Coarse:
    """Return a table of at most ``most`` clusters on each side, the last of which combines the rest if necessary."""
    most = min(most, max(table.n_a, table.n_b) + 1)
    ranks, former = [], []
    for sizes in (table.sizes_a, table.sizes_b):
        order = np.argsort(-sizes, kind="stable")
        rank = np.empty(sizes.size, dtype=np.int64)
        rank[order] = np.minimum(np.arange(sizes.size), most - 1)
        ranks.append(rank)
        former.append(order if sizes.size <= most else np.append(order[: most - 1], -1))
    cells = np.column_stack([ranks[0][table.row], ranks[1][table.column], table.count])
    return Coarse(Contingency.from_triples([tuple(cell) for cell in cells.tolist()]), former[0], former[1])


def flow(graph: Bipartite) -> Flow:
    """Return the bars and ribbons of two partitions.

    Clusters of one connected component are adjacent, and large components come first. Within a component the two sides
    are sorted alternately, for a few rounds, by the mean position of the clusters they overlap. Overlaps are sorted by
    their cluster of a and then of b, so splits never cross and merges rarely do. O(m log m) for m overlaps.
    """
    table = graph.table
    rank_a, rank_b = _ranks(graph)
    cell_rank = np.lexsort((rank_b[table.column], rank_a[table.row])).argsort()
    sizes = (table.sizes_a, table.count, table.sizes_b)
    gap = GAPS * table.n_items / max(1, max(size.size for size in sizes) - 1)
    tallest = table.n_items + gap * max(size.size - 1 for size in sizes)
    lows = [stacked(size, rank, gap, tallest) for size, rank in zip(sizes, (rank_a, cell_rank, rank_b), strict=True)]
    low = np.concatenate(lows) / tallest
    graph_edges = graph.derivation()
    within_a = lows[0][table.row] + positions_within(table.row, cell_rank, table.count)
    within_b = lows[2][table.column] + positions_within(table.column, cell_rank, table.count)
    return Flow(
        low,
        low + np.concatenate(sizes) / tallest,
        graph_edges.source,
        graph_edges.target,
        np.concatenate([within_a, lows[1]]) / tallest,
        np.concatenate([lows[1], within_b]) / tallest,
        graph_edges.weight / tallest,
    )


def _ranks(graph: Bipartite) -> tuple[IntArray, IntArray]:
    """Return the order of the clusters of a and of b from top to bottom."""
    table = graph.table
    by_size = np.argsort(-graph.sizes, kind="stable").argsort()
    part_a, part_b = by_size[graph.component_a], by_size[graph.component_b]
    rank_a = np.lexsort((-table.sizes_a, part_a)).argsort()
    rank_b = np.zeros(table.n_b, dtype=np.int64)
    for _ in range(_SWEEPS):
        mean_b = np.bincount(table.column, rank_a[table.row] * table.count) / table.sizes_b
        rank_b = np.lexsort((mean_b, part_b)).argsort()
        mean_a = np.bincount(table.row, rank_b[table.column] * table.count) / table.sizes_a
        rank_a = np.lexsort((mean_a, part_a)).argsort()
    return rank_a, rank_b


def stacked(size: IntArray, rank: IntArray, gap: float, tallest: float) -> FloatArray:
    """Return the start of each bar when bars are stacked by rank, with gaps, and centred on the tallest layer."""
    order = np.argsort(rank)
    start = np.empty(size.size)
    start[order] = np.cumsum(size[order]) - size[order] + gap * np.arange(size.size)
    start += (tallest - float(size.sum()) - gap * (size.size - 1)) / 2.0
    return start


def positions_within(cluster: IntArray, rank: IntArray, count: IntArray) -> FloatArray:
    """Return for each overlap the number of items in earlier overlaps of the same cluster."""
    order = np.lexsort((rank, cluster))
    before = np.cumsum(count[order]) - count[order]
    first = np.append(True, np.diff(cluster[order]) > 0)
    within = np.empty(count.size)
    within[order] = before - np.repeat(before[first], np.diff(np.append(np.flatnonzero(first), count.size)))
    return within


def ribbons(low: tuple[FloatArray, FloatArray], thickness: FloatArray, x: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return (n_ribbons, 2 n_points, 2): outlines with horizontal ends, from their start to their end at ``x``."""
    share = np.linspace(0.0, 1.0, _POINTS)
    bend = share * share * (3.0 - 2.0 * share)
    across = x[0][:, None] + (x[1] - x[0])[:, None] * share
    down = low[0][:, None] + (low[1] - low[0])[:, None] * bend
    upper, lower = np.stack([across, down], -1), np.stack([across, down + thickness[:, None]], -1)
    return np.concatenate([upper, lower[:, ::-1]], axis=1)
