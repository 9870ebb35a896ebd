"""Two-means with triplets: votes as a sparse symmetric matrix, sides as signs."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Votes(NamedTuple):
    """The votes for two items on one side: those of i are ``weight[start[i]:start[i + 1]]``, for ``other``."""

    start: IntArray
    other: IntArray
    weight: FloatArray


@njit
def votes_of(triplet: IntArray, n: int) -> Votes:
    """Return the votes of triplets of n items: 17/32 for x with y, -1/32 for z with each of them. O(n + triplets).

    With sides 1 and -1 the sum of vote times both sides, over pairs, less 15/32, is then 1/8 for a triplet that a split
    satisfies, -1 for one that it breaks, and 0 for one that stays together.
    """
    start = np.zeros(n + 1, dtype=np.int64)
    for t in range(triplet.shape[0]):
        for k in range(3):
            start[triplet[t, k] + 1] += 2
    for i in range(n):
        start[i + 1] += start[i]
    free = start[:-1].copy()
    other = np.empty(start[n], dtype=np.int64)
    weight = np.empty(start[n])
    for t in range(triplet.shape[0]):
        for k in range(3):
            i = triplet[t, k]
            for step in range(1, 3):
                j = (k + step) % 3
                other[free[i]] = triplet[t, j]
                weight[free[i]] = 0.53125 if k + j == 1 else -0.03125
                free[i] += 1
    return Votes(start, other, weight)


@njit
def leading_direction(votes: Votes, vector: FloatArray, rounds: int) -> FloatArray:
    """Return the direction in which the votes agree most, by power iteration from a given vector.

    Votes are divided by the root of what either item has in all, so that no item that is spoken of often stands out;
    the identity is added, so that the greatest eigenvalue is also the largest. Items without votes get 0.
    O(rounds * votes).
    """
    n = vector.size
    scale = np.zeros(n)
    for i in range(n):
        for k in range(votes.start[i], votes.start[i + 1]):
            scale[i] += abs(votes.weight[k])
    for i in range(n):
        scale[i] = 1.0 / np.sqrt(scale[i]) if scale[i] > 0.0 else 0.0
    now, then = vector * (scale > 0.0), np.empty(n)
    for _ in range(rounds):
        if stopped():
            break
        length = 0.0
        for i in range(n):
            total = now[i]
            for k in range(votes.start[i], votes.start[i + 1]):
                j = votes.other[k]
                total += votes.weight[k] * scale[i] * scale[j] * now[j]
            then[i] = total
            length += total * total
        now = then / np.sqrt(length)
    return now


@njit
def _means(points: FloatArray, side: BoolArray) -> tuple[FloatArray, IntArray]:
    """Return the means and sizes of both sides."""
    mean, size = np.zeros((2, points.shape[1])), np.zeros(2, dtype=np.int64)
    for i in range(side.size):
        s = int(side[i])
        size[s] += 1
        for j in range(points.shape[1]):
            mean[s, j] += points[i, j]
    for s in range(2):
        for j in range(points.shape[1]):
            mean[s, j] /= max(size[s], 1)
    return mean, size


@njit
def _apart(points: FloatArray, i: int, mean: FloatArray, s: int) -> float:
    """Return the squared distance of a point from the mean of a side."""
    total = 0.0
    for j in range(points.shape[1]):
        gap = points[i, j] - mean[s, j]
        total += gap * gap
    return total


@njit
def _fields(votes: Votes, side: BoolArray) -> FloatArray:
    """Return, for each item, the votes for being on its side minus those against."""
    field = np.zeros(side.size)
    for i in range(side.size):
        for k in range(votes.start[i], votes.start[i + 1]):
            same = side[i] == side[votes.other[k]]
            field[i] += votes.weight[k] if same else -votes.weight[k]
    return field


@njit
def _cross(i: int, votes: Votes, side: BoolArray, field: FloatArray) -> None:
    """Move an item to the other side, and update the items that share votes with it."""
    side[i] = not side[i]
    field[i] = -field[i]
    for k in range(votes.start[i], votes.start[i + 1]):
        j = votes.other[k]
        field[j] += 2.0 * votes.weight[k] if side[i] == side[j] else -2.0 * votes.weight[k]


@njit
def settle(points: FloatArray, votes: Votes, side: BoolArray, price: float, rounds: int) -> float:
    """Move items, in place, until none lowers the cost; return it: the scatter about two means less ``price`` x votes.

    In a round every item in turn goes to the side that costs less, with the means as they were; then the means move.
    Either lowers the cost, so rounds end. The last item of a side stays. O(rounds * (n d + votes)).
    """
    field = _fields(votes, side)
    mean, size = _means(points, side)
    for _ in range(rounds):
        moved = 0
        for i in range(side.size):
            s = int(side[i])
            gain = _apart(points, i, mean, s) - _apart(points, i, mean, 1 - s) - 2.0 * price * field[i]
            if gain > 0.0 and size[s] > 1:
                _cross(i, votes, side, field)
                size[s] -= 1
                size[1 - s] += 1
                moved += 1
        mean, size = _means(points, side)
        if moved == 0 or stopped():
            break
    held = 0.0
    for i in range(side.size):
        held += field[i]
    cost = -0.5 * price * held
    for i in range(side.size):
        cost += _apart(points, i, mean, int(side[i]))
    return cost
