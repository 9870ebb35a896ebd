"""Random dendrograms: every shape is what it says, and uniform is uniform."""

from collections import Counter

import numpy as np
import pytest

from dendrometry.errors import InvalidInputError
from dendrometry.generate import random_tree

SHAPES = ["uniform", "merges", "caterpillar", "balanced"]


def topology(tree):
    order = tree.order
    return frozenset(
        frozenset(order.item[order.item_low[v] : order.item_high[v]].tolist())
        for v in range(tree.n_nodes)
        if tree.n_children[v]
    )


def evenly(counts, kinds, draws):
    """Whether a count of draws fits to kinds that are all as likely (5 deviations)."""
    mean = draws / kinds
    return len(counts) == kinds and all(abs(c - mean) < 5 * np.sqrt(mean) for c in counts.values())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 9, 100])
def test_one_item_in_each_leaf_and_merges_in_order(shape, n):
    tree = random_tree(n, shape=shape, rng=n)
    assert tree.is_binary
    assert tree.is_monotone
    assert tree.n_nodes == 2 * n - 1
    assert sorted(tree.item_node.tolist()) == tree.leaves.tolist() == list(range(n))
    assert tree.height.tolist() == [0.0] * n + list(range(1, n))


@pytest.mark.parametrize("shape", SHAPES[1:])
@pytest.mark.parametrize("arity", [3, 4, 10])
def test_n_ary_trees_have_one_short_merge_at_most_at_each_level(shape, arity):
    for n in range(1, 30):
        tree = random_tree(n, shape=shape, arity=arity, rng=n)
        assert tree.n_items == n
        inner = tree.n_children[tree.n_children > 0]
        assert (inner >= 2).all()
        assert (inner <= arity).all()
        if shape != "balanced":
            assert (inner < arity).sum() <= 1


def test_a_caterpillar_is_as_deep_and_a_balanced_tree_as_shallow_as_can_be():
    assert random_tree(1000, shape="caterpillar", rng=0).depths.max() == 999
    assert random_tree(1024, shape="balanced", rng=0).depths.max() == 10
    assert random_tree(729, shape="balanced", arity=3, rng=0).depths.max() == 6


@pytest.mark.further
def test_all_binary_trees_of_four_items_come_equally_often():
    rng = np.random.default_rng(1)
    counts = Counter(topology(random_tree(4, rng=rng)) for _ in range(1500))
    assert evenly(counts, 15, 1500)


@pytest.mark.further
def test_all_orders_of_merging_come_equally_often():
    """A pair on one side, a pair within a triple on the other: the lone pair may come first, second or third."""
    rng = np.random.default_rng(2)
    first = Counter()
    for _ in range(1500):
        tree = random_tree(5, rng=rng)
        if sorted(tree.sizes[tree.parent == tree.root].tolist()) == [2, 3]:
            lone = int(np.flatnonzero((tree.parent == tree.root) & (tree.sizes == 2))[0])
            first[lone] += 1
    assert evenly(first, 3, first.total())


@pytest.mark.further
def test_random_merges_take_every_pair_equally_often():
    rng = np.random.default_rng(3)
    trees = (random_tree(5, shape="merges", rng=rng) for _ in range(1000))
    counts = Counter(tuple(np.flatnonzero(tree.parent[:5] == 5).tolist()) for tree in trees)
    assert evenly(counts, 10, 1000)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_items_come_in_random_order_and_the_same_seed_gives_the_same_tree(shape):
    assert random_tree(30, shape=shape, rng=5) == random_tree(30, shape=shape, rng=5)
    assert random_tree(30, shape=shape, rng=5) != random_tree(30, shape=shape, rng=6)


def test_a_known_draw_stays_what_it_is():
    assert random_tree(5, rng=2024).parent.tolist() == [5, 7, 6, 8, 5, 6, 7, 8, -1]
    assert random_tree(5, shape="merges", rng=2024).parent.tolist() == [5, 6, 6, 5, 7, 8, 7, 8, -1]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_million_items(shape):
    assert random_tree(1_000_000, shape=shape, rng=0).n_items == 1_000_000


@pytest.mark.parametrize(
    ("n", "options", "message"),
    [
        (0, {}, "n_items must be a whole number from 1 on; got 0"),
        (5, {"shape": "bush"}, "shape must be 'uniform', 'merges', 'caterpillar' or 'balanced'; got 'bush'"),
        (5, {"shape": ["uniform"]}, "shape must be 'uniform', 'merges', 'caterpillar' or 'balanced'; got"),
        (5, {"shape": "merges", "arity": 1}, "arity must be a whole number from 2 on; got 1"),
        (5, {"arity": 3}, "arity must be 2 for uniform trees, which are binary; got 3"),
        (5, {"rng": -1}, "rng must be a numpy Generator"),
    ],
)
def test_refusals(n, options, message):
    with pytest.raises(InvalidInputError, match=message):
        random_tree(n, **options)
