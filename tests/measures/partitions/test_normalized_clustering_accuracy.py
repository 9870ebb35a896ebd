"""What is true of normalized_clustering_accuracy alone; test_definitions.py compares it with its definition."""

import json
from pathlib import Path

import numpy as np
import pytest

from dendrometry import Contingency
from dendrometry.measures import classification_accuracy, normalized_clustering_accuracy

PEER = json.loads((Path(__file__).parents[1] / "data" / "genieclust.json").read_text(encoding="utf-8"))


def test_equals_genieclust_where_both_have_as_many_clusters():
    told = [row for row in PEER if "normalized_clustering_accuracy" in row]
    assert len(told) == 8
    for row in told:
        found = normalized_clustering_accuracy(Contingency.from_counts(row["counts"]))
        assert found == pytest.approx(row["normalized_clustering_accuracy"], abs=1e-12)


def test_small_clusters_weigh_as_much_as_large_ones():
    table = Contingency.from_counts([[98, 0], [2, 0], [0, 0]])
    assert normalized_clustering_accuracy(table) == 0.0
    assert classification_accuracy(table) == 0.98


@pytest.mark.parametrize("shape", [(3, 3), (5, 5)])
def test_an_even_spread_scores_0(shape):
    assert normalized_clustering_accuracy(Contingency.from_counts(np.full(shape, 4))) == 0.0


def test_true_clusters_without_a_match_count_0_and_shattered_ones_score_below_0():
    # shares of 1, 1 / 2 and 0 in the matches, of 3 true clusters
    assert normalized_clustering_accuracy([0, 0, 1, 1, 2, 2], [5, 5, 6, 5, 6, 6]) == pytest.approx(1.0 / 2)
    # 2 / 6 of both true clusters: less than an even spread over 2
    assert normalized_clustering_accuracy([0] * 6 + [1] * 6, [i // 2 for i in range(12)]) == pytest.approx(-1 / 3)


def test_a_single_true_cluster_has_nothing_to_be_spread_over():
    assert normalized_clustering_accuracy([0, 0, 0], [0, 0, 1]) == 0.0
    assert normalized_clustering_accuracy([0, 0, 0], [1, 1, 1]) == 1.0
