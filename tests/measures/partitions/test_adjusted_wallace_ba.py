"""What is true of adjusted_wallace_ba alone; test_definitions.py compares it with its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import adjusted_rand, adjusted_wallace_ab, adjusted_wallace_ba
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_the_harmonic_mean_of_both_ways_is_the_adjusted_rand_index(pair):
    x, y, adjusted = adjusted_wallace_ab(*pair), adjusted_wallace_ba(*pair), adjusted_rand(*pair)
    if x + y > 0.0 and x * y > 0.0:
        assert 2 * x * y / (x + y) == pytest.approx(adjusted, abs=1e-12)


def test_the_least_value_grows_with_the_number_of_items():
    pair = [0, 0, 1, 2, 3], [0, 1, 1, 1, 1]
    assert adjusted_wallace_ba(*pair[::-1]) == -1.5
