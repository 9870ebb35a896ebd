"""The mean hierarchical mutual information of two trees, from the sizes of their clusters at each depth."""

import math

import numpy as np
from scipy.stats import hypergeom


def mean_sum(n: int, sizes_a: list[int], sizes_b: list[int]) -> float:
    """The mean of the sum of m log m over the overlaps of random clusters of these sizes."""
    pairs = [(s, t) for s in sizes_a for t in sizes_b]
    return math.fsum(mean_term(n, s, t) for s, t in pairs)


def mean_term(n: int, s: int, t: int) -> float:
    """The mean of m log m over the overlap m of two random clusters."""
    m = np.arange(max(0, s + t - n), min(s, t) + 1)
    return float(hypergeom(n, s, t).pmf(m) @ (m * np.log(np.maximum(m, 1))))


def expected_information(n: int, depths_a: list[list[int]], depths_b: list[list[int]]) -> float:
    """What the clusters at each depth say about each other, given those one step above, on average."""
    total = 0.0
    for up in range(min(len(depths_a), len(depths_b)) - 1):
        a, below_a, b, below_b = depths_a[up], depths_a[up + 1], depths_b[up], depths_b[up + 1]
        total += mean_sum(n, a, b) + mean_sum(n, below_a, below_b) - mean_sum(n, a, below_b) - mean_sum(n, below_a, b)
    return total / n
