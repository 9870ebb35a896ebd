"""normalized_robinson_foulds equals its definition in sets."""

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.measures import cluster_precision, cluster_recall, normalized_robinson_foulds
from tests.measures.trees.judge import assert_defined, assert_refuses_bad_trees, edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.strategies import hierarchy_pairs, random_hierarchy

NAME = "normalized_robinson_foulds"


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


def test_is_one_minus_the_f_score_of_precision_and_recall():
    rng = np.random.default_rng(4)
    for _ in range(50):
        a, b = (random_hierarchy(8, rng, heights=False) for _ in range(2))
        if min(map(n_clusters, (a, b))) > 0:
            recall, precision = cluster_recall(a, b), cluster_precision(a, b)
            f = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
            assert normalized_robinson_foulds(a, b) == pytest.approx(1 - f, abs=1e-15)


def n_clusters(tree):
    """The number of different clusters of more than one item and fewer than all."""
    sizes = tree.without_unary().sizes
    return int(((sizes > 1) & (sizes < tree.n_items)).sum())


def test_two_stars_are_the_same():
    assert normalized_robinson_foulds(dm.from_newick("(a,b,c);"), dm.from_newick("(c,b,a);")) == 0.0


def test_refuses_what_is_not_two_trees_over_the_same_items():
    assert_refuses_bad_trees(NAME)
