"""The F-score of two relations between items, one ordered pair at a time."""

from collections.abc import Callable
from fractions import Fraction


def f_score(related_a: Callable[[int, int], bool], related_b: Callable[[int, int], bool], n: int) -> Fraction | None:
    true = false = missed = 0
    for i in range(n):
        for j in range(n):
            if i != j:
                g, m = related_a(i, j), related_b(i, j)
                true += g and m
                false += m and not g
                missed += g and not m
    whole = 2 * true + false + missed
    return Fraction(2 * true, whole) if whole else None
