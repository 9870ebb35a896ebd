"""What is true of triplet_precision alone; test_definitions.py compares it with its definition."""

import pytest

import dendrometry as dm
from dendrometry.measures import triplet_precision


def test_what_a_refinement_adds_is_not_in_the_first_tree():
    coarse, fine = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(((a,b),c),(d,e));")
    assert triplet_precision(coarse, fine) == 0.9
    assert triplet_precision(fine, coarse) == 1.0


def test_a_second_tree_that_resolves_nothing_is_refused():
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the second tree must join two of three items"):
        triplet_precision(dm.from_newick("((a,b),c);"), dm.from_newick("(a,b,c);"))
