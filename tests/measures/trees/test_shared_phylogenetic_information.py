"""Shared phylogenetic information: the numbers of TreeDist; test_definitions.py compares it with its definition."""

import math

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import shared_phylogenetic_information
from tests.strategies import hierarchy_pairs

SYM, BAL = "((e,(f,(g,h))),(((a,b),c),d));", "(((e,f),(g,h)),((a,b),(c,d)));"
FIRST, SECOND = "((A,B),((C,(D,E)),(F,(G,(H,I)))));", "((A,B),((C,D,(E,I)),(F,(G,H))));"
FAR = "(((((A,B),C),D),E),(F,(G,(H,(I,J)))));", "(((((J,B),C),D),E),(F,(G,(H,(I,A)))));"


def bits(first, second):
    return shared_phylogenetic_information(dm.from_newick(first), dm.from_newick(second)) / math.log(2)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        # SharedPhylogeneticInfo(tree1, tree2), in the tests of TreeDist
        (SYM, SYM, 22.53747),
        (SYM, BAL, 13.75284),
        (SYM, "((a,b),(c,d,e,f,g,h));", -math.log2(945 / 10395)),
        (SYM, "((a,b,c),(d,e,f,g,h));", -math.log2(315 / 10395)),
        (SYM, "((a,b,c,d),(e,f,g,h));", -math.log2(225 / 10395)),
        (SYM, "(((a,b),c,d),(e,f,g,h));", -math.log2(225 / 10395) - math.log2(945 / 10395)),
        ("((a,b),c,d,e,f,g,h);", "((c,d),a,b,e,f,g,h);", 0.2895066),
        ("((a,b),c,d,e,f,g,h);", "((a,b,c,d),e,f,g,h);", 1.137504),
        # in its vignette "Generalized Robinson-Foulds distances"
        (FIRST, SECOND, 12.32188),
        (FIRST, FIRST, 28.67404),
        (*FAR, 0.0),
    ],
)
def test_equals_treedist(first, second, value):
    assert bits(first, second) == pytest.approx(value, abs=6e-6)


def test_splits_that_cannot_be_in_one_tree_share_nothing():
    assert bits("((a,b),c,d,e);", "((a,c),b,d,e);") == 0.0


@given(pair=hierarchy_pairs(max_items=12))
def test_is_at_most_what_either_tree_says(pair):
    a, b = pair
    shared = shared_phylogenetic_information(a, b)
    assert shared == pytest.approx(shared_phylogenetic_information(b, a), abs=1e-12)
    assert shared <= min(shared_phylogenetic_information(tree, tree) for tree in pair) + 1e-9


def test_the_place_of_the_root_does_not_count():
    other_roots = ["(e,(f,(g,h)),(((a,b),c),d));", "(e,((f,(g,h)),(((a,b),c),d)));", "((a,b),(c,(d,(e,(f,(g,h))))));"]
    for text in other_roots:
        assert bits(SYM, text) == pytest.approx(22.53747, abs=6e-6)
        assert bits(text, BAL) == pytest.approx(13.75284, abs=6e-6)


def test_too_many_splits_are_refused():
    a, b = (random_tree(5_100, rng=seed) for seed in (0, 1))
    with pytest.raises(dm.errors.InvalidInputError, match="each tree must have at most 5,000 splits, to match"):
        shared_phylogenetic_information(a, b)
