"""The share of the pairs of one partition kept in the other, beyond chance."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels, pair_counts, same


def adjusted_wallace_ba(a: Labels, b: Labels) -> Fraction:
    p, q, t, n = pair_counts(a, b)
    if same(a, b):
        return Fraction(1)
    if q == 0 or p == n:
        return Fraction(0)
    chance = Fraction(p, n)
    return (Fraction(t, q) - chance) / (1 - chance)
