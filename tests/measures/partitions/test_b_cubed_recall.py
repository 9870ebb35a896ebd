"""b_cubed_recall equals its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import b_cubed_recall
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "b_cubed_recall"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


def test_a_cluster_that_falls_apart_is_not_recalled():
    assert b_cubed_recall([0, 0, 0], [0, 1, 2]) == pytest.approx(1 / 3)


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
