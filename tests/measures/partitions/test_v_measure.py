"""What is true of v_measure alone; test_definitions.py compares it with its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import v_measure
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert v_measure(*pair) == pytest.approx(metrics.v_measure_score(*pair), abs=1e-12)
