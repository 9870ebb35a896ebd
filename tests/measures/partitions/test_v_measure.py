"""v_measure equals its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import v_measure
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "v_measure"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert v_measure(*pair) == pytest.approx(metrics.v_measure_score(*pair), abs=1e-12)


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
