"""The variation similarity equals its definition: one minus the variation of information over log n."""

import math

import pytest
from hypothesis import given

from dendrometry import Contingency, variation_of_information
from dendrometry.measures import variation_similarity
from tests.measures.partitions.judge import labelings


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
