"""Measures that count pairs of items: together in both partitions, in one, or in none."""

import math
from typing import NamedTuple

from numpy.typing import ArrayLike

from dendrometry._exact import inside, pairs_within
from dendrometry.contingency import Contingency, as_contingency

__all__ = [
    "PairCounts",
    "adjusted_rand",
    "adjusted_rand_of",
    "fowlkes_mallows",
    "fowlkes_mallows_of",
    "pair_counts",
    "rand",
    "rand_of",
]


class PairCounts(NamedTuple):
    """Pairs of items that lie together: in a, in b, in both; and all pairs. Python integers, exact at any size."""

    in_a: int
    in_b: int
    in_both: int
    all: int


def pair_counts(table: Contingency) -> PairCounts:
    """Return the numbers of pairs together in a, in b, in both, and of all pairs."""
    n = table.n_items
    in_a, in_b, in_both = (pairs_within(sizes, n) for sizes in (table.sizes_a, table.sizes_b, table.count))
    return PairCounts(in_a, in_b, in_both, n * (n - 1) // 2)


def rand_of(pairs: PairCounts) -> float:
    """Return the Rand index of pair counts."""
    agreed = pairs.all - pairs.in_a - pairs.in_b + 2 * pairs.in_both
    if agreed == pairs.all:
        return 1.0
    return inside(agreed / pairs.all) if agreed else 0.0


def adjusted_rand_of(pairs: PairCounts) -> float:
    """Return the adjusted Rand index of pair counts."""
    if pairs.in_a == pairs.in_b == pairs.in_both:
        return 1.0
    expected = pairs.in_a * pairs.in_b
    above = 2 * (pairs.in_both * pairs.all - expected)
    return min(above / ((pairs.in_a + pairs.in_b) * pairs.all - 2 * expected), inside(1.0))


def fowlkes_mallows_of(pairs: PairCounts) -> float:
    """Return the Fowlkes-Mallows index of pair counts."""
    if pairs.in_a == pairs.in_b == pairs.in_both:
        return 1.0
    return inside(pairs.in_both / math.sqrt(pairs.in_a * pairs.in_b)) if pairs.in_both else 0.0


def rand(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Rand index: the fraction of pairs of items on which two partitions agree.

    With T pairs together in both, P in a, Q in b and N pairs in all, (N - P - Q + 2 T) / N.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (one cluster against all singletons) to 1 (the same partition). Higher is more alike. Near 1
        for any two partitions into many clusters: see `adjusted_rand`.

    Notes
    -----
    Exact integers up to one division. A single item: 1. O(n). ``1 - rand`` is a metric.

    References
    ----------
    .. [1] W. M. Rand, "Objective criteria for the evaluation of clustering methods", JASA 66 (1971) 846-850.

    Examples
    --------
    >>> from dendrometry import rand
    >>> rand([0, 0, 1, 1], [0, 0, 1, 2])
    0.8333333333333334
    """
    return rand_of(pair_counts(as_contingency(a, b)))


def adjusted_rand(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Rand index adjusted for chance: agreement on pairs beyond what random relabelling of the items gives.

    With pair counts as in `rand`, (T - PQ/N) / ((P + Q)/2 - PQ/N).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        1 for the same partition, 0 on average for unrelated ones, below 0 for less than chance; never below
        -1/2. Higher is more alike.

    Notes
    -----
    Exact integers up to one division. One cluster, or all singletons, against anything else: 0. A single item: 1.
    O(n). Not a metric: the triangle inequality fails.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2 (1985) 193-218,
       doi:10.1007/BF01908075.

    Examples
    --------
    >>> from dendrometry import adjusted_rand
    >>> adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2])
    0.5714285714285714
    >>> adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return adjusted_rand_of(pair_counts(as_contingency(a, b)))


def fowlkes_mallows(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Fowlkes-Mallows index: the geometric mean of two fractions of pairs kept together.

    With pair counts as in `rand`, T / sqrt(PQ): of the pairs together in one partition, how many stay together in
    the other, averaged over both directions.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (no pair together in both) to 1 (the same partition). Higher is more alike.

    Notes
    -----
    Exact integers up to one root and one division. Two all-singleton partitions, or a single item: 1, as for any
    partition and itself; pairs in one partition only: 0. O(n). ``1 - fowlkes_mallows`` is not a metric.

    References
    ----------
    .. [1] E. B. Fowlkes and C. L. Mallows, "A method for comparing two hierarchical clusterings", JASA 78 (1983)
       553-569.

    Examples
    --------
    >>> from dendrometry import fowlkes_mallows
    >>> fowlkes_mallows([0, 0, 1, 1], [0, 0, 1, 2])
    0.7071067811865475
    >>> fowlkes_mallows([0, 1, 2], [2, 1, 0])
    1.0
    """
    return fowlkes_mallows_of(pair_counts(as_contingency(a, b)))
