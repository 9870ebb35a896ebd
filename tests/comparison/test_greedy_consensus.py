"""The greedy consensus is that of its definition, and contains that by majority."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Hierarchy, consensus, from_newick
from dendrometry.comparison import greedy_consensus
from dendrometry.errors import ItemMismatchError
from tests.strategies import random_hierarchy
from tests.zoo import ZOO


def clusters_of(tree):
    """The clusters of a tree as sets of the numbers of the items, in the order of names."""
    number = {name: i for i, name in enumerate(sorted(tree.items))}
    order = tree.order
    spans = zip(order.item_low.tolist(), order.item_high.tolist(), strict=True)
    return {frozenset(number[tree.items[i]] for i in order.item[a:b].tolist()) for a, b in spans}


def by_definition(trees):
    """Add clusters in order of frequency, then size, then their items from the last on, if they contradict none."""
    count = Counter(cluster for tree in trees for cluster in clusters_of(tree))
    chosen = []
    for cluster in sorted(count, key=lambda c: (-count[c], len(c), sum(2**i for i in c))):
        if all(not cluster & other or cluster <= other or other <= cluster for other in chosen):
            chosen.append(cluster)
    return {cluster: count[cluster] / len(trees) for cluster in chosen}


@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 5))
def test_it_is_that_of_the_definition(seed, n, n_trees):
    rng = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(n)]
    drawn = [random_hierarchy(n, rng) for _ in range(n_trees)]
    trees = [Hierarchy(t.parent, t.height, t.item_node, names) for t in drawn]
    found = greedy_consensus(trees)
    expected = by_definition(trees)
    assert clusters_of(found.hierarchy) == set(expected)
    by_size = sorted(found.support.tolist())
    assert by_size == pytest.approx(sorted(expected.values()))
    assert clusters_of(consensus(trees).hierarchy) <= set(expected)


@pytest.mark.parametrize("name", ZOO)
def test_the_consensus_of_one_tree_is_the_tree(name):
    assert clusters_of(greedy_consensus([ZOO[name]]).hierarchy) == clusters_of(ZOO[name])


def test_different_items_are_refused():
    with pytest.raises(ItemMismatchError, match="of tree '0' not in tree '1'"):
        greedy_consensus([from_newick("(a,b);"), from_newick("(a,c);")])


def test_ties_are_decided_by_the_last_item():
    texts = ["(a,b,c,d,e);", "((a,b,e),c,d);", "((b,c,d),a,e);"]
    for order in (texts, [texts[0], *texts[:0:-1]]):
        found = greedy_consensus([from_newick(text) for text in order])
        assert found.hierarchy == from_newick("(a,(b,c,d),e);")
