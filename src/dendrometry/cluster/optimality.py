"""Combination similarity of a flat clustering, and a test of its optimality."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import real_array
from dendrometry._check.choices import one_of
from dendrometry._check.labels import encode_in_order
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError

Criterion = Literal["single", "complete", "group_average"]
_MOST_ITEMS = 12


def combination_similarity(labels: Any, similarity: Any, *, linkage: Criterion) -> float:
    """Smallest combination similarity of the clusters of a flat clustering.

    The combination similarity of a cluster is the similarity of the two clusters merged into it, and is determined by
    the cluster itself [1]_: for ``single`` the smallest similarity of any split into two, where the similarity of a
    split is that of its most similar pair; for ``complete`` the smallest similarity of any pair; for ``group_average``
    the mean over all pairs. For a single item it is the similarity of the item with itself. In the graph of all pairs
    at least as similar, clusters of ``complete`` are therefore cliques, but not always maximal ones, as [1]_ says.

    Parameters
    ----------
    labels : (n,) array
        The cluster of each item.
    similarity : (n, n) array of float
        The similarity of every pair, symmetric, with self-similarities on the diagonal.
    linkage : {"single", "complete", "group_average"}
        The linkage. The combination similarity of other linkages depends on the history of merges.

    Returns
    -------
    float
        The similarity, on the scale of ``similarity``. Higher is better.

    Raises
    ------
    InvalidInputError
        If the matrix is not square, symmetric and finite, or does not fit the labels.

    Notes
    -----
    O(n^2) time.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, section 17.5, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry.cluster import combination_similarity
    >>> position = [0, 2, 3, 5]
    >>> similarity = [[-abs(x - y) for y in position] for x in position]
    >>> combination_similarity([0, 0, 1, 1], similarity, linkage="complete")
    -2.0
    """
    group, matrix = _check_input(labels, similarity, linkage)
    return min(_of_cluster(np.flatnonzero(group == g), matrix, linkage) for g in range(int(group.max()) + 1))


def is_optimal(labels: Any, similarity: Any, *, linkage: Criterion) -> bool:
    """Whether no clustering with at most as many clusters has a higher combination similarity.

    Every cut of a single-linkage tree is optimal in this sense; cuts of complete and group-average trees may not be
    [1]_. The example there, four items on a line with the gaps g, 1 and g, shows this for complete linkage at every g
    above 1, and for group average, with negative distances as similarities, only at g between 1 and 2: at 2 the mean
    over three neighbours, (2 g + 2) / 3, equals g, and above it the cut of the tree is optimal.

    Parameters
    ----------
    labels, similarity, linkage
        As for `combination_similarity`, for at most 12 items, since all sets of items are examined.

    Raises
    ------
    InvalidInputError
        As for `combination_similarity`; or if there are more than 12 items.

    Notes
    -----
    O(k 3^n) time for k clusters, over all splits of all sets of items.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, section 17.5, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry.cluster import is_optimal
    >>> position = [0, 2, 3, 5]
    >>> similarity = [[-abs(x - y) for y in position] for x in position]
    >>> is_optimal([0, 0, 1, 1], similarity, linkage="complete")
    True
    >>> is_optimal([0, 1, 1, 1], similarity, linkage="complete")
    False
    """
    group, matrix = _check_input(labels, similarity, linkage)
    n = group.size
    if n > _MOST_ITEMS:
        raise InvalidInputError(f"there must be at most {_MOST_ITEMS} items to test optimality; got {n:,}")
    of_set = np.full(1 << n, np.inf)
    for members in range(1, 1 << n):
        items = np.array([i for i in range(n) if members >> i & 1])
        of_set[members] = _of_cluster(items, matrix, linkage)
    best = of_set.copy()
    for _ in range(int(group.max())):
        best = _one_more_cluster(best, of_set)
    return bool(best[-1] <= combination_similarity(group, matrix, linkage=linkage))


def _one_more_cluster(best: FloatArray, of_set: FloatArray) -> FloatArray:
    """Return the best value of every set of items with one cluster more, given the best values so far."""
    better = best.copy()
    for members in range(1, best.size):
        lowest = members & -members
        rest = part = members ^ lowest
        while part:
            part = (part - 1) & rest
            value = min(of_set[part | lowest], best[members ^ (part | lowest)])
            better[members] = max(better[members], value)
    return better


def _of_cluster(items: IntArray, similarity: FloatArray, linkage: str) -> float:
    """Return the combination similarity of one cluster."""
    inside = similarity[np.ix_(items, items)]
    if items.size == 1:
        return float(inside[0, 0])
    if linkage == "complete":
        return float(inside[np.triu_indices(items.size, 1)].min())
    if linkage == "group_average":
        return float(inside[np.triu_indices(items.size, 1)].mean())
    joined, reach = np.zeros(items.size, dtype=bool), inside[0].copy()
    joined[0] = True
    weakest = np.inf
    for _ in range(items.size - 1):
        nearest = int(np.argmax(np.where(joined, -np.inf, reach)))
        weakest = min(weakest, float(reach[nearest]))
        joined[nearest] = True
        reach = np.maximum(reach, inside[nearest])
    return weakest


def _check_input(labels: Any, similarity: Any, linkage: str) -> tuple[IntArray, FloatArray]:
    """Return cluster numbers from 0 and the matrix of similarities, checked."""
    one_of(linkage, "linkage", get_args(Criterion))
    group = encode_in_order(similarity, labels, "given", "similarity and labels").code
    with np.errstate(over="ignore", invalid="ignore"):
        matrix = real_array(similarity, "similarity", 2).astype(np.float64) + 0.0  # no -0.0
    if matrix.shape != (group.size, group.size):
        raise InvalidInputError(
            f"similarity must be square, as large as the labels; got {matrix.shape} and {group.shape}"
        )
    if not np.isfinite(matrix).all() or not np.array_equal(matrix, matrix.T):
        raise InvalidInputError("similarity must be finite and symmetric")
    return group, matrix
