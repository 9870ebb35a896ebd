"""triplet_precision equals its definition in sets."""

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.measures import triplet_precision
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.strategies import hierarchy_pairs

NAME = "triplet_precision"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


@given(hierarchy_pairs(max_items=9))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs():
        assert_defined(NAME, a, b)


def test_what_a_refinement_adds_is_not_in_the_first_tree():
    coarse, fine = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(((a,b),c),(d,e));")
    assert triplet_precision(coarse, fine) == 0.9
    assert triplet_precision(fine, coarse) == 1.0


def test_a_second_tree_that_resolves_nothing_is_refused():
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the second tree must join two of three items"):
        triplet_precision(dm.from_newick("((a,b),c);"), dm.from_newick("(a,b,c);"))


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
