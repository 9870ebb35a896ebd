"""The Rand index beyond what relabelling gives."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels, pair_counts, same


def adjusted_rand(a: Labels, b: Labels) -> Fraction:
    p, q, t, n = pair_counts(a, b)
    if same(a, b):
        return Fraction(1)
    expected = Fraction(p * q, n)
    return (t - expected) / (Fraction(p + q, 2) - expected)
