"""Two-means: one cluster split into two around their means.

A row is nearer to mean b than to mean a if its product with b - a exceeds a bound. The sum of one side is kept and
changed by the rows that move, the other follows from the sum of all rows; and a row is multiplied only if the means may
have moved past it since it was last. The sides that this ends with are settled by distances from means that are added
up anew, so that what was rounded on the way decides nothing.
"""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.centred import (
    TINY,
    About,
    Centred,
    Room,
    about_side,
    centre,
    fill_near,
    product,
    short_plane,
)
from dendrometry._kernels.cluster.rows import (
    Rows,
    add_row,
    add_rows,
    fill_mean,
    fill_row,
    fill_squared_from,
    squared_from,
    squared_length,
)
from dendrometry._typing import BoolArray, FloatArray, IntArray

_EQUAL = 1e-9  # splits whose scatter between the sides is this near to the largest are compared by distances
_ROUNDING = 1e-11  # a share of the lengths by which products may be off; a row this near to the bound is multiplied
_BLOCK = 256  # rows that are looked at together


class Split(NamedTuple):
    """Rows on two sides, the scatter of each, the rows exactly as near to both means, and the rounds made."""

    side: BoolArray
    scatter: FloatArray
    ties: int
    rounds: int
    mean: FloatArray  # (2, d) of either side
    square: FloatArray  # (m,) the squared distance of each row from the mean of its side


class Parting(NamedTuple):
    """The plane between two means, and what is known of each row."""

    normal: FloatArray  # (d,) the second mean minus the first
    slack: FloatArray  # (m,) how far planes may have moved since the start before the row is to be multiplied again
    side: BoolArray  # (m,) whether the row is beyond the plane
    moved: IntArray  # (m,) the rows that changed sides in the last round come first, in order
    due: IntArray  # room for the rows of a block that are to be multiplied
    near: FloatArray  # room for their products in whole numbers


class Move(NamedTuple):
    """The bound of the plane, and how far planes have gone, all rounds together.

    Since a row was last multiplied, its product less the bound has changed by at most the difference.
    """

    bound: float
    gone: float  # for a row at distance 1 from the mean
    least: float  # for a row at the mean


@njit
def _draw_second(rows: Rows, radius: FloatArray, first: int, draw: FloatArray, point: FloatArray) -> int:
    """Return a row with a probability proportional to its squared distance from the first; -1 if all are equal to it.

    Rows are drawn by pairs of numbers from 0 to 1 and kept by their distance, beside the largest that it may be; if
    none is kept, all distances are computed. O(nnz + d), and less if it need not come to that.
    """
    m = radius.size
    fill_row(rows, first, point)
    square = squared_length(point)
    largest = (radius[first] + _largest(radius)) ** 2 * (1.0 + _ROUNDING)
    for at in range(1, draw.size - 1, 2):
        i = int(draw[at] * m)
        if draw[at + 1] * largest < squared_from(rows, i, point, square):
            return i
    apart = np.empty(m)
    fill_squared_from(rows, point, apart)
    total = 0.0
    for square in apart:
        total += square
    reached = draw[draw.size - 1] * total
    last = -1
    for i in range(m):
        if apart[i] > 0.0:
            last = i
            reached -= apart[i]
            if reached < 0.0:
                break
    return last


@njit
def _list_due(low: int, high: int, centred: Centred, parting: Parting, move: Move, due: IntArray) -> int:
    """List the rows of a range that planes may have passed, and return how many there are. O(rows)."""
    n_due = 0
    for i in range(low, high):
        due[n_due] = i
        n_due += parting.slack[i] <= centred.radius[i] * move.gone + move.least
    return n_due


@njit
def _part(centred: Centred, parting: Parting, move: Move) -> int:
    """Find the side of every row that planes may have passed; return how many rows moved. O(nnz of these rows)."""
    slack, side = parting.slack, parting.side
    plane = short_plane(centred, parting.normal)
    in_short = plane.whole.size > 0
    rounding = _ROUNDING * abs(move.bound)
    due, near = parting.due, parting.near
    n_moved = 0
    for low in range(0, side.size, _BLOCK):
        n_due = _list_due(low, min(low + _BLOCK, side.size), centred, parting, move, due)
        if in_short:
            fill_near(centred, due[:n_due], plane, near)
        for j in range(n_due):
            i = due[j]
            radius = centred.radius[i]
            beyond = near[j] * radius - move.bound
            apart = abs(beyond) - ((plane.error + _ROUNDING * plane.length) * radius + rounding)
            if apart <= 0.0 or not in_short or radius <= TINY:
                beyond = product(centred.rows, i, parting.normal) - move.bound
                apart = abs(beyond) - (_ROUNDING * plane.length * radius + rounding)
            slack[i] = radius * move.gone + move.least + apart
            parting.moved[n_moved] = i
            has_moved = (beyond > 0.0) != side[i]
            side[i] = beyond > 0.0
            n_moved += has_moved
    return n_moved


@njit
def _take_first_side(centred: Centred, parting: Parting, total: FloatArray) -> int:
    """Let a sum be that of all rows, and those of the first side the ones that moved; return how many. O(m + d)."""
    for k in range(total.size):
        total[k] = centred.mean[k] * parting.side.size
    n_moved = 0
    for i in range(parting.side.size):
        parting.moved[n_moved] = i
        n_moved += not parting.side[i]
    return n_moved


@njit
def two_means(rows: Rows, centred: Centred, draw: FloatArray, most: int) -> tuple[BoolArray, float, int]:
    """Split rows into those nearer to one mean than to the other, starting from two of them.

    ``draw`` has numbers from 0 to 1, that of the first row and those of the second: see `_draw_second`. Returns the
    side of each row, the scatter between the sides, -1 if one is empty, and the rounds made, at most ``most``. Equal
    rows are on one side. O((nnz + d) rounds), and less where few rows are near the plane between the means.
    """
    m, d = rows.start.size - 1, rows.n_columns
    point = np.empty(d)
    first = int(draw[0] * m)
    second = _draw_second(rows, centred.radius, first, draw, point)
    parting = Parting(
        normal=np.zeros(d),
        slack=np.full(m, -1.0),
        side=np.zeros(m, dtype=np.bool_),
        moved=np.empty(m, dtype=np.int64),
        due=np.empty(min(m, _BLOCK), dtype=np.int64),
        near=np.zeros(min(m, _BLOCK)),
    )
    if second < 0:
        return parting.side, -1.0, 0
    add_row(centred.rows, second, 1.0, parting.normal)
    add_row(centred.rows, first, -1.0, parting.normal)
    bound = 0.5 * (product(centred.rows, second, parting.normal) + product(centred.rows, first, parting.normal))
    n_right = n_moved = _part(centred, parting, Move(bound, 0.0, 0.0))
    parting.slack[:] = -1.0  # the means are far from the rows they start from
    before = parting.side.copy()
    total = np.zeros(d)  # of the second side
    if 2 * n_right > m:  # the first side has fewer rows to add up
        n_moved = _take_first_side(centred, parting, total)
    gain = -1.0
    rounds = 0
    gone = least = from_mean = 0.0
    while 0 < n_right < m:
        add_rows(centred.rows, parting.moved[:n_moved], parting.side, True, total)
        before[:] = parting.side
        rounds += 1
        per_left, per_right = 1.0 / (m - n_right), 1.0 / n_right
        square = step = bound = beside = 0.0
        for k in range(d):
            b = total[k] * per_right
            a = (centred.mean[k] * m - total[k]) * per_left
            square += (b - a) * (b - a)
            step += (b - a - parting.normal[k]) ** 2
            bound += (b - a) * (0.5 * (a + b))
            beside += (b - a) * (0.5 * (a + b) - centred.mean[k])
            parting.normal[k] = b - a
        gain = square * n_right * (m - n_right) / m
        gone += np.sqrt(step) * (1.0 + _ROUNDING)
        least += abs(beside - from_mean) * (1.0 + _ROUNDING)
        from_mean = beside
        n_moved = _part(centred, parting, Move(bound, gone, least))
        for i in parting.moved[:n_moved]:
            n_right += 1 if parting.side[i] else -1
        if n_moved == 0 or rounds == most or n_right == 0 or n_right == m or stopped():
            break
    return before, gain, rounds


@njit
def _settle(rows: Rows, side: BoolArray, left: About, right: About, most: int) -> Split:
    """Move rows to the nearer mean until none moves, by distances from means added up anew. O((nnz + d) rounds).

    ``left`` and ``right`` are what is known about the sides to start from; both are empty if nothing is.
    """
    m = side.size
    rounds = 0
    while True:
        for s in range(2 if rounds or left.square.size < m else 0):
            about = about_side(rows, side, s == 1)
            left, right = (about, right) if s == 0 else (left, about)
        rounds += 1
        moved = np.empty(m, dtype=np.bool_)
        n_right = n_moved = 0
        for i in range(m):
            moved[i] = right.square[i] < left.square[i]
            n_right += moved[i]
            n_moved += moved[i] != side[i]
        if stopped() or rounds == most or n_right == 0 or n_right == m or n_moved == 0:
            break
        side = moved
    scatter, square = np.zeros(2), np.empty(m)
    ties = 0
    for i in range(m):
        square[i] = right.square[i] if side[i] else left.square[i]
        scatter[int(side[i])] += square[i]
        ties += left.square[i] == right.square[i]
    mean = np.empty((2, rows.n_columns))
    mean[0], mean[1] = left.mean, right.mean
    for s in range(2):
        if _rows_equal(rows, side, s == 1, np.empty(rows.n_columns)):
            scatter[s] = 0.0
    return Split(side, scatter, ties, rounds, mean, square)


@njit
def _largest(numbers: FloatArray) -> float:
    """Return the largest of some numbers. As NumPy's functions take seconds to compile, there is a loop."""
    largest = -np.inf
    for number in numbers:
        largest = max(largest, number)
    return largest


@njit
def _are_equal(side: BoolArray, other: BoolArray) -> bool:
    """Return whether two splits have the same two sides, whichever is the first."""
    for i in range(side.size):
        if (side[i] == other[i]) != (side[0] == other[0]):
            return False
    return True


@njit
def likely_best(gain: FloatArray) -> int:
    """Return the first of the splits with the most scatter between their sides, equal but for rounding."""
    least = _largest(gain) * (1.0 - _EQUAL)
    for t in range(gain.size):
        if gain[t] >= least:
            return t
    return 0


@njit
def settle_best(rows: Rows, side: BoolArray, gain: FloatArray, left: About, right: About, most: int) -> Split:
    """Settle the split with the most scatter between its sides, the first of equal ones; no rounds if rows are equal.

    Where the scatter is equal but for rounding, all splits that differ are settled, and the one with the least scatter
    within its sides is returned. ``left`` and ``right`` are what is known about the sides of the first of them, see
    `likely_best`; both are empty if nothing is.
    """
    nothing = About(np.empty(0), np.empty(0))
    best = Split(side[0], np.zeros(2), 0, 0, np.empty((2, 0)), np.empty(0))
    if _largest(gain) < 0.0:  # one side of every split is empty
        side, gain, left, right = side[:1].copy(), np.zeros(1), nothing, nothing
        if fill_far_from_first(rows, side[0]) == 0:
            return best
    kept = first = likely_best(gain)
    least = _largest(gain) * (1.0 - _EQUAL)
    for t in range(first, gain.size):
        if gain[t] < least or (t > first and _are_equal(side[t], side[kept])):
            continue
        found = _settle(rows, side[t], left if t == first else nothing, right if t == first else nothing, most)
        if t == first or found.scatter.sum() < best.scatter.sum():
            best, kept = found, t
    return best


@njit
def best_split(rows: Rows, draws: FloatArray, most: int) -> tuple[Split, int]:
    """Return the best of several splits, and the rounds of all: `two_means` by each row of draws, `settle_best`."""
    side = np.empty((draws.shape[0], rows.start.size - 1), dtype=np.bool_)
    gain = np.empty(draws.shape[0])
    total = 0
    nothing = About(np.empty(0), np.empty(0))
    centred = centre(rows, nothing, Room(np.empty(0), np.empty(0, dtype=np.int16)))
    for t in range(gain.size):
        side[t], gain[t], rounds = two_means(rows, centred, draws[t], most)
        total += rounds
    found = settle_best(rows, side, gain, nothing, nothing, most)
    return found, total + found.rounds


@njit
def fill_far_from_first(rows: Rows, far: BoolArray) -> int:
    """Mark the rows at more than half the largest squared distance from the first; return how many. O(nnz + d)."""
    first = np.empty(rows.n_columns)
    apart = np.empty(far.size)
    fill_row(rows, 0, first)
    fill_squared_from(rows, first, apart)
    half = 0.5 * _largest(apart)
    n_far = 0
    for i in range(far.size):
        far[i] = apart[i] > half
        n_far += far[i]
    return n_far


@njit
def _rows_equal(rows: Rows, side: BoolArray, wanted: bool, room: FloatArray) -> bool:
    """Return whether all rows on one side are equal. O(nnz + d), less if the first few differ."""
    first = -1
    length = 0.0
    for i in range(side.size):
        if side[i] != wanted:
            continue
        if first < 0:
            first = i
            fill_row(rows, i, room)
            length = squared_length(room)
        elif squared_from(rows, i, room, length) > 0.0:
            return False
    return True


@njit
def about_all(rows: Rows) -> tuple[About, float]:
    """Return what is known about rows from their mean, and their scatter, 0 if all are equal. O(nnz + d)."""
    side = np.zeros(rows.start.size - 1, dtype=np.bool_)
    about = about_side(rows, side, False)
    scatter = 0.0
    for i in range(side.size):
        scatter += about.square[i]
    is_one = _rows_equal(rows, side, False, np.empty(rows.n_columns))
    return about, 0.0 if is_one else scatter


@njit
def scatter_of_sides(rows: Rows, side: BoolArray) -> FloatArray:
    """Return the sum of squared distances from the mean on either side; 0 if all its rows are equal. O(nnz + d)."""
    mean = np.empty(rows.n_columns)
    scatter = np.zeros(2)
    for s in range(2):
        if _rows_equal(rows, side, s == 1, mean):
            continue
        fill_mean(rows, side, s == 1, mean)
        length = squared_length(mean)
        for i in range(side.size):
            if side[i] == (s == 1):
                scatter[s] += squared_from(rows, i, mean, length)
    return scatter
