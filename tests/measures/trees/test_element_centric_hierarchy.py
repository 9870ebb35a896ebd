"""What is true of element_centric_hierarchy alone; test_definitions.py compares it with its definition for r = 1."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.errors import InvalidInputError
from dendrometry.generate import random_tree
from dendrometry.measures import element_centric_hierarchy
from tests.measures.trees.judge import assert_defined
from tests.strategies import hierarchy_pairs


@given(pair=hierarchy_pairs(max_items=9), r=st.floats(-10, 10))
def test_equals_its_definition_for_any_weight_of_levels(pair, r):
    assert_defined("element_centric_hierarchy", *pair, r=r)


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
