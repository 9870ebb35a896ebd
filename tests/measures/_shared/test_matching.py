"""The best one-to-one matching: against scipy's dense solver, and where a dense table could not be made."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from dendrometry import Contingency
from dendrometry.measures._shared.matching import match_cells


def dense_best(table: Contingency) -> int:
    """The total of the best matching, by the Hungarian method on the full table."""
    dense = np.zeros((table.n_a, table.n_b), dtype=np.int64)
    dense[table.row, table.column] = table.count
    rows, columns = linear_sum_assignment(dense, maximize=True)
    return int(dense[rows, columns].sum())


def check(table: Contingency) -> None:
    """The matching is one to one and as good as the dense one; alone, and as blocks of a sparser table."""
    check_cells(table, match_cells(table))
    apart = [(table.row + i * table.n_a, table.column + i * table.n_b, table.count) for i in range(3)]
    check_cells(*sparse(np.concatenate(apart, axis=1)))


def sparse(triples: np.ndarray) -> tuple[Contingency, np.ndarray]:
    """A table of several blocks, too sparse for the dense solver, and its matching."""
    table = Contingency.from_triples(triples.T.tolist())
    return table, match_cells(table)


def check_cells(table: Contingency, cells: np.ndarray) -> None:
    """These cells are one to one and as good as the dense matching."""
    assert np.unique(table.row[cells]).size == cells.size
    assert np.unique(table.column[cells]).size == cells.size
    assert int(table.count[cells].sum()) == dense_best(table)


@pytest.mark.parametrize("most", [1, 2, 1000])
def test_matches_the_dense_solver_on_random_sparse_tables(most):
    rng = np.random.default_rng(most)
    for _ in range(300):
        shape = rng.integers(1, 12, 2)
        dense = rng.integers(1, most + 1, shape) * (rng.random(shape) < rng.random())
        if dense.any():
            check(Contingency.from_counts(dense))


def test_matches_the_dense_solver_on_full_tables_with_many_ties():
    rng = np.random.default_rng(0)
    for size in (5, 20, 40):
        check(Contingency.from_counts(rng.poisson(3, (size, size)) + 1))
        check(Contingency.from_counts(rng.poisson(3, (size, 2 * size)) + 1))


@pytest.mark.parametrize("shape", [(30, 30), (20, 40)])
def test_matches_the_dense_solver_on_tables_of_product_form(shape):
    rows, columns = (np.arange(1, size + 1) for size in shape)
    check(Contingency.from_counts(np.multiply.outer(rows, columns)))
    check(Contingency.from_counts(np.multiply.outer(rows[::-1], columns)))


def test_large_counts_stay_exact():
    table = Contingency.from_counts([[2**60, 2**60 + 1], [1, 3]])
    assert int(table.count[match_cells(table)].sum()) == 2**60 + 3
    full = Contingency.from_counts(np.arange(1, 26).reshape(5, 5) ** 2 + 2**57)
    matched = match_cells(full)
    assert int(full.count[matched].sum()) == dense_best(
        Contingency.from_counts(np.arange(1, 26).reshape(5, 5) ** 2)
    ) + (5 * 2**57)
