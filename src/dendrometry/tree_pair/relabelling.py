"""Random relabellings of the items of two trees or partitions, as numbers of items at pairs of nodes."""

from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.overlap import distinct_rows

MOST_RELABELLED = 999_999_999  # items of a hypergeometric distribution of NumPy


class Cells(NamedTuple):
    """``n_items`` items at node ``a`` of the first and at node ``b`` of the second, in ascending order of (a, b)."""

    a: IntArray
    b: IntArray
    n_items: IntArray


def most_cells(size_a: IntArray, size_b: IntArray) -> int:
    """Return the largest number of pairs of nodes that can share items, from the number of items at each node."""
    return min(int(size_a.sum()), int(np.count_nonzero(size_a)) * int(np.count_nonzero(size_b)))


def relabel(cells: Cells, size_a: IntArray, size_b: IntArray, rng: np.random.Generator) -> Cells:
    """Return the cells after a random relabelling of the items of the second; all are equally likely.

    The items are permuted or, if there are fewer pairs of nodes than items, the table of all pairs is drawn, which has
    the same distribution. ``size_a`` and ``size_b`` are the numbers of items at the nodes, which stay as they are.
    O(min(n_items, n_a * n_b)) for n_a and n_b nodes that have items.
    """
    n_items = int(size_a.sum())
    if most_cells(size_a, size_b) < n_items:
        if n_items > MOST_RELABELLED:
            raise InvalidInputError(f"at most {MOST_RELABELLED:,} items can be relabelled; got {n_items:,}")
        return _draw_cells(size_a, size_b, rng)
    first, second = np.repeat(cells.a, cells.n_items), rng.permutation(np.repeat(cells.b, cells.n_items))
    rows = distinct_rows(first, second, size_b.size)
    return Cells(read_only(rows.a), read_only(rows.b), read_only(np.bincount(rows.row)))


def _draw_cells(size_a: IntArray, size_b: IntArray, rng: np.random.Generator) -> Cells:
    """Return the cells of a table with these margins, as likely as it has relabellings."""
    at_a, at_b = np.flatnonzero(size_a), np.flatnonzero(size_b)
    is_wide = at_a.size <= at_b.size  # so that few rows are drawn, which are long
    table = _draw_table(*((size_a[at_a], size_b[at_b]) if is_wide else (size_b[at_b], size_a[at_a])), rng)
    table = table if is_wide else table.T
    row, column = np.nonzero(table)
    return Cells(read_only(at_a[row]), read_only(at_b[column]), read_only(table[row, column]))


def _draw_table(rows: IntArray, columns: IntArray, rng: np.random.Generator) -> IntArray:
    """Return a random table: each row is drawn, without replacement, from what earlier rows left of the columns."""
    table, left = np.empty((rows.size, columns.size), dtype=np.int64), columns.copy()
    for drawn, size in zip(table, rows.tolist(), strict=True):
        drawn[:] = rng.multivariate_hypergeometric(left, size, method="marginals")
        left -= drawn
    return table
