"""Overlaps of clusters: the largest of each, and the best one-to-one matching."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.measures import matching as kernels
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.contingency import Contingency

_EXACT = 2**52  # sums below this are whole numbers in floats as well
_SHARE = 2**42  # the parts into which a share is divided, to match by whole numbers


def largest_overlaps(group: IntArray, count: IntArray, n_groups: int) -> IntArray:
    """Return the largest count of each group."""
    largest = np.zeros(n_groups, dtype=np.int64)
    np.maximum.at(largest, group, count)
    return largest


def mark_largest(group: IntArray, count: IntArray) -> BoolArray:
    """Return whether each overlap is the largest of its group, the first of several."""
    order = np.lexsort((-count, group))
    marked = np.zeros(count.size, dtype=bool)
    marked[order[np.append(True, group[order][1:] != group[order][:-1])]] = True
    return marked


def match_cells(table: Contingency, weight: IntArray | None = None) -> IntArray:
    """Return the cells of a one-to-one matching of clusters that holds the most items, in ascending order.

    With ``weight``, a positive number for each cell, the sum of the weights is the greatest instead.

    A table that is at least half full is solved by a dense solver, if that is exact. Other tables stay sparse: a
    search stays inside the connected component where it starts.
    """
    weight = table.count if weight is None else weight
    n_places = table.n_a * table.n_b
    if n_places <= 2 * table.n_cells and int(weight.max()) * (table.n_a + table.n_b) < _EXACT:
        return _match_densely(table, weight)
    start = np.searchsorted(table.row, np.arange(table.n_a + 1))
    cells = np.column_stack((table.row, table.column, weight))
    largest = largest_overlaps(table.row, weight, table.n_a)
    n_largest = np.bincount(table.row[weight == largest[table.row]])
    cell = kernels.best_matching(start, cells, np.lexsort((-largest, n_largest)), table.n_b)
    return cell[cell >= 0]


def match_shares(table: Contingency, share: FloatArray) -> IntArray:
    """Return the cells of a one-to-one matching whose shares, each at most 1, have the greatest sum to 2**-42 each."""
    weight: IntArray = np.maximum(np.rint(share * _SHARE), 1.0).astype(np.int64)
    return match_cells(table, weight)


def _match_densely(table: Contingency, weight: IntArray) -> IntArray:
    """Return the cells of the best matching of a table that is nearly full."""
    from scipy.optimize import linear_sum_assignment  # slow to import, so only when needed

    dense = np.zeros((table.n_a, table.n_b))
    dense[table.row, table.column] = weight
    rows, columns = linear_sum_assignment(dense, maximize=True)
    held = dense[rows, columns] > 0.0
    cells: IntArray = np.searchsorted(table.row * table.n_b + table.column, (rows * table.n_b + columns)[held])
    return cells
