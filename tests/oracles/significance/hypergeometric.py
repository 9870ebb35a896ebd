"""The chance of an overlap at least as large, counted over all draws; and Holm's adjustment, one test at a time."""

from fractions import Fraction
from math import comb


def upper_tail(k, drawn, marked, n):
    """Return the share of all draws with at least k marked items."""
    ways = sum(comb(marked, i) * comb(n - marked, drawn - i) for i in range(k, min(drawn, marked) + 1) if drawn >= i)
    return Fraction(ways, comb(n, drawn))


def holm(p):
    """Return the least level at which each is rejected: the smallest of those left is compared with level / left."""
    adjusted, left, level = [0] * len(p), set(range(len(p))), 0
    while left:
        i = min(left, key=lambda i: p[i])
        level = max(level, p[i] * len(left))
        adjusted[i] = min(1, level)
        left.remove(i)
    return adjusted
