"""Affinities of items to items, by personalised PageRank on the graph of each partition."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels

DAMPING = Fraction(9, 10)


def affinity(labels: Labels, i: int, j: int) -> Fraction:
    """The share of the time that a walker from i, who starts anew now and then, spends at j."""
    with_i = sum(label == labels[i] for label in labels)
    return (1 - DAMPING) * (i == j) + (DAMPING / with_i if labels[i] == labels[j] else 0)


def element_centric(a: Labels, b: Labels) -> Fraction:
    n = len(a)
    apart = sum(abs(affinity(a, i, j) - affinity(b, i, j)) for i in range(n) for j in range(n))
    return 1 - apart / (2 * DAMPING * n)
