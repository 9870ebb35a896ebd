"""What is true of element_centric_hierarchy alone; test_definitions.py compares it with its definition for r = 1."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage as scipy_linkage

import dendrometry as dm
from dendrometry.errors import InvalidInputError
from dendrometry.generate import random_tree
from dendrometry.measures import element_centric_hierarchy
from tests.measures.trees.judge import assert_defined
from tests.strategies import hierarchy_pairs


@given(pair=hierarchy_pairs(max_items=9), r=st.floats(-10, 10))
def test_equals_its_definition_for_any_weight_of_levels(pair, r):
    assert_defined("element_centric_hierarchy", *pair, r=r)


@pytest.mark.parametrize(
    ("linkage", "numbers"),
    [
        ("average", [0.9187276003899467, 0.8254695170230356, 0.8000646424286235, 0.5781404043042964]),
        ("single", [0.9272681731542209, 0.8133413604070506, 0.7883004215404611, 0.571808265982322]),
        ("ward", [0.9322804812124615, 0.8218102366905397, 0.775363224301724, 0.6013423097432061]),
    ],
)
def test_agrees_with_clusim(linkage, numbers):
    # clusim 0.4: element_sim(*(Clustering().from_scipy_linkage(Z) for Z in both), alpha=0.9, r=r), after repairing two
    # calls that current versions of SciPy and igraph refuse: projected_adj.toarray(), and mode="directed"
    points = (np.random.default_rng(seed).normal(size=(12, 2)) for seed in (0, 1))
    a, b = (dm.from_linkage(scipy_linkage(x, linkage)) for x in points)
    assert [element_centric_hierarchy(a, b, r=r) for r in (-5, 0, 1, 5)] == pytest.approx(numbers, abs=1e-12)


def test_the_weight_of_levels_decides_which_clusters_count():
    """The trees differ near the leaves alone: the more so, the more low clusters weigh."""
    a = dm.from_newick("(((a,b),(c,d)),((e,f),(g,h)));")
    low, high = (dm.from_newick(x) for x in ("(((a,c),(b,d)),((e,f),(g,h)));", "(((a,b),(e,f)),((c,d),(g,h)));"))
    ratio = [
        (1 - element_centric_hierarchy(a, low, r=r)) / (1 - element_centric_hierarchy(a, high, r=r)) for r in (-4, 4)
    ]
    assert ratio[0] < ratio[1]


def test_the_expectation_is_the_mean_over_all_relabellings():
    a, b = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(a,(b,(c,d)),e);")
    values = [
        element_centric_hierarchy(a, dm.Hierarchy(b.parent, b.height, b.item_node, order))
        for order in permutations(b.items)
    ]
    line = dm.compare(a, b, measures=["element_centric_hierarchy"]).lines[0]
    assert line.expected == pytest.approx(np.mean(values), abs=1e-12)


def test_items_at_the_same_nodes_count_once_for_each():
    labels = [0] * 30 + [1] * 20, [0] * 25 + [1] * 25
    many = [dm.from_labels(each) for each in labels]
    assert_defined("element_centric_hierarchy", *many)
    assert element_centric_hierarchy(many[0], many[0]) == 1.0


def test_the_expectation_of_many_items_is_left_out():
    a, b = (random_tree(1_001, rng=seed) for seed in (0, 1))
    line = dm.compare(a, b, measures=["element_centric_hierarchy"]).lines[0]
    assert line.expected is None
    assert 0.0 < line.value < 1.0


@pytest.mark.parametrize("r", [51.0, -51.0, float("nan"), "1"])
def test_refuses_weights_that_leave_nothing_of_a_level(r):
    a = dm.from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="r must be a number"):
        element_centric_hierarchy(a, a, r=r)


def test_refuses_more_items_than_can_be_paired():
    star = dm.from_labels(range(20_001))
    with pytest.raises(InvalidInputError, match="at most 20,000 different items; got 20,001"):
        element_centric_hierarchy(star, star)
