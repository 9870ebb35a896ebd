"""Merges: the result of every agglomerative algorithm, numbered in the order of the greedy algorithm."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.points import in_units
from dendrometry._kernels.cluster import merges as kernels
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

_ROWS = 100_000  # compared at once


class MergeSequence(NamedTuple):
    """The merges of a tree in order; merge i forms node n + i, as in SciPy's linkage.

    ``n_ties`` counts the merges at which another pair was exactly as near, ``first_tie`` is the first of them, or -1,
    ``rounds`` counts the passes of the algorithm.
    """

    left: IntArray
    right: IntArray
    height: FloatArray
    n_ties: int
    rounds: int
    first_tie: int = -1


def first_of(tied: BoolArray) -> int:
    """Return the first merge that is tied, or -1."""
    return int(np.argmax(tied)) if tied.any() else -1


def new_merges(count: int) -> Merges:
    """Return empty columns for ``count`` merges."""
    return Merges(
        np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64), np.empty(count), np.zeros(count, dtype=bool)
    )


def no_merges() -> MergeSequence:
    """Return the merges of a single item."""
    return MergeSequence(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0), 0, 0)


def in_units_of(merges: MergeSequence, exponent: int) -> MergeSequence:
    """Return merges with their heights times a power of two, refusing an overflow or underflow."""
    height = in_units(merges.height, exponent)
    if ((height == 0.0) & (merges.height != 0.0)).any():
        raise InvalidInputError("heights above 0 must stay above 0; got an underflow (scale the points up)")
    return merges._replace(height=height)


def join_merges(parts: list[Merges]) -> Merges:
    """Return consecutive parts of the merges as one."""
    return Merges(
        np.concatenate([part.left for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.height for part in parts]),
        np.concatenate([part.tied for part in parts]),
    )


def equal_merges(groups: list[IntArray], n: int) -> tuple[Merges, list[int]]:
    """Return the merges at height 0 of groups of equal items, lowest numbers first, and the last node of each group."""
    rows: list[tuple[int, int, bool]] = []
    last = []
    for group in groups:
        queue = np.sort(group).tolist()
        for at in range(0, 2 * (group.size - 1), 2):
            rows.append((queue[at], queue[at + 1], len(queue) - at > 2))
            queue.append(n + len(rows) - 1)
        last.append(queue[-1])
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
    return Merges(columns[0], columns[1], np.zeros(len(rows)), columns[2].astype(bool)), last


def rows_of(merges: Merges, start: int, count: int) -> Merges:
    """Return views of some rows of the columns."""
    rows = slice(start, start + count)
    return Merges(merges.left[rows], merges.right[rows], merges.height[rows], merges.tied[rows])


def in_greedy_order(n: int, merges: Merges, rounds: int) -> MergeSequence:
    """Return merges of a monotone linkage in order of height, ties by lowest pair; merge m is node n + m."""
    left, right, height, tied = merges
    if (ordered := in_height_order(n, merges, np, None)) is not None:
        return MergeSequence(*ordered, int(tied.sum()), rounds, first_of(tied[np.argsort(height)]))
    number, order, level, ties = kernels.greedy_order(n, left, right, height, tied)
    first, second = number[left][order], number[right][order]
    return MergeSequence(
        np.minimum(first, second), np.maximum(first, second), level[order], int(ties[0]), rounds, int(ties[1])
    )


def in_height_order(n: int, merges: Merges, xp: Any, where: Any) -> tuple[Any, Any, Any] | None:
    """Return the lower node, the higher node and the height of each merge, in order of height.

    None unless heights are all different and above those of the parts. ``xp`` is the library of the columns, ``where``
    their device.
    """
    left, right, height, _ = merges
    order = xp.argsort(height)
    number = xp.arange(n + height.shape[0], dtype=xp.int64, device=where)
    number[n + order] = number[n:] + 0  # a copy, as the same places are written
    first, second = number[left], number[right]
    high = xp.maximum(first, second)
    if bool(xp.any(height[order[1:]] <= height[order[:-1]]) | xp.any(high >= number[n:])):
        return None
    return xp.minimum(first, second)[order], high[order], height[order]


def renumber(n: int, merges: Merges) -> tuple[Merges, IntArray]:
    """Return the merges so far in greedy order, and the new number of every node."""
    number, order, level, _ = kernels.greedy_order(n, *merges)
    left, right, _, tied = merges
    return Merges(number[left][order], number[right][order], level[order], tied[order]), number


def of_spanning_tree(first: IntArray, second: IntArray, length: FloatArray, rounds: int) -> MergeSequence:
    """Return the single-linkage merges of the edges of a minimum spanning tree.

    A pair as near as the one merged remains as near, so there is a tie at each merge but the last of every height.
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    order = np.argsort(length)
    if (np.diff(length[order]) == 0.0).any():
        order = np.lexsort((high, low, length))
    left, right = kernels.join_edges(low[order], high[order])
    untied = np.zeros(length.size, dtype=bool)
    merges = in_greedy_order(first.size + 1, Merges(left, right, length[order], untied), rounds)
    tied = merges.height[1:] == merges.height[:-1]
    return merges._replace(n_ties=int(tied.sum()), first_tie=first_of(tied))


def require_distinct(merges: MergeSequence, points: NDArray[Any], power: float, what: str = "items") -> None:
    """Refuse merges whose height has fallen to 0, or nearly, where the points merged are not equal.

    Points are equal if and only if their distance is 0, unless it is lost beside much larger ones. ``power`` is that
    of a squared distance which gives a height, ``what`` the word for the points.
    """
    lost = (merges.height > 0.0) & (merges.height < np.finfo(np.float64).tiny ** power)
    which = np.flatnonzero((merges.height == 0.0) | lost)
    first, second = _merged_points(merges, which, points.shape[0])
    for start in range(0, which.size, _ROWS):
        part = slice(start, start + _ROWS)
        unlike = lost[which[part]] | (points[first[part]] != points[second[part]]).any(axis=1)
        unlike &= first[part] != second[part]
        if unlike.any():
            a, b = (int(items[part][np.argmax(unlike)]) for items in (first, second))
            gap, far = (float(np.abs(x).max()) for x in (np.subtract(points[a], points[b], dtype=np.float64), points))
            raise InvalidInputError(
                f"distances above 0 must stay above 0; that of {what} {a} and {b}, which differ by {gap:.6g},"
                f" underflows beside coordinates up to {far:.6g}: make them equal, or build a tree of nearer"
                " points alone"
            )


def _merged_points(merges: MergeSequence, which: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return an item of each part of some merges, twice the same where a part was merged in none of these."""
    item = dict(enumerate(range(n))) if which.size else {}
    pairs = []
    for m, left, right in zip(which.tolist(), merges.left[which].tolist(), merges.right[which].tolist(), strict=True):
        a, b = item.get(left, -1), item.get(right, -1)
        pairs.append((a, b) if a >= 0 and b >= 0 else (0, 0))  # clusters of unlike points may have one centroid
        if a >= 0 and b >= 0:
            item[n + m] = a
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return first, second


def hierarchy_of(merges: MergeSequence, items: tuple[str, ...], group: IntArray) -> Hierarchy:
    """Return the tree of the merges, leaves at height 0; ``group`` is the leaf of each item."""
    n = merges.left.size + 1
    parent = np.full(2 * n - 1, -1, dtype=np.int64)
    parent[merges.left] = n + np.arange(n - 1)
    parent[merges.right] = n + np.arange(n - 1)
    return Hierarchy(parent, np.concatenate([np.zeros(n), merges.height]), group, items)
