"""The greedy build on a square matrix of distances, updated by the formulas of Lance and Williams."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.lance_williams import GROUP_AVERAGE, GROUP_AVERAGE_WITH_SELF, blend
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Table(NamedTuple):
    """Clusters in slots, with the square matrix of their distances as one flat array, row after row.

    ``within`` is the mean distance inside a cluster (group averages only). ``distance`` is that of ``nearest``, or a
    lower bound if ``nearest`` is gone; inf marks a dead slot. Ward, centroid and median work on squared distances. Of
    clusters that are as near, the one with the lowest ``rank`` comes first.
    """

    matrix: NDArray[Any]
    size: FloatArray
    within: FloatArray
    node: IntArray
    rank: IntArray
    nearest: IntArray
    distance: FloatArray
    alive: BoolArray


@njit
def find_nearest(slots: IntArray, table: Table) -> None:
    """Set the nearest cluster of some slots, the one with the lowest rank where several are as near. O(m n)."""
    n = table.size.size
    for c in slots:
        row = table.matrix[c * n : c * n + n]
        best = np.inf
        at = -1
        for s in range(n):
            if row[s] <= best and table.alive[s] and s != c and (row[s] < best or table.rank[s] < table.rank[at]):
                best = row[s]
                at = s
        table.nearest[c] = at
        table.distance[c] = best
        if stopped():
            break


@njit
def merge_nearest(table: Table, merges: Merges, first: int, rank: IntArray, update: int) -> int:
    """Make merges until every row of ``merges`` is filled; ``first`` is the node number of the first of them.

    ``rank`` is that of the cluster of each merge.

    A cluster whose nearest one is gone is asked again only when its lower bound is the least of all. Returns how many
    were asked. O(n) for each merge and each question.
    """
    n = table.size.size
    n_searches = 0
    one = np.empty(1, dtype=np.int64)
    for step in range(merges.left.size):
        i = _closest(table)
        while not table.alive[table.nearest[i]]:
            if stopped():
                return n_searches
            n_searches += 1
            one[0] = i
            find_nearest(one, table)
            i = _closest(table)
        if stopped():
            break
        j = table.nearest[i]
        least = table.distance[i]
        merges.left[step] = min(table.node[i], table.node[j])
        merges.right[step] = max(table.node[i], table.node[j])
        merges.height[step] = least
        merges.tied[step], more = _is_tied(table, i, j)
        n_searches += more
        table.alive[j] = False
        table.distance[j] = np.inf
        row = table.matrix[i * n : i * n + n]
        combine(row, table.matrix[j * n : j * n + n], least, table.size, table.within, (i, j, update))
        table.size[i] += table.size[j]
        table.within[i] = least
        table.node[i] = first + step
        table.rank[i] = rank[step]
        _spread(row, table, i, j)
    return n_searches


@njit
def _spread(row: NDArray[Any], table: Table, i: int, j: int) -> None:
    """Take over the new row of slot i in all columns, and what it changes in nearest clusters; slot j is gone. O(n)."""
    n = table.size.size
    best = np.inf
    at = -1
    for s in range(n):
        if not table.alive[s] or s == i:
            continue
        value = row[s]
        table.matrix[s * n + i] = value
        if value < best or (value == best and table.rank[s] < table.rank[at]):
            best = value
            at = s
        if value < table.distance[s]:
            table.distance[s] = value
            table.nearest[s] = i
        elif table.nearest[s] == i:
            table.nearest[s] = j
    table.nearest[i] = at
    table.distance[i] = best


@njit
def _closest(table: Table) -> int:
    """Return the lowest of the clusters with the nearest one of all, or else one to be asked. O(n)."""
    c = 0
    for s in range(table.size.size):
        if table.distance[s] <= table.distance[c] and (
            table.distance[s] < table.distance[c] or table.rank[s] < table.rank[c]
        ):
            c = s
    return c


@njit
def _is_tied(table: Table, i: int, j: int) -> tuple[bool, int]:
    """Return whether another pair of clusters is as near as slots i and j, and how many were asked.

    One of such a pair is neither i nor j. O(n), and O(n) for each question; what a question finds is kept.
    """
    least = table.distance[i]
    for s in range(table.size.size):
        if s != i and s != j and table.distance[s] == least and table.alive[table.nearest[s]]:
            return True, 0
    n_searches = 0
    one = np.empty(1, dtype=np.int64)
    for s in range(table.size.size):
        if s != i and s != j and table.distance[s] == least:
            n_searches += 1
            one[0] = s
            find_nearest(one, table)
            if table.distance[s] == least or stopped():
                return True, n_searches
    return False, n_searches


@njit
def combine(
    row: NDArray[Any],
    other: NDArray[Any],
    least: float,
    size: FloatArray,
    within: FloatArray,
    which: tuple[int, int, int],
) -> None:
    """Set the row of slot i to the distances from the union of i and j, given those of j. O(n)."""
    i, j, update = which
    if update == GROUP_AVERAGE or update == GROUP_AVERAGE_WITH_SELF:
        _combine_groups(row, other, least, (size, within), (i, j), 1.0 if update == GROUP_AVERAGE else 0.0)
        return
    pair = (size[i], size[j], least)
    for s in range(row.size):
        row[s] = blend(update, row[s], other[s], pair, size[s])


@njit
def _combine_groups(
    row: NDArray[Any],
    other: NDArray[Any],
    least: float,
    columns: tuple[FloatArray, FloatArray],
    which: tuple[int, int],
    skip: float,
) -> None:
    """Set the row of slot i to the mean distances over all pairs of i, j and each other cluster together. O(n).

    ``columns`` are the sizes and the mean distances inside; ``skip`` is 1 if an item and itself are no pair, and 0 if
    they are one, of distance 0.
    """
    size, within = columns
    i, j = which
    n_i = size[i]
    n_j = size[j]
    inside = (n_i + n_j) * (n_i + n_j - skip) * least - n_i * (n_i - skip) * within[i] - n_j * (n_j - skip) * within[j]
    for s in range(row.size):
        m = size[s]
        total = (n_i + m) * (n_i + m - skip) * row[s] + (n_j + m) * (n_j + m - skip) * other[s]
        total += inside - m * (m - skip) * within[s]
        row[s] = total / ((n_i + n_j + m) * (n_i + n_j + m - skip))


@njit
def compact(matrix: NDArray[Any], n: int, keep: IntArray) -> None:
    """Move the rows and columns to keep, in ascending order, to the front, as a smaller flat matrix. O(m^2)."""
    to = 0
    for s in keep:
        if stopped():
            break
        for t in keep:
            matrix[to] = matrix[s * n + t]
            to += 1
