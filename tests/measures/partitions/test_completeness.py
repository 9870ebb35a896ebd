"""What is true of completeness alone; test_definitions.py compares it with its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import completeness
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert completeness(*pair) == pytest.approx(metrics.completeness_score(*pair), abs=1e-12)
