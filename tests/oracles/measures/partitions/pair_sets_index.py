"""The shares of matched clusters in the larger of both, over all one-to-one matchings with empty clusters added."""

from fractions import Fraction
from itertools import permutations

from tests.oracles.sets.partitions import Labels, clusters


def pair_sets_index(a: Labels, b: Labels) -> Fraction:
    first, second = clusters(a), clusters(b)
    k = max(len(first), len(second))
    if k == 1:
        return Fraction(1)
    first, second = ([*groups, *[frozenset()] * (k - len(groups))] for groups in (first, second))
    best = max(sum(share(x, y) for x, y in zip(first, order, strict=True)) for order in permutations(second))
    sizes = (sorted(map(len, groups)) for groups in (first, second))
    by_chance = sum(Fraction(s * t, max(s, t) * len(a)) for s, t in zip(*sizes, strict=True) if s and t)
    return max((best - by_chance) / (k - by_chance), Fraction(0))


def share(x, y) -> Fraction:
    return Fraction(len(x & y), max(len(x), len(y), 1))
