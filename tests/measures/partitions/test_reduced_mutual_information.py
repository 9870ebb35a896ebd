"""What is true of reduced_mutual_information alone; test_definitions.py compares it with its definition."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from dendrometry._kernels.measures.reduced_information import rising_sum
from dendrometry.measures import mutual_information, reduced_mutual_information

PEER = json.loads((Path(__file__).parents[1] / "data" / "clustering_mi.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", PEER, ids=lambda row: f"{len(row['a'])} items")
def test_equals_clustering_mi(row):
    found = reduced_mutual_information(row["a"], row["b"])
    assert found == pytest.approx(row["bits"] * math.log(2) / len(row["a"]), abs=1e-10)


@pytest.mark.further
@pytest.mark.parametrize("start", [1e-4, 0.3, 1.0, 15.9, 16.0, 1e4, 3e6])
def test_rising_products_are_exact_where_differences_of_log_gammas_are_not(start):
    found = [rising_sum(start, np.array([m]), np.array([1])) for m in (1, 2, 17, 300)]
    truth = [math.fsum(math.log(start + i) for i in range(m)) for m in (1, 2, 17, 300)]
    assert found == pytest.approx(truth, rel=2e-14, abs=2e-14)


def test_single_items_tell_next_to_nothing_and_one_cluster_nothing():
    truth = [0] * 50 + [1] * 50
    assert mutual_information(truth, range(100)) == pytest.approx(math.log(2))
    assert abs(reduced_mutual_information(truth, range(100))) < 1e-3
    assert reduced_mutual_information(truth, [0] * 100) == 0.0
    assert reduced_mutual_information([0] * 100, truth) == 0.0


def test_unrelated_partitions_share_no_more_than_nothing_on_average():
    rng = np.random.default_rng(0)
    values = [reduced_mutual_information(*rng.integers(0, 8, (2, 200))) for _ in range(40)]
    assert -0.05 < np.mean(values) <= 3 * np.std(values) / np.sqrt(len(values))
    assert np.mean([mutual_information(*rng.integers(0, 8, (2, 200))) for _ in range(40)]) > 0.1
