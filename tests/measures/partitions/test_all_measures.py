"""All measures of partitions at once: every pair in every order of items, and what nearly equal partitions score."""

import pytest

from dendrometry import Contingency
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined
from tests.oracles.sets.partitions import partitions

ZERO_FOR_ONE_CLUSTER = (
    "adjusted_rand",
    "matched_kappa",
    "normalized_mutual_information",
)  # against any other partition


@pytest.mark.parametrize(("n", "count"), [(5, 7 * 52), (6, 11 * 203)])
def test_pairs_up_to_the_order_of_items_are_as_many_as_combinatorics_says(n, count):
    assert len(representatives(n)) == count


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_all_pairs_of_partitions_match_the_definitions(n):
    every = partitions(n)
    for a in every:
        for b in every:
            for name in PARTITION_MEASURES:
                assert_defined(name, a, b)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTITION_MEASURES)
def test_all_41209_pairs_of_partitions_of_6_items_match(name):
    every = partitions(6)
    assert len(every) == 203
    for a in every:
        for b in every:
            assert_defined(name, a, b)


def test_nearly_equal_is_never_rounded_to_equal():
    table = Contingency.from_triples([("x", 0, 2**62), ("x", 1, 1)])
    for name in PARTITION_MEASURES:
        measure = MEASURES[name]
        if measure.kind == "similarity" and name not in ZERO_FOR_ONE_CLUSTER:
            assert 0.0 < measure.of_table(table, 2) < 1.0, name
