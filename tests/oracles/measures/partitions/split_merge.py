"""The split-merge similarity: every overlap with the scores of its two clusters."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.oracles.sets.partitions import Cluster, Labels, clusters, entropy


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


def squared_error_of_pairs(items: Cluster, distances: Sequence[Sequence[int]]) -> Fraction:
    """The sum over the pairs of items of their squared distance, divided by the number of items."""
    pairs = [(i, j) for i in items for j in items if i < j]
    return Fraction(sum(distances[i][j] ** 2 for i, j in pairs), len(items))


def mse_score_of_distances(distances: Sequence[Sequence[int]]) -> Callable[[Cluster, list[Cluster]], Fraction]:
    def score(cluster: Cluster, parts: list[Cluster]) -> Fraction:
        if len(cluster) == 1:
            return Fraction(1)
        whole = squared_error_of_pairs(cluster, distances)
        if whole == 0:
            return Fraction(len(cluster) - len(parts), len(cluster) - 1)
        return min(Fraction(1), sum(squared_error_of_pairs(part, distances) for part in parts) / whole)

    return score


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
