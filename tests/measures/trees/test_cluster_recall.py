"""cluster_recall equals its definition in sets."""

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.measures import cluster_recall
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.strategies import hierarchy_pairs

NAME = "cluster_recall"


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


def test_a_refinement_holds_every_cluster():
    coarse, fine = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(((a,b),c),(d,e));")
    assert cluster_recall(coarse, fine) == 1.0
    assert cluster_recall(fine, coarse) == 2 / 3


@pytest.mark.parametrize("text", ["(a,b,c);", "a;", "(a,b);"])
def test_a_tree_without_clusters_to_find_is_refused(text):
    tree = dm.from_newick(text)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the first tree must have a cluster of more"):
        cluster_recall(tree, tree)


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
