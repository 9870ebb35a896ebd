"""What is true of b_cubed_recall alone; test_definitions.py compares it with its definition."""

import pytest

from dendrometry.measures import b_cubed_recall


def test_a_cluster_that_falls_apart_is_not_recalled():
    assert b_cubed_recall([0, 0, 0], [0, 1, 2]) == pytest.approx(1 / 3)
