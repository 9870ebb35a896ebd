"""Goodman and Kruskal's gamma equals its definition; what one tree leaves open does not count."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.measures import goodman_kruskal_gamma, kendall_tau_b


def test_a_finer_order_agrees_wholly_unlike_tau():
    coarse = dm.from_newick("((a:1,b:1,c:1):1,d:2);")
    fine = dm.from_newick("(((a:1,b:1):1,c:2):1,d:3);")
    assert goodman_kruskal_gamma(coarse, fine) == 1.0
    assert kendall_tau_b(coarse, fine) == pytest.approx(9 / np.sqrt(9 * 11))


def test_no_two_pairs_in_different_order_are_refused():
    flat, other = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]]), dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="two pairs must join at different heights in both trees"):
        goodman_kruskal_gamma(flat, other)
