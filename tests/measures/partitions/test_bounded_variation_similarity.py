"""The bounded variation similarity equals its definition, with a bound of any size."""

import pytest

from dendrometry import Contingency, from_labels, permutation_test
from dendrometry.errors import InvalidInputError
from dendrometry.measures import bounded_variation_similarity
from dendrometry.partition import decompose
from tests.oracles.measures.definition import definition

NAME = "bounded_variation_similarity"


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


def test_functions_without_a_bound_name_those_that_take_one():
    flat = from_labels([0, 0, 1])
    with pytest.raises(
        InvalidInputError, match=r"max_clusters; got none \(compare_partitions\(\) takes it; bounded_var"
    ):
        permutation_test(flat, flat, NAME, 9)
