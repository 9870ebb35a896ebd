"""What is true of adjusted_mutual_information alone; test_definitions.py compares it with its definition."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from dendrometry import Contingency
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures import adjusted_mutual_information
from dendrometry.measures._shared import expected_information
from tests.measures.partitions.judge import labelings


@pytest.mark.further
@pytest.mark.parametrize(("a", "b"), [("001122", "010212"), ("000112", "012012"), ("00011", "01122")])
def test_its_mean_over_all_relabellings_is_0(a, b):
    values = [adjusted_mutual_information(list(a), list(order)) for order in permutations(b)]
    assert math.fsum(values) / len(values) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.further
def test_its_mean_over_random_relabellings_of_30_items_is_0():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, 30), rng.integers(0, 4, 30)
    values = [adjusted_mutual_information(a, rng.permutation(b)) for _ in range(2000)]
    assert abs(np.mean(values)) < 4 * np.std(values) / math.sqrt(2000)


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert adjusted_mutual_information(*pair) == pytest.approx(metrics.adjusted_mutual_info_score(*pair), abs=1e-10)


@pytest.mark.parametrize("trivial", [[0] * 6, [0, 1, 2, 3, 4, 5]])
def test_partitions_that_every_relabelling_leaves_alone_score_exactly_0_or_1(trivial):
    other = [0, 0, 0, 1, 1, 2]
    assert adjusted_mutual_information(trivial, other) == adjusted_mutual_information(other, trivial) == 0.0
    assert adjusted_mutual_information(trivial, trivial) == 1.0
    assert adjusted_mutual_information([7], ["x"]) == 1.0


def test_two_large_clusters_that_avoid_each_other_score_far_below_0():
    # Each is one half of the items, the rest are single: the bound comes near -1 as the number of items grows.
    values = [
        adjusted_mutual_information([0] * (m + 1) + [*range(1, m + 1)], [*range(1, m + 1)] + [0] * (m + 1))
        for m in (2, 10, 50)
    ]
    assert values == sorted(values, reverse=True)
    assert -1 < values[-1] < -0.7


def test_refuses_clusters_of_too_many_sizes(monkeypatch):
    monkeypatch.setattr(expected_information, "MOST_STEPS", 1_000)
    table = Contingency.from_triples([*((i, i, i) for i in range(40, 60)), (40, 41, 1)])
    with pytest.raises(UndefinedMeasureError, match="at most 1,000,000,000 steps; the clusters have too many"):
        adjusted_mutual_information(table)
