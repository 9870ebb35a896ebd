"""What is true of element_centric alone; test_definitions.py compares it with its definition."""

import pytest

from dendrometry.measures import element_centric
from dendrometry.partition import decompose


def test_one_cluster_against_singletons_is_least():
    assert element_centric([0] * 5, range(5)) == pytest.approx(0.2)


def test_agrees_with_clusim():
    # clusim 0.4: element_sim(Clustering().from_membership_list(a), Clustering().from_membership_list(b)), and
    # element_sim_elscore(...)[0] for the items; with alpha=0.5 the mean is the same
    a = [3, 2, 2, 1, 1, 0, 0, 0, 0, 3, 2, 3, 2, 2, 3, 2, 2, 2, 2, 3]
    b = [1, 4, 3, 0, 1, 4, 2, 0, 3, 3, 4, 0, 0, 4, 0, 2, 0, 1, 2, 2]
    assert element_centric(a, b) == pytest.approx(0.23972222222222217, abs=1e-12)
    first = [1 / 5, 1 / 3, 1 / 9, 1 / 6, 1 / 3, 1 / 4, 1 / 4, 1 / 6, 1 / 4, 1 / 5]
    rest = [1 / 3, 1 / 3, 2 / 9, 1 / 3, 1 / 3, 2 / 9, 2 / 9, 1 / 9, 2 / 9, 1 / 5]
    assert decompose(a, b, "element_centric").item_score == pytest.approx(first + rest, abs=1e-12)
