"""Every cluster of the second partition counts its most frequent class."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels, clusters


def purity(a: Labels, b: Labels) -> Fraction:
    return Fraction(sum(max(len(x & y) for x in clusters(a)) for y in clusters(b)), len(a))
