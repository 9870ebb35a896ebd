"""Every measure of partitions equals its definition and refuses what is not two partitions of the same items."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry.measures.registry import PARTITION_MEASURES
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

# Their definitions try every matching.
MATCHED = ("classification_accuracy", "matched_kappa", "normalized_clustering_accuracy", "pair_sets_index")
EACH = pytest.mark.parametrize("name", PARTITION_MEASURES)


@EACH
@pytest.mark.parametrize("n", [1, 2, 3, 4, *(pytest.param(n, marks=pytest.mark.further) for n in (5, 6))])
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(name, n):
    for a, b in representatives(n):
        assert_defined(name, a, b)


@EACH
@given(data=st.data())
def test_equals_its_definition_on_random_labelings(name, data):
    assert_defined(name, *data.draw(labelings(max_items=12, max_clusters=4 if name in MATCHED else 6)))


@EACH
def test_refuses_what_is_not_two_labelings_of_the_same_items(name):
    assert_refuses_bad_labelings(name)
