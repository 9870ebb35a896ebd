"""The Kendall-Colijn distance equals its definition, with and without lengths."""

from fractions import Fraction

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import kendall_colijn
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.oracles.measures.trees.paths.kendall_colijn import kendall_colijn as defined
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs

NAME = "kendall_colijn"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
@given(pair=hierarchy_pairs(max_items=8, heights=True))
def test_equals_its_definition_on_random_pairs(weight, pair):
    a, b = pair
    truth = defined(plain(a, a.items), plain(b, a.items), Fraction(weight))
    assert kendall_colijn(a, b, weight=weight) == pytest.approx(truth, abs=1e-6)


def test_equals_its_definition_on_the_edge_trees():
    for a, b in edge_pairs():
        assert_defined(NAME, a, b)


def test_large_trees_with_themselves_are_at_exactly_zero():
    tree = random_tree(200, shape="caterpillar", rng=0)
    assert kendall_colijn(tree, tree) == 0.0


def test_lengths_need_heights_without_inversions_and_a_weight_in_range():
    up, bare = dm.from_linkage([[0, 1, 2, 2], [2, 3, 1, 3]]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="heights must not decrease towards the root"):
        kendall_colijn(up, up, weight=0.5)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights"):
        kendall_colijn(bare, bare, weight=1.0)
    with pytest.raises(dm.errors.InvalidInputError, match="weight must be"):
        kendall_colijn(bare, bare, weight=1.5)


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
