"""Cohen's kappa after matching equals its definition, and scikit-learn's kappa of the labels after matching."""

import numpy as np
import pytest

from dendrometry import Contingency
from dendrometry.measures import classification_accuracy, matched_kappa
from dendrometry.measures._shared.matching import match_cells


def relabelled(table):
    """Return both labelings, with the clusters of b named after their partners, and others by names of their own."""
    label = {int(table.column[cell]): int(table.row[cell]) for cell in match_cells(table)}
    column = [label.get(c, table.n_a + c) for c in range(table.n_b)]
    return np.repeat(table.row, table.count), np.repeat(np.array(column)[table.column], table.count)


def test_agrees_with_scikit_learn_on_labels_that_have_been_matched():
    kappa = pytest.importorskip("sklearn.metrics").cohen_kappa_score
    rng = np.random.default_rng(0)
    for _ in range(20):
        counts = rng.permutation(30).reshape(5, 6) ** 2  # so that hardly two matchings are equally good
        table = Contingency.from_counts(counts)
        assert matched_kappa(table) == pytest.approx(kappa(*relabelled(table)), abs=1e-12)


def test_of_equal_matchings_the_one_with_the_greatest_kappa_counts():
    # Both diagonals hold 2 items; by chance the first would hold 9/16 of them, the second 6/16.
    for counts in ([[2, 1], [1, 0]], [[1, 0], [2, 1]], [[0, 1], [1, 2]]):
        assert matched_kappa(Contingency.from_counts(counts)) == (2 / 4 - 6 / 16) / (1 - 6 / 16)


def test_a_large_cluster_in_both_can_agree_less_than_by_chance():
    table = Contingency.from_counts([[8, 1], [1, 0]])
    assert classification_accuracy(table) == 0.8
    assert matched_kappa(table) == -1 / 19


def test_independent_labels_and_parts_of_one_cluster_have_kappa_0():
    assert matched_kappa([0, 0, 1, 1], [0, 1, 0, 1]) == 0.0
    assert matched_kappa([0] * 6, [0, 0, 0, 1, 1, 2]) == 0.0


def test_counts_beyond_the_square_of_the_integers_are_exact():
    n = 10**9
    table = Contingency.from_counts([[n, 1], [0, n]])
    by_chance = (n + 1) * n + n * (n + 1)
    total = 2 * n + 1
    assert matched_kappa(table) == (total * 2 * n - by_chance) / (total * total - by_chance)


def test_clusters_that_share_no_item_are_not_matched():
    assert matched_kappa([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]) == -1 / 9  # with them as one category it is -1 / 4
