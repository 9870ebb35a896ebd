"""Measures of information: what one partition tells about the other."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.numbers import whole_number
from dendrometry._exact import LEAST, inside, log_ratio, total
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import InvalidInputError

__all__ = [
    "bounded_variation_similarity",
    "checked_bound",
    "mutual_information",
    "mutual_terms",
    "normalized_mutual_information",
    "surplus",
    "variation_of_information",
    "variation_similarity",
    "variation_terms",
]

_SERIES = [(-1) ** k / (k * (k - 1)) for k in range(2, 10)]  # of (1 + x) log(1 + x) - x, over x squared


def variation_terms(table: Contingency) -> FloatArray:
    """Return the share of each cell in n times the variation of information."""
    given_a, given_b = table.lost_terms
    return given_a + given_b


def variation_of_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Variation of information: what each partition leaves unknown about the other, in nats.

    VI = H(b|a) + H(a|b): the sum over overlaps of size m between clusters of sizes s and t of
    (m/n) (log(s/m) + log(t/m)).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (the same partition) to log n. Lower is more alike.

    Notes
    -----
    A metric. Every term is positive, so small distances are precise. O(n).

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98
       (2007) 873-895, doi:10.1016/j.jmva.2006.11.013.

    Examples
    --------
    >>> from dendrometry import variation_of_information
    >>> variation_of_information([0, 0, 1, 1], [0, 1, 0, 1])
    1.3862943611198906
    """
    table = as_contingency(a, b)
    return sum(table.lost) / table.n_items


def mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Mutual information: what two partitions tell about each other, in nats.

    I = H(a) + H(b) - H(a, b): the sum over overlaps of size m between clusters of sizes s and t of
    (m/n) log(mn / (st)).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent partitions, decided in whole numbers) to the lesser of the two entropies.

    Notes
    -----
    Not normalised, and no similarity: one cluster tells nothing about itself. Small values are precise too. O(n).

    Examples
    --------
    >>> from dendrometry import mutual_information
    >>> mutual_information([0, 0, 1, 1], [5, 5, 7, 7])
    0.6931471805599453
    """
    table = as_contingency(a, b)
    return 0.0 if is_independent(table) else _told(table) / table.n_items


def normalized_mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Mutual information over the larger of the two entropies.

    NMI = I / max(H(a), H(b)). Other ways to normalise (by the sum, the least, the root of the product) are
    not metrics after 1 - NMI; this one is.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent partitions) to 1 (the same partition), both decided in whole numbers. Higher is more
        alike.

    Notes
    -----
    One cluster against anything else: 0, since it tells nothing. One cluster against itself, and a single item: 1.
    O(n).

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11
       (2010) 2837-2854.

    Examples
    --------
    >>> from dendrometry import normalized_mutual_information
    >>> normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2])
    0.6666666666666666
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    if is_independent(table):
        return 0.0
    of_b, of_a = table.lost
    entropy_a, entropy_b = _entropy(table.sizes_a), _entropy(table.sizes_b)
    value = 1.0 - max(of_a / entropy_a, of_b / entropy_b)  # precise near 1; near 0 the quotient is
    return inside(value if value > 0.5 else _told(table) / max(entropy_a, entropy_b))


def variation_similarity(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Variation of information as a similarity, over its bound for n items: V = 1 - VI / log n.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (independent, and no two items together in both) to 1 (the same partition), both decided in whole
        numbers. Higher is more alike.

    Notes
    -----
    Depends on n: not for comparing pairs of partitions of different data sets. A single item: 1. O(n).

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98
       (2007) 873-895, doi:10.1016/j.jmva.2006.11.013.

    Examples
    --------
    >>> from dendrometry import variation_similarity
    >>> variation_similarity([0, 0, 1, 1], [0, 0, 1, 2])
    0.75
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    if table.n_cells == table.n_items == table.n_a * table.n_b:
        return 0.0
    return inside(1.0 - variation_of_information(table) / math.log(table.n_items))


def bounded_variation_similarity(a: ArrayLike | Contingency, b: ArrayLike | None = None, *, k: int) -> float:
    """Variation of information as a similarity, over its bound for k clusters: K = 1 - VI / (2 log k).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.
    k : int
        The most clusters that a partition may have; at least as many as either has. Fixed in advance, it makes
        pairs of partitions of different data sets comparable.

    Returns
    -------
    float
        From 0 (independent partitions into k clusters of the same size) to 1 (the same partition), both decided
        in whole numbers. Higher is more alike.

    Raises
    ------
    InvalidInputError
        If k is not a whole number, or a partition has more than k clusters.

    Notes
    -----
    O(n).

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98
       (2007) 873-895, doi:10.1016/j.jmva.2006.11.013.

    Examples
    --------
    >>> from dendrometry import bounded_variation_similarity
    >>> bounded_variation_similarity([0, 0, 1, 1], [0, 0, 0, 1], k=2)
    0.40563906222956636
    """
    table = as_contingency(a, b)
    k = checked_bound(max(table.n_a, table.n_b), k)
    if table.is_identical:
        return 1.0
    if table.n_a == table.n_b == k and table.n_cells == k * k and (table.count == table.count[0]).all():
        return 0.0
    return inside(1.0 - variation_of_information(table) / (2.0 * math.log(k)))


def checked_bound(most: int, k: object) -> int:
    """Return the bound on the number of clusters as an integer, if partitions of at most so many keep to it."""
    bound = whole_number(k, "max_clusters", 1)
    if bound < most:
        raise InvalidInputError(
            f"max_clusters must be at least the number of clusters of either partition, {most:,}; got {bound}"
        )
    return bound


def surplus(table: Contingency, n_items: IntArray | int) -> NDArray[Any]:
    """Return how far each overlap is above its share: items x n - size x size, exactly.

    ``n_items`` is n, for all cells or for each.
    """
    kind = np.int64 if table.n_items < 1 << 31 else object
    size_a, size_b = table.sizes_a.astype(kind)[table.row], table.sizes_b.astype(kind)[table.column]
    above: NDArray[Any] = table.count.astype(kind) * n_items - size_a * size_b
    return above


def is_independent(table: Contingency) -> bool:
    """Whether every pair of clusters overlaps by exactly its share, decided in whole numbers."""
    return table.n_cells == table.n_a * table.n_b and not surplus(table, table.n_items).any()


def mutual_terms(table: Contingency, n_items: FloatArray | float) -> FloatArray:
    """Return m log(mn / (st)) for each cell; ``n_items`` is n, for all cells or for each."""
    logs: FloatArray = np.log(table.count * n_items / _products(table))
    return table.count * logs


def _products(table: Contingency) -> FloatArray:
    """Return the product of the sizes of the two clusters of each cell."""
    products: FloatArray = table.sizes_a[table.row].astype(np.float64) * table.sizes_b[table.column]
    return products


def _told(table: Contingency) -> float:
    """Return n times the mutual information of partitions that are not independent.

    Where all clusters overlap, the terms may nearly cancel. Then m log(mn / (st)) - m + st/n takes their place, which
    has the same sum and is never negative: st/n ((1 + x) log(1 + x) - x), where mn is by the part x above st.
    """
    if table.n_cells < table.n_a * table.n_b:
        return max(total(mutual_terms(table, float(table.n_items))), LEAST)
    products = _products(table)
    x = surplus(table, table.n_items).astype(np.float64) / products
    near = np.abs(x) < 0.01
    series = x * x * np.polynomial.polynomial.polyval(np.where(near, x, 0.0), _SERIES)
    terms = products / table.n_items * np.where(near, series, (1.0 + x) * np.log1p(x) - x)
    return max(total(terms), LEAST)


def _entropy(sizes: IntArray) -> float:
    """Return n times the entropy of a partition into clusters of these sizes."""
    return total(sizes * log_ratio(sizes.sum(), sizes))
