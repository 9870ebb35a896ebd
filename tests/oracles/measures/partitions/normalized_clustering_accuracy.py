"""The mean share of a cluster of a in its match, over all one-to-one matchings with empty clusters added."""

from fractions import Fraction
from itertools import permutations

from tests.oracles.sets.partitions import Labels, clusters, same


def normalized_clustering_accuracy(a: Labels, b: Labels) -> Fraction:
    true, found = clusters(a), clusters(b)
    if len(true) == 1:
        return Fraction(same(a, b))
    found += [frozenset()] * (len(true) - len(found))
    return max(
        sum(beyond_even_spread(x, y, len(true)) for x, y in zip(true, order, strict=True)) / len(true)
        for order in permutations(found, len(true))
    )


def beyond_even_spread(x, y, k: int) -> Fraction:
    even = Fraction(len(x), k)
    return (len(x & y) - even) / (len(x) - even)
