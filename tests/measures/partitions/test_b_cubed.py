"""b_cubed equals its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import b_cubed_precision, b_cubed_recall
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "b_cubed"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


def test_a_published_example():
    # Bagga and Baldwin 1998, figures 1 to 3: 12 mentions; the first answer joins two entities, the second two others
    truth = [1] * 5 + [2] * 2 + [3] * 5
    first, second = [1] * 5 + [2] * 7, [1] * 5 + [2] * 2 + [1] * 5
    assert [b_cubed_precision(truth, x) for x in (first, second)] == pytest.approx([0.76, 0.58], abs=0.01)
    assert [b_cubed_recall(truth, x) for x in (first, second)] == [1.0, 1.0]


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
