"""Van Dongen's similarity: each cluster with its largest overlap."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels, clusters


def van_dongen(a: Labels, b: Labels) -> Fraction:
    best_a = sum(max(len(x & y) for y in clusters(b)) for x in clusters(a))
    best_b = sum(max(len(x & y) for x in clusters(a)) for y in clusters(b))
    return Fraction(best_a + best_b, 2 * len(a))
