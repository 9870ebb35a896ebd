"""The variation similarity equals its definition: one minus the variation of information over log n."""

import math

import pytest
from hypothesis import given

from dendrometry import Contingency, variation_of_information
from dendrometry.measures import variation_similarity
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "variation_similarity"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


@given(labelings())
def test_it_is_the_variation_of_information_over_its_greatest_value(pair):
    if len(pair[0]) > 1:
        expected = 1 - variation_of_information(*pair) / math.log(len(pair[0]))
        assert variation_similarity(*pair) == pytest.approx(expected, abs=1e-12)


def test_a_half_of_the_bits():
    # one bit of the two that four items have
    assert variation_similarity([0, 0, 1, 1], [0, 1, 2, 3]) == pytest.approx(0.5, abs=1e-15)


def test_nearly_equal_is_never_rounded_to_equal():
    assert variation_similarity(Contingency.from_triples([("x", 0, 2**62), ("x", 1, 1)])) < 1.0


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
