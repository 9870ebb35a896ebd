"""Matching split information: the numbers of TreeDist; test_definitions.py compares it with its definition."""

import math

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import matching_split_information, shared_phylogenetic_information
from tests.strategies import hierarchy_pairs

SYM, BAL, OPP = "((e,(f,(g,h))),(((a,b),c),d));", "(((e,f),(g,h)),((a,b),(c,d)));", "(((a,f),(c,h)),((g,b),(e,d)));"


def bits(first, second):
    return matching_split_information(dm.from_newick(first), dm.from_newick(second)) / math.log(2)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        # MatchingSplitInfo(tree1, tree2), in the tests of TreeDist
        ("((a,b),c,d,e,f,g,h);", "((c,d),a,b,e,f,g,h);", math.log2(3)),
        ("((a,b,c,d),e,f,g,h);", "((a,c,e,g),b,d,f,h);", math.log2(3)),
        (SYM, SYM, 22.53747),
        (SYM, "(a,b,c,d,e,f,g,h);", 0.0),
        # of 945 trees on 7 leaves, 105 have the split of 2 and 5
        ("((a,b),(c,d,e,f,g,h));", "((a,b,c),(d,e,f,g,h));", math.log2(945 / 105)),
    ],
)
def test_equals_treedist(first, second, value):
    assert bits(first, second) == pytest.approx(value, abs=6e-6)


def test_ranks_trees_as_the_tests_of_treedist_do():
    assert bits(SYM, BAL) > bits(SYM, OPP) > 0.0


def test_sees_what_conflicting_splits_have_in_common():
    first, second = "((a,b,c,x),d,e,f,g,h);", "((a,b,c,d),x,e,f,g,h);"
    assert bits(first, second) > 0.0
    assert shared_phylogenetic_information(dm.from_newick(first), dm.from_newick(second)) == 0.0


@given(pair=hierarchy_pairs(max_items=12))
def test_is_at_most_what_either_tree_says(pair):
    a, b = pair
    shared = matching_split_information(a, b)
    assert shared == pytest.approx(matching_split_information(b, a), abs=1e-12)
    assert shared <= min(matching_split_information(tree, tree) for tree in pair) + 1e-9
    assert matching_split_information(a, a) == pytest.approx(shared_phylogenetic_information(a, a), abs=1e-12)


def test_too_many_splits_are_refused():
    a, b = (random_tree(5_100, rng=seed) for seed in (0, 1))
    with pytest.raises(dm.errors.InvalidInputError, match="each tree must have at most 5,000 splits, to match"):
        matching_split_information(a, b)
