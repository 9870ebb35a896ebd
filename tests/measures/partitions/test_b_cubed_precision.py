"""What is true of b_cubed_precision alone; test_definitions.py compares it with its definition."""

from dendrometry.measures import b_cubed_precision


def test_parts_of_a_cluster_are_precise():
    assert b_cubed_precision([0, 0, 0], [0, 1, 1]) == 1.0
