"""Measures of two partitions as they are defined: sets of items, loops over pairs, exact fractions."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Labels = Sequence[int]
Cluster = frozenset[int]


def partitions(n: int) -> list[tuple[int, ...]]:
    """Every partition of n items, as labels counted from 0 in the order of their first item."""
    found = [(0,)]
    for _ in range(n - 1):
        found = [(*labels, new) for labels in found for new in range(max(labels) + 2)]
    return found


def clusters(labels: Labels) -> list[Cluster]:
    """The clusters in the order of their labels."""
    return [frozenset(i for i, x in enumerate(labels) if x == label) for label in sorted(set(labels))]


def overlaps(a: Labels, b: Labels) -> list[Cluster]:
    """The clusters of the meet."""
    return [x & y for x in clusters(a) for y in clusters(b) if x & y]


def join(a: Labels, b: Labels) -> list[Cluster]:
    """The clusters of the join: overlapping clusters put together until nothing overlaps."""
    groups: list[Cluster] = []
    for cluster in clusters(a) + clusters(b):
        hit = [group for group in groups if group & cluster]
        groups = [group for group in groups if not group & cluster] + [frozenset().union(cluster, *hit)]
    return sorted(groups, key=min)


def restricted(labels: Labels, items: Cluster) -> list[int]:
    """The labels of some of the items."""
    return [labels[i] for i in sorted(items)]


def same(a: Labels, b: Labels) -> bool:
    return set(clusters(a)) == set(clusters(b))


def pair_counts(a: Labels, b: Labels) -> tuple[int, int, int, int]:
    """Pairs together in a, in b, in both, and all."""
    pairs = list(combinations(range(len(a)), 2))
    in_a = [a[i] == a[j] for i, j in pairs]
    in_b = [b[i] == b[j] for i, j in pairs]
    return sum(in_a), sum(in_b), sum(x and y for x, y in zip(in_a, in_b, strict=True)), len(pairs)


def rand(a: Labels, b: Labels) -> Fraction:
    pairs = list(combinations(range(len(a)), 2))
    agreed = sum((a[i] == a[j]) == (b[i] == b[j]) for i, j in pairs)
    return Fraction(agreed, len(pairs)) if pairs else Fraction(1)


def adjusted_rand(a: Labels, b: Labels) -> Fraction:
    p, q, t, n = pair_counts(a, b)
    if same(a, b):
        return Fraction(1)
    expected = Fraction(p * q, n)
    return (t - expected) / (Fraction(p + q, 2) - expected)


def fowlkes_mallows(a: Labels, b: Labels) -> float:
    p, q, t, _ = pair_counts(a, b)
    if same(a, b):
        return 1.0
    return math.sqrt(Fraction(t * t, p * q)) if p * q else 0.0


def van_dongen(a: Labels, b: Labels) -> Fraction:
    best_a = sum(max(len(x & y) for y in clusters(b)) for x in clusters(a))
    best_b = sum(max(len(x & y) for x in clusters(a)) for y in clusters(b))
    return Fraction(best_a + best_b, 2 * len(a))


def classification_accuracy(a: Labels, b: Labels) -> Fraction:
    few, many = sorted((clusters(a), clusters(b)), key=len)
    best = max(sum(len(x & y) for x, y in zip(few, order, strict=True)) for order in permutations(many, len(few)))
    return Fraction(best, len(a))


def entropy(groups: list[Cluster]) -> float:
    n = sum(map(len, groups))
    return math.fsum(-len(x) / n * math.log(len(x) / n) for x in groups)


def mutual_information(a: Labels, b: Labels) -> float:
    return entropy(clusters(a)) + entropy(clusters(b)) - entropy(overlaps(a, b))


def independent(a: Labels, b: Labels) -> bool:
    return all(len(x & y) * len(a) == len(x) * len(y) for x in clusters(a) for y in clusters(b))


def normalized_mutual_information(a: Labels, b: Labels) -> float:
    if same(a, b):
        return 1.0
    return mutual_information(a, b) / max(entropy(clusters(a)), entropy(clusters(b)))


def variation_of_information(a: Labels, b: Labels) -> float:
    return 2 * entropy(overlaps(a, b)) - entropy(clusters(a)) - entropy(clusters(b))


def variation_similarity(a: Labels, b: Labels) -> float:
    return 1 - variation_of_information(a, b) / math.log(len(a)) if len(a) > 1 else 1.0


def bounded_variation_similarity(a: Labels, b: Labels, k: int) -> float:
    return 1 - variation_of_information(a, b) / (2 * math.log(k)) if k > 1 else 1.0


def entropy_score(cluster: Cluster, parts: list[Cluster]) -> float:
    return 1 - entropy(parts) / math.log(len(cluster)) if len(cluster) > 1 else 1.0


def max_overlap_score(cluster: Cluster, parts: list[Cluster]) -> Fraction:
    return Fraction(max(map(len, parts)), len(cluster))


def squared_error(items: Cluster, features: Sequence[Sequence[int]]) -> Fraction:
    """Around the mean, exactly."""
    total = Fraction(0)
    for column in zip(*(features[i] for i in sorted(items)), strict=True):
        mean = Fraction(sum(column), len(items))
        total += sum((x - mean) ** 2 for x in column)
    return total


def mse_score(features: Sequence[Sequence[int]]) -> Callable[[Cluster, list[Cluster]], Fraction]:
    def score(cluster: Cluster, parts: list[Cluster]) -> Fraction:
        if len(cluster) == 1:
            return Fraction(1)
        whole = squared_error(cluster, features)
        if whole == 0:
            return Fraction(len(cluster) - len(parts), len(cluster) - 1)
        return sum(squared_error(part, features) for part in parts) / whole

    return score


def split_merge(a: Labels, b: Labels, score=entropy_score, combine: str = "product"):
    """The sum over overlaps of their share of the items times the combined score of both clusters."""
    total = Fraction(0)
    for x in clusters(a):
        split = score(x, [x & y for y in clusters(b) if x & y])
        for y in clusters(b):
            merge = score(y, [z & y for z in clusters(a) if z & y])
            both = split * merge if combine == "product" else (split + merge) / 2
            total += Fraction(len(x & y), len(a)) * both
    return total
