"""The mean mutual information over all relabellings: as defined, as in scikit-learn, and at very large counts."""

import math
from itertools import permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry._kernels.measures import expected_information as kernels
from dendrometry.measures._shared import expected_information
from dendrometry.measures._shared.expected_information import expected_mutual_information
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from tests.measures.partitions.exhaustive import PAIRS
from tests.oracles.measures.partitions.mutual_information import mutual_information


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_mean_is_that_over_all_relabellings(a, b):
    values = [mutual_information(a, [b[i] for i in order]) for order in permutations(range(len(b)))]
    found = PartitionStatistics(dm.Contingency.of(a, b)).expected_information
    assert found == pytest.approx(math.fsum(values) / len(values), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 40])
def test_shares_equal_their_definition_however_rare_the_overlaps(n):
    sizes = np.arange(1, n + 1)
    truth = [[defined_share(n, s, t) for s in sizes.tolist()] for t in sizes.tolist()]
    found = [expected_information.expected_shares(sizes, np.array([t]), n) for t in sizes]
    np.testing.assert_allclose(found, truth, rtol=0.0, atol=1e-13)
    both = expected_information.expected_shares(sizes, np.repeat(sizes, 2), n)
    np.testing.assert_allclose(both, 2.0 * np.sum(truth, axis=0), rtol=1e-13, atol=1e-13)


def defined_share(n, s, t):
    """The mean of m log(m n / (s t)) over the overlaps m of s drawn items with t."""
    met = range(max(1, s + t - n), min(s, t) + 1)
    terms = (math.comb(t, m) * math.comb(n - t, s - m) * m * math.log(m * n / (s * t)) for m in met)
    return math.fsum(terms) / math.comb(n, s)


@pytest.mark.parametrize(("n", "k"), [(60, 4), (5_000, 30)])
def test_expected_mutual_information_agrees_with_scikit_learn(n, k):
    cluster = pytest.importorskip("sklearn.metrics.cluster")
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, k, n), rng.integers(0, k, n) ** 2 // k
    table = cluster.contingency_matrix(a, b, sparse=True)
    wanted = cluster.expected_mutual_information(table, n)
    assert expected_mutual_information(dm.Contingency.of(a, b)) == pytest.approx(wanted, rel=1e-10)


def test_clusters_of_very_many_sizes_have_no_expected_information(monkeypatch):
    monkeypatch.setattr(expected_information, "MOST_STEPS", 1_000)
    sizes = np.arange(40, 60)
    table = dm.Contingency.of(np.repeat(sizes, sizes), np.repeat(sizes, sizes)[::-1])
    assert expected_mutual_information(table) is None
    statistics = PartitionStatistics(table)
    records = [dm.MEASURES[name] for name in dm.measures.PARTITION_MEASURES if not dm.MEASURES[name].needs_bound]
    records = [record for record in records if record.name != "adjusted_mutual_information"]  # it is undefined here
    known = {record.name for record in records if record.score(statistics).expected is not None}
    assert known == {record.name for record in records if record.expects} - {
        record.name for record in records if record.tested_by == "information"
    }


@pytest.mark.further
@pytest.mark.parametrize(("n", "s", "t"), [(10**6, 10**5, 21_000), (30_000, 15_000, 4_100), (9_000, 8_995, 2_100)])
def test_moments_and_sums_agree_where_one_takes_over_from_the_other(n, s, t):
    log = np.log(np.maximum(np.arange(t + 2), 1))
    by_sum = kernels._by_sum(n, s, t, math.log(s) + math.log(t) - math.log(n), log)
    assert s * t / n > kernels.LARGE
    assert kernels._by_moments(n, s, t) == pytest.approx(by_sum, rel=1e-7)


def test_huge_counts_stay_precise():
    # two equal clusters on either side, n items: about one degree of freedom over 2 n
    n = 4 * 10**9
    table = dm.Contingency.from_counts([[n // 4, n // 4], [n // 4, n // 4]])
    assert expected_mutual_information(table) == pytest.approx(1 / (2 * n), rel=1e-6)


@pytest.mark.parametrize(
    "classes", [[1] * 20 + [29_980], [300] * 100, [12_000, 9_000, 5_000, 2_500, 1_000, 400, 90, 10]]
)
def test_shares_of_very_many_sizes_are_interpolated(classes):
    n, sizes = 30_000, np.array(classes)
    size = np.unique(np.concatenate(([1, 7, 4_096, 4_097, n - 1, n], np.random.default_rng(0).integers(1, n, 400))))
    computed = expected_information._computed(size)
    assert computed.size < size.size / 2
    assert set(computed.tolist()) <= set(range(1, n + 1))
    found, truth = (share(size, sizes, n) for share in (expected_information.expected_shares, one_by_one))
    assert np.abs(found - truth).max() <= 1e-10 * truth.max()


def one_by_one(size, sizes, n):
    """The shares of some sizes, each by itself, so that none is interpolated."""
    return np.concatenate([expected_information.expected_shares(np.array([s]), sizes, n) for s in size.tolist()])


def test_sizes_that_are_small_or_few_are_not_interpolated():
    for size in (np.arange(1, 4_097), np.arange(4_096, 30_000, 700), np.arange(8_192, 8_300)):
        assert expected_information._computed(size).tolist() == size.tolist()
