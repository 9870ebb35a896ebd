"""Trees in several orders of the items: one where nothing is tied, different ones where ties decide."""

import numpy as np

from dendrometry import agglomerate, cut_count
from dendrometry.study.inputs.orders import ORDERS, trees_in_orders


def test_without_ties_there_is_one_tree():
    points = np.random.default_rng(0).normal(size=(12, 3))
    (tree,) = trees_in_orders(points, np.random.default_rng(1), linkage="average")
    assert tree == agglomerate(points, linkage="average").hierarchy


def test_ties_are_broken_in_different_ways_over_the_same_items():
    line = np.arange(5.0)[:, None]
    names = ["a", "b", "c", "d", "e"]
    trees = trees_in_orders(line, np.random.default_rng(0), linkage="complete", item_names=names)
    assert len(trees) == ORDERS
    assert trees[0] == agglomerate(line, linkage="complete", item_names=names).hierarchy
    assert all(sorted(tree.items) == names for tree in trees)
    pairs = {frozenset(map(frozenset, cut_count(tree, 3).clusters)) for tree in trees}
    assert len(pairs) > 1
    assert all({len(cluster) for cluster in clusters} == {1, 2} for clusters in pairs)
