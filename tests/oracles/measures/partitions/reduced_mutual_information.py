"""Lengths of descriptions, factor by factor; the concentration by golden section over its logarithm, as published."""

import math

from tests.oracles.sets.partitions import Labels, clusters, overlaps


def reduced_mutual_information(a: Labels, b: Labels) -> float:
    n, of_a, of_b, both = len(a), *([*map(len, groups)] for groups in (clusters(a), clusters(b), overlaps(a, b)))
    k = len(of_a)

    def sizes(c: float) -> float:
        return log_choices(n, k * c) - math.fsum(log_choices(s, c) for s in of_a)

    def table(c: float) -> float:
        return math.fsum(log_choices(t, k * c) for t in of_b) - math.fsum(log_choices(m, c) for m in both)

    alone = least(sizes) + log_factorial(n) - math.fsum(map(log_factorial, of_a))
    known = least(table) + math.fsum(map(log_factorial, of_b)) - math.fsum(map(log_factorial, both))
    return (alone - known) / n


def log_choices(m: int, c: float) -> float:
    """The logarithm of c (c + 1) ... (c + m - 1) / m!."""
    return math.fsum(math.log((c + i) / (i + 1)) for i in range(m))


def log_factorial(m: int) -> float:
    return math.log(math.factorial(m))


def least(length, low: float = math.log(1e-4), high: float = math.log(1e4)) -> float:
    """The least length, found to 1e-5 in the logarithm of the concentration."""
    share = 2 - (1 + math.sqrt(5)) / 2

    def inner() -> tuple[float, float]:
        return low + share * (high - low), high - share * (high - low)

    while abs(inner()[0] - inner()[1]) > 1e-5:
        left, right = inner()
        if length(math.exp(left)) < length(math.exp(right)):
            high = right
        else:
            low = left
    return length(math.exp((low + high) / 2))
