"""The Hierarchy Agreement Index equals its double sum over the items, and SciPy's matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, pairwise_values
from tests.strategies import random_hierarchy, random_linkage

NAME = "hierarchy_agreement"


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_inversions_and_negative_heights_do_not_matter(n, seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)))


def test_four_items_by_hand():
    # ape or cat with elk: 3 against 4; elk with owl: 4 against 2; in both directions, over 4**3
    a, b = dm.from_newick("(((ape,cat),elk),owl);"), dm.from_newick("((ape,cat),(elk,owl));")
    assert dm.hierarchy_agreement(a, b) == 1 - 2 * (1 + 1 + 2) / 64


@pytest.mark.compiled
@pytest.mark.parametrize("n", [50, 300])
def test_larger_dendrograms_equal_the_matrix_formula(n):
    rng = np.random.default_rng(5)
    a, b = (dm.from_linkage(random_linkage(n, rng)) for _ in range(2))
    x, y = (pairwise_values(tree, tree.sizes) for tree in (a, b))
    assert dm.hierarchy_agreement(a, b) == pytest.approx(1 - np.abs(x - y).sum() / n**3, abs=1e-13)


def test_equals_scipy_given_sizes_for_heights():
    rng = np.random.default_rng(6)
    n, rows = 40, [random_linkage(40, rng) for _ in range(2)]
    value = dm.hierarchy_agreement(*map(dm.from_linkage, rows))
    x, y = (cophenet(np.column_stack((z[:, :2], z[:, 3], z[:, 3]))) for z in rows)
    assert value == pytest.approx(1 - 2 * np.abs(x - y).sum() / n**3, abs=1e-13)
