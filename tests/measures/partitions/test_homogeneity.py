"""What is true of homogeneity alone; test_definitions.py compares it with its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import homogeneity
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert homogeneity(*pair) == pytest.approx(metrics.homogeneity_score(*pair), abs=1e-12)
