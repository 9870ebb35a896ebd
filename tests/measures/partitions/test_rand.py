"""The Rand index equals its definition over pairs, scikit-learn's, and stays exact at any size."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from dendrometry import Contingency, rand
from dendrometry.measures._shared.pair_counts import pair_counts
from tests.measures.partitions.exhaustive import representatives
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


def test_equation_1_of_johnson_et_al_counts_each_item_with_itself_and_so_is_nearer_to_1():
    """1 - sum over i and j of |f - g| / n^2, with i = j, in place of the share of the pairs of different items."""

    def equation_1(a, b):
        n = len(a)
        differ = sum((a[i] == a[j]) != (b[i] == b[j]) for i in range(n) for j in range(n))
        return 1 - Fraction(differ, n * n)

    assert equation_1("00112", "00011") == Fraction(68, 100)
    assert rand(list("00112"), list("00011")) == 0.6
    for n in range(2, 6):
        for a, b in representatives(n):
            assert float(equation_1(a, b)) == pytest.approx(1 - (1 - rand(a, b)) * (n - 1) / n, abs=1e-15)


def test_four_items_by_hand():
    # of 6 pairs, one is together in the first alone
    assert rand([0, 0, 1, 1], [0, 0, 1, 2]) == 5 / 6


def test_many_clusters_on_both_sides_stay_sparse():
    n = 100_000
    a = np.arange(n)
    table = Contingency.of(a, a // 2)
    assert table.n_cells == n
    assert rand(table) == pytest.approx(1 - (n // 2) / (n * (n - 1) / 2))
