"""Score: the value of one measure, with its expectation by chance."""

from __future__ import annotations

import math
from typing import NamedTuple


class Score(NamedTuple):
    """A value, its mean over all relabellings of the items, and the value adjusted for chance.

    ``expected`` is None if no formula is known, ``adjusted`` also if every relabelling gives the same value. For a
    measure that is a root, ``expected`` is the root of the mean of its square, and the square is adjusted.
    """

    value: float
    expected: float | None = None
    adjusted: float | None = None


def adjust(value: float, expected: float, best: float) -> float | None:
    """Return (value - expected) / (best - expected): 1 at best, 0 as expected by chance; None if these are equal."""
    if expected == best:
        return None
    return (value - expected) / (best - expected) + 0.0


def f_score(both: int, in_a: int, in_b: int, n_items: int) -> Score:
    """Return 2T / (P + Q) with its expectation, from counts of ordered pairs of n items."""
    value = 2 * both / (in_a + in_b)
    expected = 2 * in_a * in_b / (n_items * (n_items - 1) * (in_a + in_b))
    return Score(value, expected, adjust(value, expected, 1.0))


def root_score(square: float, expected: float) -> Score:
    """Return a distance that is the root of a sum of squares, from this sum and its mean over all relabellings."""
    return Score(math.sqrt(square), math.sqrt(expected), adjust(square, expected, 0.0))
