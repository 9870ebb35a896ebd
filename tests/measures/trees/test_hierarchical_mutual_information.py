"""Hierarchical mutual information equals its recursion, and that of flat clusterings."""

import math
from itertools import chain

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import hierarchical_mutual_information
from dendrometry.tree_pair import information as module
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from tests.oracles.measures.trees.expected_information import expected_information
from tests.strategies import random_hierarchy

NAME = "hierarchical_mutual_information"


def test_of_flat_clusterings_it_is_their_mutual_information():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, 50), rng.integers(0, 5, 50)
    found = hierarchical_mutual_information(dm.from_labels(x), dm.from_labels(y))
    assert found == pytest.approx(dm.mutual_information(x, y), abs=1e-12)


def test_a_dendrogram_says_log_n_about_itself():
    tree = random_tree(30, rng=0)
    assert hierarchical_mutual_information(tree, tree) == math.log(30)


def sizes_by_depth(tree):
    """The sizes of the clusters at each depth: leaves and the items of inner nodes stay below, these one by one."""

    def depth(v):
        return 0 if v == tree.root else 1 + depth(int(tree.parent[v]))

    found = []
    for level in range(max(map(depth, range(tree.n_nodes))) + 1):
        above = [v for v in range(tree.n_nodes) if depth(v) < level]
        at = [v for v in range(tree.n_nodes) if depth(v) == level] + [v for v in above if tree.n_children[v] == 0]
        single = sum(int(tree.own_sizes[v]) for v in above if tree.n_children[v] > 0)
        found.append([int(tree.sizes[v]) for v in at] + [1] * single)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_the_mean_follows_from_the_sizes_of_clusters_of_any_tree(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 16))
    a, b = (random_hierarchy(n, rng) for _ in range(2))
    wanted = max(0.0, expected_information(n, *(sizes_by_depth(tree.without_unary()) for tree in (a, b))))
    assert module.expected_information(Pair.of_trees(a, b)) == pytest.approx(wanted, abs=1e-13)


@pytest.mark.further
@pytest.mark.compiled
def test_thirty_items_by_chance_have_the_expected_mean():
    pair = Pair.of_trees(random_tree(30, rng=1), random_tree(30, rng=2, shape="merges"))
    rng = np.random.default_rng(3)
    values = [module.information(pair.shuffle(rng)).mutual for _ in range(400)]
    error = np.std(values) / math.sqrt(len(values))
    assert abs(np.mean(values) - module.expected_information(pair)) < 4 * error


def two_steps(groups):
    """A tree whose root has a child for each group, which is divided into leaves of these numbers of items."""
    leaves = [size for group in groups for size in group]
    at = [len(leaves) + i for i, group in enumerate(groups) for _ in group]
    root = len(leaves) + len(groups)
    items = list(map(str, range(sum(leaves))))
    return dm.Hierarchy([*at, *[root] * len(groups), -1], None, np.repeat(np.arange(len(leaves)), leaves), items)


@pytest.mark.parametrize(
    ("groups_a", "groups_b"),
    [
        ([[3, 4], [5], [2, 2, 2]], [[9, 1], [4, 4]]),
        pytest.param(
            [[4_000, 1_000], [3_700, 200, 100]], [[4_500, 300], [2_200, 1_800, 200]], marks=pytest.mark.further
        ),
    ],
)
def test_the_mean_follows_from_the_sizes_of_clusters_small_and_large(groups_a, groups_b):
    n = sum(map(sum, groups_a))
    depths = [[[n], [sum(group) for group in groups], [*chain(*groups)]] for groups in (groups_a, groups_b)]
    found = dm.compare(two_steps(groups_a), two_steps(groups_b), measures=[NAME])[NAME].expected
    assert found == pytest.approx(expected_information(n, *depths), rel=1e-8)


def test_relabellings_share_the_mean(monkeypatch):
    statistics = PairStatistics(Pair.of_trees(random_tree(30, rng=1), random_tree(30, rng=2)))
    mean = statistics.expected_information
    monkeypatch.setattr(module, "_MOST_TERMS", 3)
    assert statistics.shuffle(np.random.default_rng(0)).expected_information == mean


def test_the_mean_is_left_out_where_it_would_take_too_long(monkeypatch):
    monkeypatch.setattr(module, "_MOST_TERMS", 3)
    a, b = random_tree(30, rng=1), random_tree(30, rng=2)
    assert dm.compare(a, b, measures=[NAME])[NAME].expected is None
