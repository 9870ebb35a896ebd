"""Measures that match clusters: each to its best partner, or one to one."""

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import inside
from dendrometry._kernels._jit import IntArray
from dendrometry._kernels.measures import matching as kernels
from dendrometry.contingency import Contingency, as_contingency

__all__ = ["classification_accuracy", "largest_overlaps", "matched_cells", "van_dongen"]

_EXACT = 2**52  # sums below this are whole numbers in floats as well


def largest_overlaps(group: IntArray, count: IntArray, n_groups: int) -> IntArray:
    """Return the largest count of each group."""
    largest = np.zeros(n_groups, dtype=np.int64)
    np.maximum.at(largest, group, count)
    return largest


def matched_cells(table: Contingency) -> IntArray:
    """Return the cells of a one-to-one matching of clusters that holds the most items, in ascending order.

    A table that is at least half full goes to a dense solver, where that is exact. No other becomes dense: a search
    stays inside the connected component where it starts.
    """
    n_places = table.n_a * table.n_b
    if n_places <= 2 * table.n_cells and int(table.count.max()) * (table.n_a + table.n_b) < _EXACT:
        return _matched_densely(table)
    start = np.searchsorted(table.row, np.arange(table.n_a + 1))
    cells = np.column_stack((table.row, table.column, table.count))
    largest = largest_overlaps(table.row, table.count, table.n_a)
    n_largest = np.bincount(table.row[table.count == largest[table.row]])
    cell = kernels.best_matching(start, cells, np.lexsort((-largest, n_largest)), table.n_b)
    return cell[cell >= 0]


def _matched_densely(table: Contingency) -> IntArray:
    """Return the cells of the best matching of a table that is nearly full."""
    from scipy.optimize import linear_sum_assignment  # slow to load, so not before it is needed

    dense = np.zeros((table.n_a, table.n_b))
    dense[table.row, table.column] = table.count
    rows, columns = linear_sum_assignment(dense, maximize=True)
    held = dense[rows, columns] > 0.0
    cells: IntArray = np.searchsorted(table.row * table.n_b + table.column, (rows * table.n_b + columns)[held])
    return cells


def van_dongen(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Van Dongen's criterion as a similarity: how many items lie in the best partner of their cluster.

    N = (sum over clusters of a of the largest overlap + the same for b) / (2n). 2n(1 - N) is the number of
    moves of items that turn one partition into the other by way of their meet.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Up to 1 (the same partition); never below ceil(2 sqrt(n)) / (2n), so never 0. Higher is more alike.

    Notes
    -----
    Exact integers up to one division. ``1 - van_dongen`` is a metric. Clusters that are nobody's best partner do
    not count. O(n).

    References
    ----------
    .. [1] S. van Dongen, "Performance criteria for graph clustering and Markov cluster experiments", CWI report
       INS-R0012 (2000).

    Examples
    --------
    >>> from dendrometry import van_dongen
    >>> van_dongen([0, 0, 1, 1], [0, 1, 0, 1])
    0.5
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    kept = int(largest_overlaps(table.row, table.count, table.n_a).sum())
    kept += int(largest_overlaps(table.column, table.count, table.n_b).sum())
    return inside(kept / (2 * table.n_items))


def classification_accuracy(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Classification accuracy: the fraction of items in matched clusters, at the best one-to-one matching.

    A = (1/n) max over one-to-one matchings of clusters of the sum of their overlaps. In coreference resolution
    this is CEAF with the overlap as similarity.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 1/n (one cluster against all singletons) to 1 (the same partition). Higher is more alike.

    Notes
    -----
    Exact integers up to one division. ``1 - classification_accuracy`` is a metric. Each connected component of
    overlapping clusters is an assignment problem of its own, solved on its overlaps alone: a sparse table never
    becomes dense. O(n) plus, for each cluster that does not get a partner of its largest overlap, one search of its
    component: O(clusters x overlaps log overlaps) at worst. A table that is at least half full is solved as a matrix,
    O(clusters^3) at worst.

    References
    ----------
    .. [1] M. Meila and D. Heckerman, "An experimental comparison of model-based clustering methods", Machine
       Learning 42 (2001) 9-29, doi:10.1023/A:1007648401407.

    Examples
    --------
    >>> from dendrometry import classification_accuracy
    >>> classification_accuracy(["x", "x", "x", "y"], [1, 1, 2, 1])
    0.5
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    return inside(int(table.count[matched_cells(table)].sum()) / table.n_items)
