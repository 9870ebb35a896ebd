"""The items on the best one-to-one matching of clusters, of all matchings."""

from fractions import Fraction
from itertools import permutations

from tests.oracles.sets.partitions import Labels, clusters


def classification_accuracy(a: Labels, b: Labels) -> Fraction:
    few, many = sorted((clusters(a), clusters(b)), key=len)
    best = max(sum(len(x & y) for x, y in zip(few, order, strict=True)) for order in permutations(many, len(few)))
    return Fraction(best, len(a))
