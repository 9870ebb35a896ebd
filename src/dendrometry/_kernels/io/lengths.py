"""Heights from the lengths of branches, and the digits with which lengths were printed."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray

_POWERS = np.array([float(10**power) for power in range(23)])  # exact, as 5**22 < 2**53


class Digits(NamedTuple):
    """The most digits and the most decimal places of a number, and which numbers are left: they may have more."""

    digits: int
    places: int
    is_left: BoolArray


@njit
def longest_digits(size: FloatArray) -> Digits:
    """Return the most digits of a number in its shortest decimal form, and the most places after its point.

    A number has n places if 10**n times itself, rounded to a whole number below 2**50, gives it back; then it also does
    with more places, so that those of the numbers before are tried first. O(n). Relies on finite numbers from 0 on.
    """
    digits, places = 1, 0
    is_left = np.zeros(size.size, dtype=np.bool_)
    for i in range(size.size):
        value = size[i]
        at = places
        whole = np.rint(value * _POWERS[at])
        if whole >= 2.0**50 or whole / _POWERS[at] != value:
            at = 0
            whole = np.rint(value)
            while at < 22 and whole < 2.0**50 and whole / _POWERS[at] != value:
                at += 1
                whole = np.rint(value * _POWERS[at])
            is_left[i] = whole >= 2.0**50 or whole / _POWERS[at] != value
            if is_left[i]:
                continue
            places = max(places, at)
        while whole >= _POWERS[digits]:
            shorter = np.floor(whole / 10.0)
            if shorter * 10.0 == whole:
                whole = shorter
            else:
                digits += 1
    return Digits(digits, places, is_left)


class Fall(NamedTuple):
    """Minus the distance of each node from the root, rounded, what is beyond, and whether the node is a tip."""

    height: FloatArray
    beyond: FloatArray
    is_tip: BoolArray


@njit
def fall_from_root(parent: IntArray, length: FloatArray, fall: Fall) -> None:
    """Fill the columns of a fall (Knuth's sum of two numbers). O(n); needs children first, the root last."""
    height, beyond, is_tip = fall
    root = parent.size - 1
    height[root], beyond[root], is_tip[root] = 0.0, 0.0, True
    for v in range(parent.size - 2, -1, -1):
        p = parent[v]
        above = height[p]
        total = above - length[v]
        part = total - above
        height[v] = total
        beyond[v] = beyond[p] + ((above - (total - part)) - (length[v] + part))
        is_tip[v], is_tip[p] = True, False


class Spread(NamedTuple):
    """How the tips lie below the root.

    Whether all sums are finite, the height of the lowest tip, how far the highest is above it, the length of the
    longest path to any node, and whether all lengths are whole numbers.
    """

    is_finite: bool
    lowest: float
    apart: float
    longest: float
    is_whole: bool


@njit
def spread_of_tips(fall: Fall, length: FloatArray) -> Spread:
    """Return how far from the root the tips are. O(n)."""
    height, beyond, is_tip = fall
    lowest, highest, longest, is_whole = np.inf, -np.inf, 0.0, True
    for v in range(height.size):
        if not np.isfinite(height[v]):
            return Spread(False, 0.0, 0.0, 0.0, False)
        longest = max(longest, abs(height[v]))
        if is_tip[v]:
            lowest, highest = min(lowest, height[v]), max(highest, height[v])
        is_whole = is_whole and np.floor(length[v]) == length[v]
    if not np.isfinite(float(highest) - float(lowest)):
        return Spread(False, 0.0, 0.0, 0.0, False)
    least, most = np.inf, -np.inf
    for v in range(height.size):
        if is_tip[v]:
            apart = (height[v] - lowest) + beyond[v]
            least, most = min(least, apart), max(most, apart)
    return Spread(True, lowest, most - least, longest, is_whole)


@njit
def heights_from_tips(parent: IntArray, length: FloatArray, height: FloatArray) -> None:
    """Fill in the greatest distance from each node down to a tip. O(n); needs children first, the root last."""
    height[:] = -np.inf
    for v in range(parent.size):
        if height[v] == -np.inf:
            height[v] = 0.0
        p = parent[v]
        if p >= 0:
            height[p] = max(height[p], height[v] + length[v])


class Bounds(NamedTuple):
    """The least and greatest height of each node, and by how much the length above it may be off."""

    low: FloatArray
    high: FloatArray
    error: FloatArray


@njit
def height_bounds(parent: IntArray, length: FloatArray, error: FloatArray) -> Bounds:
    """Return the bounds of heights above tips at 0, if each length is off by at most its error.

    O(n); needs children first, the root last. Where ``low > high``, the tips cannot all be at 0.
    """
    low, high = np.full(parent.size, -np.inf), np.full(parent.size, np.inf)
    for v in range(parent.size):
        if low[v] == -np.inf:
            low[v], high[v] = 0.0, 0.0
        p = parent[v]
        if p >= 0:
            low[p] = max(low[p], low[v] + length[v] - error[v])
            high[p] = min(high[p], high[v] + length[v] + error[v])
    return Bounds(low, high, error)


@njit
def join_heights(
    parent: IntArray, length: FloatArray, height: FloatArray, order: IntArray, bounds: Bounds
) -> FloatArray:
    """Return heights that are equal where one value lies within the bounds of all, that of the most certain node.

    Nodes are taken in ascending order of height; a node whose length above a child is certain is not joined with it.
    O(n); needs ``order`` to sort the heights.
    """
    joined = height.copy()
    barred = np.full(parent.size, -1, dtype=np.int64)  # the group of a child that is certainly lower
    start, low, high = 0, -np.inf, np.inf
    for at in range(order.size + 1):
        v = order[at] if at < order.size else -1
        if v < 0 or barred[v] == start or max(low, bounds.low[v]) > min(high, bounds.high[v]):
            best = order[start]
            for i in range(start, at):
                u = order[i]
                if bounds.high[u] - bounds.low[u] < bounds.high[best] - bounds.low[best]:
                    best = u
            for i in range(start, at):
                joined[order[i]] = height[best]
            start, low, high = at, -np.inf, np.inf
        if v >= 0:
            low, high = max(low, bounds.low[v]), min(high, bounds.high[v])
            if parent[v] >= 0 and length[v] > bounds.error[v]:
                barred[parent[v]] = max(barred[parent[v]], start)
    return joined
