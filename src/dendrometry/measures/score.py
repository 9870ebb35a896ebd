"""Score: the value of one measure, with what chance would give."""

from typing import NamedTuple

__all__ = ["Score", "adjusted", "f_score"]


class Score(NamedTuple):
    """A value, its mean over all relabellings of the items, and the value adjusted for chance.

    ``expected`` is None where no formula is known, ``adjusted`` also where every relabelling gives the same value.
    """

    value: float
    expected: float | None = None
    adjusted: float | None = None


def adjusted(value: float, expected: float, best: float) -> float | None:
    """Return (value - expected) / (best - expected): 1 at best, 0 as by chance; None where chance is always best."""
    if expected == best:
        return None
    return (value - expected) / (best - expected) + 0.0


def f_score(both: int, in_a: int, in_b: int, n_items: int) -> Score:
    """Return 2T / (P + Q) with its expectation, from counts of ordered pairs of n items."""
    value = 2 * both / (in_a + in_b)
    expected = 2 * in_a * in_b / (n_items * (n_items - 1) * (in_a + in_b))
    return Score(value, expected, adjusted(value, expected, 1.0))
