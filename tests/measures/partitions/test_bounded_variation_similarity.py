"""The bounded variation similarity equals its definition, with a bound of any size."""

import pytest
from hypothesis import given

from dendrometry import Contingency, from_labels, permutation_test
from dendrometry.errors import InvalidInputError
from dendrometry.measures import bounded_variation_similarity
from dendrometry.partition import decompose
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings
from tests.oracles.measures.definition import definition

NAME = "bounded_variation_similarity"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


def test_a_bound_may_have_any_size():
    value = bounded_variation_similarity([0, 0, 1], [0, 1, 1], max_clusters=10**30)
    assert value == pytest.approx(definition(NAME, "partitions")([0, 0, 1], [0, 1, 1], 10**30))
    assert decompose([0, 0, 1], [0, 1, 1], NAME, max_clusters=10**30).value == value


def test_it_reaches_0_on_a_uniform_grid():
    grid = Contingency.from_counts([[7] * 3] * 3)
    assert bounded_variation_similarity(grid, max_clusters=3) == 0.0
    assert 0.0 < bounded_variation_similarity(grid, max_clusters=4) < 1.0


def test_refuses_a_bound_that_does_not_hold():
    with pytest.raises(InvalidInputError, match="at least the number of clusters of either partition, 3; got 2"):
        bounded_variation_similarity([0, 1, 2], [0, 0, 1], max_clusters=2)
    for bad in (2.5, "3", None, True, float("nan")):
        with pytest.raises(InvalidInputError, match="max_clusters must be a whole number"):
            bounded_variation_similarity([0, 0, 0], [0, 0, 0], max_clusters=bad)


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)


def test_functions_without_a_bound_name_those_that_take_one():
    flat = from_labels([0, 0, 1])
    with pytest.raises(InvalidInputError, match=r"must be given; got none \(compare_partitions\(\) and bounded_var"):
        permutation_test(flat, flat, NAME, 9)
