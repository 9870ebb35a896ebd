"""Ranks over tables: by counting, and the published example of Demsar (2006)."""

import numpy as np
import pytest

from dendrometry._studies.inputs.ranks import ranks_of
from tests.oracles.studies import ranks as oracle

# Table 6 of Demsar (2006): areas under the curve of C4.5, with m, with cf, with both, on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_the_example_of_demsar_has_its_published_numbers():
    found = ranks_of(DEMSAR)
    assert found.mean == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.critical == pytest.approx(1.25, abs=0.005)
    assert found.p_value < 0.05
    assert found.groups == [[3, 1, 2, 0]] or [set(group) for group in found.groups] == [{3, 1, 2}, {1, 2, 0}]


@pytest.mark.parametrize("seed", range(20))
def test_ranks_and_statistic_are_those_counted(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, (int(rng.integers(3, 9)), int(rng.integers(2, 9)))).astype(float)
    rows[0] = np.arange(rows.shape[1])
    found = ranks_of(rows)
    assert found.mean == pytest.approx([float(rank) for rank in oracle.mean_ranks(rows.tolist())])
    assert found.statistic == pytest.approx(float(oracle.friedman(rows.tolist())))


def test_without_any_difference_nothing_differs():
    found = ranks_of(np.ones((5, 3)))
    assert (found.statistic, found.p_value) == (0.0, 1.0)
    assert found.groups == [[0, 1, 2]]


def test_methods_in_one_order_on_every_table_differ_beyond_chance():
    found = ranks_of(np.tile([3.0, 2.0, 1.0], (30, 1)))
    assert found.mean.tolist() == [1.0, 2.0, 3.0]
    assert found.p_value < 1e-6
    assert found.groups == []


def test_groups_are_the_largest_ranges_within_the_critical_difference():
    rng = np.random.default_rng(3)
    found = ranks_of(rng.normal(0.0, 1.0, (12, 6)) + np.linspace(0.0, 2.5, 6))
    inside = [
        {j for j in range(6) if found.mean[i] <= found.mean[j] < found.mean[i] + found.critical} for i in range(6)
    ]
    largest = [group for group in inside if len(group) > 1 and not any(group < other for other in inside)]
    assert sorted(map(sorted, found.groups)) == sorted(map(sorted, largest))
