"""Several levels of a tree, with a least size and a least number of children."""

import numpy as np
import pytest
from tests.strategies import random_linkage

from dendrometry import agglomerate, cut_count, from_linkage
from dendrometry.cut import coarsen
from dendrometry.errors import InvalidInputError

TREE = from_linkage(random_linkage(40, np.random.default_rng(3)))


def clusters_of(tree):
    order = tree.order
    spans = zip(order.item_low.tolist(), order.item_high.tolist(), strict=True)
    return {frozenset(order.item[a:b].tolist()) for a, b in spans}


def test_levels_are_the_clusters_of_each_cut_and_the_root():
    expected = {frozenset(range(40))}
    for k in (3, 8, 20):
        labels = cut_count(TREE, k).labels
        expected |= {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(k)}
    top = coarsen(TREE, [3, 8, 20])
    assert clusters_of(top) == expected
    assert top.depths.max() <= 3
    assert clusters_of(coarsen(TREE, [3])) == clusters_of(coarsen(TREE, (3, 3)))


def test_small_nodes_give_their_items_to_the_node_above():
    top = coarsen(TREE, [3, 8, 20], min_size=4)
    assert clusters_of(top) == {c for c in clusters_of(coarsen(TREE, [3, 8, 20])) if len(c) >= 4}
    assert sorted(top.items) == sorted(TREE.items)


@pytest.mark.parametrize("fewest", [2, 3, 4])
def test_inner_nodes_have_enough_children(fewest):
    top = coarsen(TREE, [2, 5, 12, 30], min_children=fewest)
    inner = top.n_children[:-1]
    assert ((inner == 0) | (inner >= fewest)).all()
    assert clusters_of(top) <= clusters_of(coarsen(TREE, [2, 5, 12, 30]))
    assert top.leaves.size == coarsen(TREE, [2, 5, 12, 30]).leaves.size


def test_bad_requests_are_refused():
    tree = agglomerate([[0.0], [1.0], [3.0]]).hierarchy
    for bad in ([], "3"):
        with pytest.raises(InvalidInputError, match="n_clusters must be a number of clusters, or a sequence"):
            coarsen(tree, bad)
    with pytest.raises(InvalidInputError, match="min_size must be a whole number from 1 on; got 0"):
        coarsen(tree, 2, min_size=0)
    with pytest.raises(InvalidInputError, match="min_children must be a whole number from 1 on; got 0"):
        coarsen(tree, 2, min_children=0)
