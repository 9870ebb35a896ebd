"""Corruptions: what each changes, and what it leaves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import dendrograms, hierarchies, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import classic_f, from_linkage, from_newick, from_parents, hierarchical_f, partial_order_f
from dendrometry.errors import InvalidInputError
from dendrometry.generate import collapse_to_root, flatten, prune_regraft, random_tree, swap_items


def clusters(tree):
    order = tree.order
    return {
        frozenset(tree.items[i] for i in order.item[order.item_low[v] : order.item_high[v]])
        for v in range(tree.n_nodes)
    }


def groups(tree):
    return {frozenset(tree.own_items(v)) for v in range(tree.n_nodes) if tree.own_sizes[v]}


@given(wild_hierarchies())
def test_to_root_leaves_one_node(tree):
    root = collapse_to_root(tree)
    assert root.n_nodes == 1
    assert root.items == tree.items
    assert root.height is None


@given(wild_hierarchies())
def test_flatten_keeps_what_shares_a_node_and_nothing_else(tree):
    flat = flatten(tree)
    assert groups(flat) == groups(tree)
    assert flat.items == tree.items
    assert flat.depths.max() == 1
    assert flat.own_sizes[-1] == 0


def test_flatten_keeps_the_names_of_nodes_that_hold_items():
    tree = from_parents([1, 2, -1], [0, 2], node_names=["leaf", "way", "top"])
    assert flatten(tree).node_names == ("leaf", "top", "")


def test_the_classic_f_score_does_not_notice_that_a_hierarchy_is_flattened_and_the_others_do():
    tree = from_parents([2, 2, 4, 4, -1], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    assert classic_f(tree, flatten(tree)) == 1.0
    assert hierarchical_f(tree, flatten(tree)) < 1.0
    assert partial_order_f(tree, flatten(tree)) < 1.0


@given(wild_hierarchies(), st.integers(0, 20), st.integers(0, 2**32))
def test_swaps_keep_the_tree_and_the_number_of_items_at_each_node(tree, count, seed):
    swapped = swap_items(tree, count, rng=seed)
    assert (swapped.parent == tree.parent).all()
    assert (swapped.own_sizes == tree.own_sizes).all()
    assert swapped.items == tree.items
    assert (swapped.height is None) == (tree.height is None)
    assert count or swapped == tree


@pytest.mark.further
def test_one_swap_exchanges_two_items_and_every_pair_is_as_likely():
    tree = from_newick("(((a,b),c),d);")
    counts = {}
    rng = np.random.default_rng(0)
    for _ in range(1200):
        swapped = swap_items(tree, 1, rng=rng)
        changed = tuple(np.flatnonzero(swapped.item_node != tree.item_node).tolist())
        counts[changed] = counts.get(changed, 0) + 1
    assert len(counts) == 6
    assert all(150 < count < 250 for count in counts.values())


@given(hierarchies(), st.integers(0, 6), st.integers(0, 2**32))
def test_moved_subtrees_give_trees_of_the_same_items_and_monotone_heights(tree, count, seed):
    moved = prune_regraft(tree, count, rng=seed)
    assert set(moved.items) == set(tree.items)
    assert sorted(map(sorted, groups(moved))) == sorted(map(sorted, groups(tree)))
    assert moved.is_monotone
    assert (moved.height is None) == (tree.height is None)
    if count == 0:
        assert moved == tree.without_unary()


@given(dendrograms(max_items=8), st.integers(0, 2**32))
def test_a_move_keeps_the_clusters_within_the_subtree_and_those_that_hold_old_and_new_place(tree, seed):
    bare = from_parents(tree.parent, tree.item_node, None, tree.items)
    moved = prune_regraft(bare, 1, rng=seed)
    assert moved.is_binary
    assert moved.n_nodes == bare.n_nodes
    if tree.n_items < 3:
        assert moved == bare
        return
    old, new = clusters(bare), clusters(moved)
    assert old != new
    assert any(_explains(part, old, new) for part in old & new)


def _explains(part, old, new):
    """Whether two trees are the same without the part, and the part is the same in both."""
    inside = {c for c in old if c <= part} == {c for c in new if c <= part}
    outside = {c - part for c in old} - {frozenset()} == {c - part for c in new} - {frozenset()}
    return inside and outside


def test_every_neighbour_of_a_tree_is_found():
    tree = from_newick("(((a,b),c),d);")
    found = {frozenset(clusters(prune_regraft(tree, 1, rng=seed))) for seed in range(200)}
    every = {frozenset(clusters(random_tree_of("abcd", seed))) for seed in range(200)}
    assert len(every) == 15
    assert found < every
    assert frozenset(clusters(tree)) not in found


def random_tree_of(names, seed):
    tree = random_tree(len(names), rng=seed)
    return from_parents(tree.parent, tree.item_node, None, list(names))


@pytest.mark.parametrize("name", [name for name in ZOO if name != "inversion"])
def test_all_corruptions_cope_with_edge_trees(name):
    tree = ZOO[name]
    for worse in (collapse_to_root(tree), flatten(tree), swap_items(tree, 3, rng=0), prune_regraft(tree, 3, rng=0)):
        assert set(worse.items) == set(tree.items)


def test_the_same_seed_gives_the_same_tree():
    tree = random_tree(50, rng=0)
    assert swap_items(tree, 5, rng=1) == swap_items(tree, 5, rng=1) != swap_items(tree, 5, rng=2)
    assert prune_regraft(tree, 5, rng=1) == prune_regraft(tree, 5, rng=1) != prune_regraft(tree, 5, rng=2)


def test_refusals():
    tree = from_newick("((a,b),c);")
    for corrupt in (collapse_to_root, flatten, lambda x: swap_items(x, 1), lambda x: prune_regraft(x, 1)):
        with pytest.raises(InvalidInputError, match="the tree must be a Hierarchy; got list"):
            corrupt([0, 1])
    with pytest.raises(InvalidInputError, match="n_swaps must be a whole number from 0 on; got -1"):
        swap_items(tree, -1)
    with pytest.raises(InvalidInputError, match=r"n_moves must be a whole number from 0 on; got 1\.5"):
        prune_regraft(tree, 1.5)
    with pytest.raises(InvalidInputError, match="must not have inversions for a subtree to be moved; got a node lower"):
        prune_regraft(from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]]), 1)
