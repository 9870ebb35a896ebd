"""What is true of normalized_reduced_mutual_information alone; test_definitions.py compares it with its definition."""

import json
from pathlib import Path

import numpy as np
import pytest

from dendrometry.measures import normalized_mutual_information, normalized_reduced_mutual_information

PEER = json.loads((Path(__file__).parents[1] / "data" / "clustering_mi.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", PEER, ids=lambda row: f"{len(row['a'])} items")
def test_equals_clustering_mi(row):
    assert normalized_reduced_mutual_information(row["a"], row["b"]) == pytest.approx(row["share"], abs=1e-10)


def test_more_clusters_than_the_truth_do_not_raise_it():
    """Of two partitions that say the same of the truth, the one with useless splits costs more, not less."""
    truth = np.repeat([0, 1, 2], 40)
    wrong = np.where(np.arange(120) % 10 == 0, (truth + 1) % 3, truth)
    split = wrong * 10 + np.arange(120) % 7
    assert normalized_reduced_mutual_information(truth, wrong) > normalized_reduced_mutual_information(truth, split)
    assert normalized_mutual_information(split, split) == 1.0


def test_one_cluster_has_nothing_to_be_told():
    assert normalized_reduced_mutual_information([0, 0, 0], [0, 0, 1]) == 0.0
    assert normalized_reduced_mutual_information([0, 0, 0], [1, 1, 1]) == 1.0
