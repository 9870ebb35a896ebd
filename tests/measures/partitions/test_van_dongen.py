"""Van Dongen's similarity equals its definition over largest overlaps."""

import numpy as np
import pytest
from hypothesis import given

from dendrometry import Contingency
from dendrometry.measures import van_dongen
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "van_dongen"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


def test_four_items_by_hand():
    # largest overlaps: 2 and 1 of the first partition, 2 and 1 of the second
    assert van_dongen([0, 0, 0, 1], [0, 0, 1, 1]) == (2 + 1 + 2 + 1) / 8


def test_many_clusters_on_both_sides_stay_sparse():
    a = np.arange(100_000)
    table = Contingency.of(a, a // 2)
    assert table.n_cells == 100_000
    assert van_dongen(table) == 0.75


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)
