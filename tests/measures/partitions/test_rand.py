"""The Rand index equals its definition over pairs, scikit-learn's, and stays exact at any size."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from dendrometry import Contingency, rand
from dendrometry.measures._shared.pair_counts import pair_counts
from tests.measures.partitions.judge import labelings, large_table


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert rand(*pair) == pytest.approx(metrics.rand_score(*pair), abs=1e-12)


def test_pairs_are_counted_exactly_at_ten_million_items_and_beyond():
    for n in (10**7, 2**31 - 1, 2**31, 2**33, 2**62):
        table = large_table(n)
        pairs = pair_counts(table)
        agreed = Fraction(pairs.all - pairs.in_a - pairs.in_b + 2 * pairs.in_both, pairs.all)
        assert rand(table) == agreed.numerator / agreed.denominator


def test_four_items_by_hand():
    # of 6 pairs, one is together in the first alone
    assert rand([0, 0, 1, 1], [0, 0, 1, 2]) == 5 / 6


def test_many_clusters_on_both_sides_stay_sparse():
    n = 100_000
    a = np.arange(n)
    table = Contingency.of(a, a // 2)
    assert table.n_cells == n
    assert rand(table) == pytest.approx(1 - (n // 2) / (n * (n - 1) / 2))
