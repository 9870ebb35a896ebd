"""Shared triples: both ways of counting them equal the definition."""

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.tree_pair import triplets as module
from dendrometry.tree_pair.joint import steps_down
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.triplets import triplets
from tests.oracles.measures.trees.resolved_triples import resolved
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs


@pytest.mark.parametrize("steps", [0, 10**9], ids=["along heavy paths", "down a tree"])
@given(pair=hierarchy_pairs(max_items=8))
def test_both_ways_equal_the_definition(steps, pair):
    in_a, in_b = (resolved(plain(tree, pair[0].items)) for tree in pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_STEPS", steps)
        assert triplets(Pair.of_trees(*pair)) == (len(in_a), len(in_b), len(in_a & in_b))


def test_two_chains_are_compared_along_heavy_paths(monkeypatch):
    pair = Pair.of_trees(*(random_tree(300, shape="caterpillar", rng=seed) for seed in (1, 2)))
    assert steps_down(pair.a) == 300 * 301 // 2 - 1
    expected = triplets(pair)
    monkeypatch.setattr(module.Joint, "count_shared_triples", None)
    assert triplets(pair) == expected


def test_a_chain_and_a_shallow_tree_are_compared_down_the_shallow_one(monkeypatch):
    pair = Pair.of_trees(*(random_tree(300, shape=shape, rng=1) for shape in ("caterpillar", "balanced")))
    expected = triplets(pair)
    monkeypatch.setattr(module._Climb, "count_shared", None)
    assert triplets(pair) == expected
    assert triplets(Pair(pair.b, pair.a, pair.count, pair.n_items)).shared == expected.shared


def test_one_item_has_no_triples():
    tree = dm.from_labels([0])
    assert triplets(Pair.of_trees(tree, tree)) == (0, 0, 0)
