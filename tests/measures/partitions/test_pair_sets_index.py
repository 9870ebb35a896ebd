"""What is true of pair_sets_index alone; test_definitions.py compares it with its definition."""

import json
from pathlib import Path

import numpy as np
import pytest

from dendrometry import Contingency
from dendrometry.measures import pair_sets_index

PEER = json.loads((Path(__file__).parents[1] / "data" / "genieclust.json").read_text(encoding="utf-8"))


def test_equals_genieclust():
    assert len(PEER) == 12
    for row in PEER:
        found = pair_sets_index(Contingency.from_counts(row["counts"]))
        assert found == pytest.approx(row["pair_sets_index"], abs=1e-12)


def test_random_partitions_score_above_zero_on_average():
    """The expectation inside the index is that of independent partitions in one matching, not in the best one."""
    rng = np.random.default_rng(0)
    values = [pair_sets_index(*rng.integers(0, 4, (2, 60))) for _ in range(100)]
    assert np.mean(values) > 10 * np.std(values) / np.sqrt(len(values)) > 0.0


def test_a_thousand_clusters_are_matched_sparsely():
    labels = np.arange(5_000)
    halves = pair_sets_index(labels // 5, labels // 5 + 1_000 * (labels % 5 > 2))
    # of 5 items each cluster keeps 3; matched by size, the 2,000 clusters of b have 3 or 2 items
    by_chance = 3 * 1_000 / 5_000
    assert halves == pytest.approx((600 - by_chance) / (2_000 - by_chance))
