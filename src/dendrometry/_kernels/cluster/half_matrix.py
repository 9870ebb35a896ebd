"""A symmetric matrix of distances of which one half is stored: row i holds the columns before i, after the rows before.

It is searched for near clusters, read where two clusters meet, and becomes that of larger clusters in the same place.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.all_pairs import Nearest, keep_nearest
from dendrometry._typing import FloatArray, IntArray

SIDE = 64  # of a tile that is searched at once
_TILES = 16  # that are read together, so that pieces of a row are long


class Parts(NamedTuple):
    """The slots of which new clusters consist: ``slot[first[g]]`` to ``slot[first[g + 1] - 1]``, ascending, for g.

    Clusters are numbered in the order of their first slots. ``group`` is the cluster of each slot, and ``weight`` its
    share in the mean over that. The part of the distance of g from a later cluster c that is in the rows of g is
    ``ahead[start[g] + place[c]]``; there is such a part for c below ``end[g]``. ``ahead`` may be the half itself: parts
    take the places of the distances of the last slot of g from the first of c, which are of no further use.
    """

    slot: IntArray
    first: IntArray
    group: NDArray[np.uint32]
    weight: FloatArray
    ahead: FloatArray
    start: IntArray
    place: IntArray
    end: IntArray


@njit
def row_start(i: int) -> int:
    """Return where row i starts. O(1)."""
    return i * (i - 1) // 2


@njit
def search_half(half: NDArray[Any], nearest: Nearest, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    """Put all pairs of a slot in ``rows`` and one in ``columns`` into the lists of both. O(m n).

    Both are ranges as in `search_pairs`. Distances are rounded to single precision.
    """
    tiles = np.empty((_TILES, SIDE, SIDE), dtype=np.float32)
    none = np.empty(0, dtype=np.int64)
    for first in range(columns[0], columns[1], SIDE):
        n_rows = min(SIDE, columns[1] - first)
        last = min(rows[1], first + SIDE)
        for start in range(rows[0], last, _TILES * SIDE):
            n_tiles = min(_TILES, -(-(last - start) // SIDE))
            for i in range(n_rows):
                row = half[row_start(first + i) + start :]
                for t in range(n_tiles):
                    _round_numbers(row[t * SIDE :], min(SIDE, first + i - start - t * SIDE), tiles[t, i])
            for t in range(n_tiles):
                if stopped():
                    return
                keep_nearest(tiles[t, :n_rows], first, start + t * SIDE, none, nearest, 0)


@njit
def _round_numbers(row: NDArray[Any], count: int, out: NDArray[np.float32]) -> None:
    """Round the first numbers of a row to single precision, and fill up with infinity. O(T)."""
    for j in range(count):
        out[j] = row[j]
    for j in range(count, out.size):
        out[j] = np.inf


@njit
def fill_ahead(clusters: IntArray, parts: Parts, farthest: bool, half: NDArray[Any]) -> None:
    """Set what the rows of some new clusters tell about the clusters after these. O(n) for each slot."""
    out = np.zeros(parts.first.size - 1)
    for c in clusters:
        lead = parts.slot[parts.first[c]]
        for at in range(parts.first[c] + 1, parts.first[c + 1]):
            a = parts.slot[at]
            _add_row(half[row_start(a) :][:a], lead + 1, parts.weight[a], parts, farthest, out)
        for g in range(c + 1, parts.end[c]):
            parts.ahead[parts.start[c] + parts.place[g]] = out[g]
        for g in range(parts.end[c]):
            out[g] = 0.0
        if stopped():
            break


@njit
def combine(
    clusters: IntArray, parts: Parts, farthest: bool, half: NDArray[Any], block: FloatArray, above: int
) -> None:
    """Compute the distances of some new clusters from those before each: greatest or mean. O(n) for each slot.

    Those of c are put into row ``c - above`` of the block.
    """
    for c in clusters:
        out = block[c - above]
        for g in range(c):
            out[g] = 0.0
        for at in range(parts.first[c], parts.first[c + 1]):
            a = parts.slot[at]
            _add_row(half[row_start(a) :][:a], 0, parts.weight[a], parts, farthest, out)
        if stopped():
            return
    end = clusters[clusters.size - 1] + 1
    place = parts.place
    for g in range(end - 1):
        ahead = parts.ahead[parts.start[g] :]
        for c in range(max(clusters[0], g + 1), min(end, parts.end[g])):
            old = block[c - above, g]
            part = ahead[place[c]]
            block[c - above, g] = max(old, part) if farthest else old + part


@njit
def _add_row(row: NDArray[Any], start: int, share: float, parts: Parts, farthest: bool, out: FloatArray) -> None:
    """Add the distances of one slot from those before it to the distances of its cluster from theirs. O(n)."""
    group = parts.group
    weight = parts.weight
    if farthest:
        for y in range(start, row.size):
            x = row[y]
            old = out[group[y]]
            out[group[y]] = x if x > old else old
    else:
        for y in range(start, row.size):
            out[group[y]] += share * weight[y] * row[y]


@njit
def put_rows(clusters: IntArray, block: FloatArray, above: int, half: NDArray[Any]) -> None:
    """Let the rows of a block, that of c as in `combine`, be those of new clusters. O(n) each."""
    for c in clusters:
        row = half[row_start(c) :][:c]
        new = block[c - above]
        for s in range(c):
            row[s] = new[s]
        if stopped():
            break


@njit
def to_square(flat: NDArray[Any], n: int) -> None:
    """Make the whole matrix of n clusters of its half, in place, from the last row on; its diagonal is 0. O(n^2)."""
    for i in range(n - 1, -1, -1):
        for j in range(i - 1, -1, -1):
            flat[i * n + j] = flat[row_start(i) + j]
        flat[i * n + i] = 0.0
        if stopped():
            return
    for first in range(0, n, SIDE):
        for j in range(first, n):
            for i in range(first, min(first + SIDE, j)):
                flat[i * n + j] = flat[j * n + i]
        if stopped():
            return
