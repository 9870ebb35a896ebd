"""Pearson's correlation of two columns: whether each pair of items is together in a, and in b."""

import math
from itertools import combinations

from tests.oracles.sets.partitions import Labels, same


def pair_correlation(a: Labels, b: Labels) -> float:
    if same(a, b):
        return 1.0
    pairs = list(combinations(range(len(a)), 2))
    x, y = ([labels[i] == labels[j] for i, j in pairs] for labels in (a, b))
    mean_x, mean_y = sum(x) / len(pairs), sum(y) / len(pairs)
    square = math.fsum((u - mean_x) ** 2 for u in x) * math.fsum((v - mean_y) ** 2 for v in y)
    if len(set(x)) == 1 or len(set(y)) == 1:  # no pair differs from the others
        return 0.0
    return math.fsum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True)) / math.sqrt(square)
