"""Partitions as labels and as sets of items: all there are, their clusters, overlaps, pairs and entropies."""

import math
from collections.abc import Sequence
from itertools import combinations

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


def independent(a: Labels, b: Labels) -> bool:
    return all(len(x & y) * len(a) == len(x) * len(y) for x in clusters(a) for y in clusters(b))


def entropy(groups: list[Cluster]) -> float:
    n = sum(map(len, groups))
    return math.fsum(-len(x) / n * math.log(len(x) / n) for x in groups)
