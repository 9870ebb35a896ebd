"""Layout of clusterings at several levels: a column of bars for each, and ribbons between neighbouring levels."""

from typing import NamedTuple

import numpy as np

from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.partition.resolutions import Resolutions
from dendrometry.plot._layout.flow import GAPS, positions_within, stacked


class LevelFlow(NamedTuple):
    """The bars of all levels, the coarsest first, and the ribbons between them.

    Attributes
    ----------
    level, cluster, size : (n_bars,) array of int
        The level of each bar, its cluster (-1: all clusters that have no bar of their own), and its number of items.
    low, high : (n_bars,) array of float
        The start and end of each bar, from 0 at the top to 1 at the bottom.
    source, target : (n_ribbons,) array of int
        The bars connected by each ribbon.
    source_low, target_low, thickness : (n_ribbons,) array of float
        The start of each ribbon on its two bars, and its thickness.
    nested : (n_ribbons,) array of bool
        Whether a ribbon leads from the parent of its cluster, and not from elsewhere.
    group : (n_ribbons,) array of int
        The group of the items of a ribbon.
    """

    level: IntArray
    cluster: IntArray
    size: IntArray
    low: FloatArray
    high: FloatArray
    source: IntArray
    target: IntArray
    source_low: FloatArray
    target_low: FloatArray
    thickness: FloatArray
    nested: BoolArray
    group: IntArray


class _Bars(NamedTuple):
    """The bars of one level: the bar of each cluster, the cluster of each bar (-1: several), and its size and rank."""

    bar: IntArray
    cluster: IntArray
    size: IntArray
    rank: IntArray


def level_flow(found: Resolutions, most: int, group: IntArray | None = None) -> LevelFlow:
    """Return the bars and ribbons of clusterings at several levels, with at most ``most`` bars for each.

    Bars are in the order of the nested tree, the largest first, so ribbons from a parent to its clusters do not cross.
    If a level has more clusters than bars, the smallest share its last bar, whose ribbons may cross others. Ribbons are
    divided by ``group``, the number of each item's group.
    """
    columns: list[_Bars] = []
    for j, level in enumerate(found.levels):
        above = None if j == 0 else columns[-1].rank[columns[-1].bar[found.nesting.parents[j - 1]]]
        columns.append(_bars(np.bincount(level.code), above, most))
    widest = max(bars.size.size for bars in columns)
    n = len(found.items)
    gap = GAPS * n / max(1, widest - 1)
    tallest = n + gap * (widest - 1)
    lows = [stacked(bars.size, bars.rank, gap, tallest) for bars in columns]
    first = np.cumsum([0, *(bars.size.size for bars in columns)])
    parts = []
    for j in range(len(columns) - 1):
        source, target, count, nested, kind = _overlaps(found, columns, j, group)
        rank_a, rank_b = columns[j].rank[source], columns[j + 1].rank[target]
        source_low = lows[j][source] + positions_within(source, np.lexsort((kind, ~nested, rank_b)).argsort(), count)
        target_low = lows[j + 1][target] + positions_within(
            target, np.lexsort((kind, ~nested, rank_a)).argsort(), count
        )
        parts.append((first[j] + source, first[j + 1] + target, source_low, target_low, count, nested, kind))
    source, target, source_low, target_low, count, nested, kinds = (
        np.concatenate(column) if parts else np.zeros(0, dtype=of)
        for column, of in zip(zip(*parts, strict=True) if parts else [()] * 7, "llddl?l", strict=True)
    )
    low, size = np.concatenate(lows), np.concatenate([bars.size for bars in columns])
    return LevelFlow(
        np.repeat(np.arange(len(columns)), [bars.size.size for bars in columns]),
        np.concatenate([bars.cluster for bars in columns]),
        size,
        low / tallest,
        (low + size) / tallest,
        source,
        target,
        source_low / tallest,
        target_low / tallest,
        count / tallest,
        nested,
        kinds,
    )


def _bars(size: IntArray, above: IntArray | None, most: int) -> _Bars:
    """Return the bars of a level; ``above`` is the rank of the bar of each cluster's parent."""
    by_size = np.argsort(-size, kind="stable")
    n_bars = min(most, size.size)
    bar = np.empty(size.size, dtype=np.int64)
    bar[by_size] = np.minimum(np.arange(size.size), n_bars - 1)
    cluster = by_size[:n_bars].copy()
    place = np.zeros(n_bars, dtype=np.int64) if above is None else above[cluster]
    if size.size > n_bars:
        cluster[-1] = -1
        place[-1] = size.size
    rank = np.lexsort((np.arange(n_bars), place)).argsort()
    return _Bars(bar, cluster, np.bincount(bar, size).astype(np.int64), rank)


def _overlaps(
    found: Resolutions, columns: list[_Bars], j: int, group: IntArray | None
) -> tuple[IntArray, IntArray, IntArray, BoolArray, IntArray]:
    """Return the ribbons from a level to the next: bars in both, number of items, whether nested, and the group."""
    table = Contingency.of(found.levels[j].code, found.levels[j + 1].code)
    cell, weight = (np.arange(table.n_cells), table.count) if group is None else (table.item_cell, None)
    row, column = table.row[cell], table.column[cell]
    nested = found.nesting.parents[j][column] == row
    kind = np.zeros(cell.size, dtype=np.int64) if group is None else group
    ends = columns[j].bar[row], columns[j + 1].bar[column]
    kinds, which = np.unique(np.column_stack((*ends, nested, kind)), axis=0, return_inverse=True)
    count = np.bincount(which.ravel(), weight).astype(np.int64)
    return kinds[:, 0], kinds[:, 1], count, kinds[:, 2] > 0, kinds[:, 3]
