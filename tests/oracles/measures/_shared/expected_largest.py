"""The mean largest overlap of a random cluster with a class, by counting all clusters, in whole numbers."""

from fractions import Fraction
from math import comb


def ways(classes: list[int], t: int, most: int) -> int:
    """The number of clusters of t items with at most ``most`` of each class, one class after the other."""
    found = [1] + [0] * t
    for s in classes:
        found = [sum(comb(s, x) * found[held - x] for x in range(min(s, held, most) + 1)) for held in range(t + 1)]
    return found[t]


def expected_largest(classes: list[int], clusters: list[int]) -> Fraction:
    """The sum over the clusters of their mean largest overlap with a class."""
    mean = Fraction(0)
    for t in clusters:
        among = comb(sum(classes), t)
        mean += sum(1 - Fraction(ways(classes, t, m), among) for m in range(t))
    return mean
