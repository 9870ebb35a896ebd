"""The pairs together in both over those together in either."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels, pair_counts


def jaccard(a: Labels, b: Labels) -> Fraction:
    p, q, t, _ = pair_counts(a, b)
    return Fraction(t, p + q - t) if p + q else Fraction(1)
