"""element_centric equals its definition."""

import pytest
from hypothesis import given

from dendrometry.measures import element_centric
from dendrometry.partition import decompose
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined, assert_refuses_bad_labelings, labelings

NAME = "element_centric"


@pytest.mark.parametrize("n", range(1, 7))
def test_equals_its_definition_on_all_pairs_of_up_to_six_items(n):
    for a, b in representatives(n):
        assert_defined(NAME, a, b)


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)


def test_one_cluster_against_singletons_is_least():
    assert element_centric([0] * 5, range(5)) == pytest.approx(0.2)


def test_refuses_what_is_not_two_labelings_of_the_same_items():
    assert_refuses_bad_labelings(NAME)


def test_agrees_with_clusim():
    # clusim 0.4: element_sim(Clustering().from_membership_list(a), Clustering().from_membership_list(b)), and
    # element_sim_elscore(...)[0] for the items; with alpha=0.5 the mean is the same
    a = [3, 2, 2, 1, 1, 0, 0, 0, 0, 3, 2, 3, 2, 2, 3, 2, 2, 2, 2, 3]
    b = [1, 4, 3, 0, 1, 4, 2, 0, 3, 3, 4, 0, 0, 4, 0, 2, 0, 1, 2, 2]
    assert element_centric(a, b) == pytest.approx(0.23972222222222217, abs=1e-12)
    first = [1 / 5, 1 / 3, 1 / 9, 1 / 6, 1 / 3, 1 / 4, 1 / 4, 1 / 6, 1 / 4, 1 / 5]
    rest = [1 / 3, 1 / 3, 2 / 9, 1 / 3, 1 / 3, 2 / 9, 2 / 9, 1 / 9, 2 / 9, 1 / 5]
    assert decompose(a, b, "element_centric").item_score == pytest.approx(first + rest, abs=1e-12)
