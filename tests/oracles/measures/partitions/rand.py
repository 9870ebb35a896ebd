"""The Rand index: pairs on which two partitions agree."""

from fractions import Fraction
from itertools import combinations

from tests.oracles.sets.partitions import Labels


def rand(a: Labels, b: Labels) -> Fraction:
    pairs = list(combinations(range(len(a)), 2))
    agreed = sum((a[i] == a[j]) == (b[i] == b[j]) for i, j in pairs)
    return Fraction(agreed, len(pairs)) if pairs else Fraction(1)
