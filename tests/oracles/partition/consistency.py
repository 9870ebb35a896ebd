"""The element-centric similarity of each item, on average over all pairs of clusterings."""

from fractions import Fraction
from itertools import combinations, permutations


def item_similarity(a: list, b: list, i: int) -> Fraction:
    """Of a random step from an item to a companion, in each clustering, what is common (Gates et al. 2019)."""
    in_a = {j for j in range(len(a)) if a[j] == a[i]}
    in_b = {j for j in range(len(b)) if b[j] == b[i]}
    return sum(
        (min(Fraction(j in in_a, len(in_a)), Fraction(j in in_b, len(in_b))) for j in range(len(a))), Fraction(0)
    )


def consistency(levels: list[list]) -> list[Fraction]:
    pairs = list(combinations(levels, 2))
    return [sum(item_similarity(a, b, i) for a, b in pairs) / len(pairs) for i in range(len(levels[0]))]


def expected(levels: list[list]) -> Fraction:
    """The mean over the items and over all relabellings of one clustering of each pair."""
    n, pairs = len(levels[0]), list(combinations(levels, 2))
    each = [
        sum(item_similarity(a, list(b), i) for i in range(n)) / n for a, second in pairs for b in permutations(second)
    ]
    return sum(each) / len(each)
