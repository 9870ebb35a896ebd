"""Worsened dendrograms keep their items and differ from the truth as they say."""

import numpy as np
import pytest

from dendrometry import compare
from dendrometry._studies.inputs import worse_dendrograms
from dendrometry.generate import random_tree

TREE = random_tree(60, rng=0)
WAYS = [
    "exchange_near_leaves",
    "exchange_near_root",
    "noisy_heights",
    "other_heights",
    "other_order",
    "relabel_half",
    "without_low_merges",
]


@pytest.mark.parametrize("name", WAYS)
def test_items_stay_and_heights_do_not_decrease_towards_the_root(name):
    found = getattr(worse_dendrograms, name)(TREE, np.random.default_rng(1))
    assert sorted(found.items) == sorted(TREE.items)
    assert found.is_monotone


def lost_sizes(tree):
    """The sizes of the clusters of the truth that a tree lacks."""
    found = compare(TREE, tree).matches
    return found.size[found.f < 1.0]


def test_exchanges_near_the_root_change_the_nodes_next_to_it_alone():
    lost = lost_sizes(worse_dendrograms.exchange_near_root(TREE, np.random.default_rng(1)))
    inner = np.flatnonzero(TREE.n_children[:-1])
    next_to_root = inner[np.argsort(TREE.depths[inner], kind="stable")[:4]]
    assert sorted(lost.tolist()) == sorted(TREE.sizes[next_to_root].tolist())


def test_exchanges_near_the_leaves_change_pairs_alone():
    lost = lost_sizes(worse_dendrograms.exchange_near_leaves(TREE, np.random.default_rng(1)))
    assert lost.tolist() == [2] * 3


def test_heights_change_without_the_clusters():
    for worsen in (worse_dendrograms.noisy_heights, worse_dendrograms.other_heights, worse_dendrograms.other_order):
        found = worsen(TREE, np.random.default_rng(1))
        assert lost_sizes(found).size == 0
        assert not np.array_equal(np.sort(found.height), TREE.height) or worsen is worse_dendrograms.other_order


def test_half_of_the_items_are_relabelled():
    found = worse_dendrograms.relabel_half(TREE, np.random.default_rng(1))
    moved = int((found.item_node != TREE.item_node).sum())
    assert 20 <= moved <= 30
