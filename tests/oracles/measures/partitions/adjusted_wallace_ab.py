"""The share of the pairs of one partition kept in the other, beyond chance."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels, pair_counts, same


def adjusted_wallace_ab(a: Labels, b: Labels) -> Fraction:
    p, q, t, n = pair_counts(a, b)
    if same(a, b):
        return Fraction(1)
    if p == 0 or q == n:
        return Fraction(0)
    chance = Fraction(q, n)
    return (Fraction(t, p) - chance) / (1 - chance)
