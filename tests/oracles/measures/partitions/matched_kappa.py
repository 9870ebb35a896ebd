"""Cohen's kappa of two partitions, over all one-to-one matchings of clusters that keep the most items."""

from fractions import Fraction
from itertools import permutations

from tests.oracles.sets.partitions import Labels, clusters


def matched_kappa(a: Labels, b: Labels) -> Fraction:
    few, many = sorted((clusters(a), clusters(b)), key=len)
    matchings = [[(x, y) for x, y in zip(few, order, strict=True) if x & y] for order in permutations(many, len(few))]
    most = max(shared(matching) for matching in matchings)
    return max(kappa(matching, len(a)) for matching in matchings if shared(matching) == most)


def shared(matching) -> int:
    return sum(len(x & y) for x, y in matching)


def kappa(matching, n: int) -> Fraction:
    """Matched clusters are one category, all others categories of their own, which agree nowhere."""
    observed = Fraction(shared(matching), n)
    chance = sum(Fraction(len(x) * len(y), n * n) for x, y in matching)
    return (observed - chance) / (1 - chance) if chance < 1 else Fraction(1)
