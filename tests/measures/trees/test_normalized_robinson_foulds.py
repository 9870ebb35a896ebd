"""What is true of normalized_robinson_foulds alone; test_definitions.py compares it with its definition."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.measures import cluster_precision, cluster_recall, normalized_robinson_foulds
from tests.strategies import random_hierarchy


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
