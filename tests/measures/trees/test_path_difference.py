"""The path difference equals its definition, and its square has the stated mean by chance."""

import math

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import path_difference
from tests.measures.trees.judge import assert_defined
from tests.oracles.measures.trees.path_difference import path_lengths
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs
from tests.zoo import caterpillar

NAME = "path_difference"


@given(pair=hierarchy_pairs(max_items=9))
def test_equals_its_definition_on_random_pairs(pair):
    assert_defined(NAME, *pair)


@pytest.mark.parametrize("shape", ["caterpillar", "merges"])
def test_equals_its_definition_on_larger_trees(shape):
    assert_defined(NAME, random_tree(40, shape=shape, rng=0), random_tree(40, shape="caterpillar", rng=1))


def test_large_trees_with_themselves_are_at_exactly_zero():
    tree = random_tree(200, shape="caterpillar", rng=0)
    assert path_difference(tree, tree) == 0.0


@pytest.mark.compiled
def test_deep_trees_with_two_leaves_exchanged_differ_in_the_paths_from_these():
    n = 20_000
    names = [str(item) for item in range(n)]
    names[1], names[3] = names[3], names[1]
    assert path_difference(caterpillar(n), caterpillar(n, names)) == math.sqrt(2**2 * 2 * (n - 3))


def test_items_of_one_node_have_branches_of_their_own():
    assert path_difference(dm.from_labels([0, 0, 1]), dm.from_newick("((0,1),2);")) == 0.0


def test_the_mean_of_the_square_is_as_stated():
    a, b = dm.from_newick("((0,1),((2,3),4));"), dm.from_newick("((((0,1),2),3),4);")
    p, q = (path_lengths(plain(tree, a.items)) for tree in (a, b))
    stated = sum(x * x for x in p) + sum(x * x for x in q) - 2 * sum(p) * sum(q) / 10
    assert dm.compare(a, b, measures=[NAME])[NAME].expected == pytest.approx(math.sqrt(stated), rel=1e-15)
