"""The Fowlkes-Mallows index: pairs together in both, over the geometric mean."""

import math
from fractions import Fraction

from tests.oracles.sets.partitions import Labels, pair_counts, same


def fowlkes_mallows(a: Labels, b: Labels) -> float:
    p, q, t, _ = pair_counts(a, b)
    if same(a, b):
        return 1.0
    return math.sqrt(Fraction(t * t, p * q)) if p * q else 0.0
