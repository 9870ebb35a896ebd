"""The classification accuracy equals its definition: the best of all one-to-one matchings of clusters."""

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import linear_sum_assignment

from dendrometry import Contingency
from dendrometry.measures import classification_accuracy
from dendrometry.measures._shared import matching
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_agrees_with_the_assignment_of_scipy(pair):
    table = Contingency.of(*pair)
    dense = np.zeros((table.n_a, table.n_b), dtype=np.int64)
    dense[table.row, table.column] = table.count
    assert classification_accuracy(table) == dense[linear_sum_assignment(dense, maximize=True)].sum() / table.n_items


def test_a_full_table_of_product_form_is_matched_as_a_matrix(monkeypatch):
    size = np.arange(1, 601)
    table = Contingency.from_counts(np.multiply.outer(size, size))
    monkeypatch.setattr(matching.kernels, "best_matching", None)  # whose searches would reach every cell, for every row
    assert classification_accuracy(table) == int((size**2).sum()) / table.n_items


def test_a_cluster_may_be_better_left_without_a_partner():
    assert classification_accuracy(Contingency.from_counts([[9, 1], [8, 0]])) == 9 / 18
    assert classification_accuracy(Contingency.from_counts([[5, 5, 0], [0, 9, 0], [0, 4, 0]])) == 14 / 23


def test_many_clusters_on_both_sides_stay_sparse():
    a = np.arange(100_000)
    table = Contingency.of(a, a // 2)
    assert table.n_cells == 100_000
    assert classification_accuracy(table) == 0.5


@pytest.mark.further
@pytest.mark.compiled
def test_a_hundred_thousand_clusters_on_each_side_are_matched_by_component():
    rng = np.random.default_rng(1)
    blocks = [rng.integers(0, 9, (3, 4)) + 1 for _ in range(30_000)]
    triples = [
        np.column_stack((3 * i + np.repeat(range(3), 4), 4 * i + np.tile(range(4), 3), block.ravel()))
        for i, block in enumerate(blocks)
    ]
    rows, columns, counts = np.concatenate(triples).T
    a, b = np.repeat(rows, counts), np.repeat(columns, counts)
    best = sum(block[linear_sum_assignment(block, maximize=True)].sum() for block in blocks)
    assert classification_accuracy(a, b) == best / a.size
