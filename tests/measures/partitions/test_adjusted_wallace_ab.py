"""adjusted_wallace_ab equals its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import adjusted_rand, adjusted_wallace_ab, adjusted_wallace_ba
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "adjusted_wallace_ab"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


@given(labelings())
def test_the_harmonic_mean_of_both_ways_is_the_adjusted_rand_index(pair):
    x, y, adjusted = adjusted_wallace_ab(*pair), adjusted_wallace_ba(*pair), adjusted_rand(*pair)
    if x + y > 0.0 and x * y > 0.0:
        assert 2 * x * y / (x + y) == pytest.approx(adjusted, abs=1e-12)


def test_the_least_value_grows_with_the_number_of_items():
    pair = [0, 0, 1, 2, 3], [0, 1, 1, 1, 1]
    assert adjusted_wallace_ab(*pair) == -1.5


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
