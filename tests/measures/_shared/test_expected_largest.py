"""The expected largest overlaps equal counts of all clusters, and are left out where they would take long."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

import dendrometry as dm
from dendrometry.measures._shared import expected_largest as module
from dendrometry.measures._shared.expected_largest import expected_largest
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from tests.oracles.measures._shared.expected_largest import expected_largest as by_counting

labels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=25)


def sizes(labels):
    return np.unique(labels, return_counts=True)[1]


@given(labels)
def test_equals_the_count_of_all_clusters(pairs):
    classes, clusters = (sizes(side) for side in zip(*pairs, strict=True))
    wanted = by_counting(classes.tolist(), clusters.tolist())
    assert expected_largest(classes, clusters, len(pairs)) == pytest.approx(float(wanted), rel=1e-13)


@pytest.mark.parametrize(
    ("classes", "clusters"), [([1] * 40, [15, 25]), ([30, 6, 3, 1], [13, 13, 14]), ([2] * 20, [7, 16, 17])]
)
def test_equals_the_count_of_all_clusters_of_forty_items(classes, clusters):
    wanted = by_counting(classes, clusters)
    found = expected_largest(np.array(classes), np.array(clusters), 40)
    assert found == pytest.approx(float(wanted), rel=1e-13)


@pytest.mark.parametrize(("n", "s", "t"), [(1000, 5, 30), (5_000, 2_000, 2_500), (100_000, 3, 99_990)])
def test_two_large_classes_have_one_hypergeometric_overlap(n, s, t):
    wanted = 0.0
    for size in (t, n - t):
        m = np.arange(max(0, s + size - n), min(s, size) + 1)
        wanted += float(hypergeom(n, s, size).pmf(m) @ np.maximum(m, size - m))
    assert expected_largest(np.array([s, n - s]), np.array([t, n - t]), n) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("classes", "clusters", "value"),
    [([7], [3, 4], 7.0), ([1] * 7, [3, 4], 2.0), ([3, 4], [7], 4.0), ([3, 4], [1] * 7, 7.0), ([1], [1], 1.0)],
)
def test_is_exact_where_every_relabelling_gives_the_same(classes, clusters, value):
    assert expected_largest(np.array(classes), np.array(clusters), sum(classes)) == value


def test_is_left_out_where_it_would_take_long():
    few, many = np.array([10**7, 10**7 + 1]), np.arange(1, 2000)
    assert expected_largest(few, few, int(few.sum())) is None
    assert expected_largest(many, many, int(many.sum())) is None
    table = dm.Contingency.from_counts([[10**7, 0], [1, 10**7]])
    for name in ("purity", "van_dongen"):
        score = dm.MEASURES[name].score(PartitionStatistics(table))
        assert (score.expected, score.adjusted) == (None, None)


def test_relabellings_share_the_expectations(monkeypatch):
    statistics = PartitionStatistics(dm.Contingency.of([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]))
    before = [dm.MEASURES[name].score(statistics).expected for name in ("purity", "van_dongen", "v_measure")]
    monkeypatch.setattr(module, "_mean_largest", None)
    shuffled = statistics.shuffle(np.random.default_rng(0))
    assert [dm.MEASURES[name].score(shuffled).expected for name in ("purity", "van_dongen", "v_measure")] == before
