"""What is true of jaccard alone; test_definitions.py compares it with its definition."""

from dendrometry.measures import jaccard


def test_pairs_apart_in_both_do_not_count():
    assert jaccard([0, 0, 1, 2, 3, 4], [0, 0, 0, 1, 2, 3]) == 1 / 3
