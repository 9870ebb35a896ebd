"""purity equals its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import purity
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "purity"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


def test_the_book_example():
    # Introduction to Information Retrieval, figure 16.4: (5 + 4 + 3) / 17
    clusters = [1] * 6 + [2] * 6 + [3] * 5
    classes = list("xxxxxo") + list("xoooo#") + list("xx###")
    assert purity(classes, clusters) == 12 / 17


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
