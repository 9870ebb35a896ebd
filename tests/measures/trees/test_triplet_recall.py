"""What is true of triplet_recall alone; test_definitions.py compares it with its definition."""

import pytest

import dendrometry as dm
from dendrometry.measures import triplet_recall


def test_a_refinement_keeps_every_triple():
    coarse, fine = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(((a,b),c),(d,e));")
    assert triplet_recall(coarse, fine) == 1.0
    # {a,b|c} alone is new: 1 of 1 + 3 * 2 + 3
    assert triplet_recall(fine, coarse) == 0.9


@pytest.mark.parametrize("text", ["(a,b,c);", "a;", "(a,b);"])
def test_a_tree_that_resolves_nothing_is_refused(text):
    tree = dm.from_newick(text)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the first tree must join two of three items"):
        triplet_recall(tree, tree)
