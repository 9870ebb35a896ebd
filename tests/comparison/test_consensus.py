"""The consensus of many trees against its definition in sets, its laws, and what it refuses."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dendrometry import Hierarchy, consensus, from_labels, from_newick
from dendrometry.errors import InvalidInputError, ItemMismatchError
from tests.oracles.comparison import consensus as oracle
from tests.oracles.sets.hierarchy import clusters
from tests.strategies import random_hierarchy
from tests.zoo import ZOO, caterpillar, unary_chain


def columns(tree):
    return tree.parent.tolist(), tree.item_node.tolist(), tree.items


def shuffled(tree, rng):
    """The same tree, its items told in another order."""
    order = rng.permutation(tree.n_items)
    return Hierarchy(tree.parent, tree.height, tree.item_node[order], [tree.items[i] for i in order])


@st.composite
def collections(draw):
    """One to seven trees of every kind over the same items, some of them much alike, so that there is a majority."""
    n = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = [random_hierarchy(n, rng) for _ in range(draw(st.integers(1, 3)))]
    return [shuffled(kinds[rng.integers(len(kinds))], rng) for _ in range(draw(st.integers(1, 7)))]


@given(collections(), st.sampled_from([0.5, 0.6, 2 / 3, 0.75, 0.99]))
@settings(max_examples=300)
def test_the_clusters_are_those_of_the_definition(trees, threshold):
    found = consensus(trees, threshold=threshold)
    expected = oracle.majority([columns(tree) for tree in trees], threshold)
    held = [frozenset(cluster) for cluster in clusters(*columns(found.hierarchy))]
    assert dict(zip(held, found.support.tolist(), strict=True)) == expected
    assert len(held) == len(expected)  # each once
    for item, node in zip(found.hierarchy.items, found.hierarchy.item_node.tolist(), strict=True):
        assert held[node] == oracle.smallest_with(item, expected)
    assert found.n_clusters == sum(1 < len(cluster) < len(found.hierarchy.items) for cluster in expected)


@pytest.mark.parametrize("name", ZOO)
def test_the_consensus_of_a_tree_with_itself_is_that_tree_without_unary_nodes_and_heights(name):
    tree = ZOO[name].without_unary()
    bare = Hierarchy(tree.parent, None, tree.item_node, tree.items)
    found = consensus([ZOO[name]] * 3)
    assert found.hierarchy == bare
    assert found.support.tolist() == [1.0] * bare.n_nodes


@given(collections())
def test_neither_the_order_of_the_trees_nor_their_names_nor_the_order_of_items_matter(trees):
    rng = np.random.default_rng(len(trees))
    found = consensus(trees)
    other = consensus({f"tree {i}": shuffled(trees[i], rng) for i in rng.permutation(len(trees))})
    assert other.hierarchy == found.hierarchy


@given(collections())
def test_a_higher_threshold_keeps_fewer_clusters_and_the_highest_those_of_all_trees(trees):
    loose, strict = (
        {frozenset(c) for c in clusters(*columns(consensus(trees, threshold=t).hierarchy))} for t in (0.5, 0.99)
    )
    assert strict <= loose
    assert strict == set.intersection(*({frozenset(c) for c in clusters(*columns(tree))} for tree in trees))


def test_two_trees_have_in_common_only_what_both_hold():
    found = consensus([from_newick("(((a,b),c),d);"), from_newick("(((a,b),d),c);")])
    assert found.hierarchy == from_newick("((a,b),c,d);")
    assert found.to_frame()["items"].tolist()[-2:] == [("a", "b"), ("c", "d", "a", "b")]


def test_flat_partitions_agree_on_the_groups_that_most_have():
    labels = [[0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 2, 2], [0, 0, 0, 1, 1, 1]]
    found = consensus([from_labels(one) for one in labels])
    assert [found.hierarchy.own_items(v) for v in range(found.hierarchy.n_nodes)] == [["0", "1", "2"], ["3", "4", "5"]]
    assert repr(found) == "Consensus(6 items, 1 cluster in more than 0.5 of 3 trees)"


def test_a_deep_chain_is_an_ordinary_tree():
    found = consensus([caterpillar(2000)] * 2 + [unary_chain_of(2000)])
    assert found.n_clusters == 1998
    assert set(found.support.tolist()) == {2 / 3, 1.0}


def unary_chain_of(n):
    """A chain of unary nodes over a leaf that holds all items."""
    chain = unary_chain(n)
    return Hierarchy(chain.parent, None, [0] * n, list(map(str, range(n))))


@pytest.mark.slow
def test_five_trees_of_a_million_items_are_agreed_on_in_seconds():
    trees = [caterpillar(1_000_000)] * 5
    assert consensus(trees).n_clusters == 999_998


@pytest.mark.parametrize("threshold", [0.4, 1.0, 1.5, -1, float("nan"), True, "half", None])
def test_thresholds_that_make_no_tree_are_refused(threshold):
    with pytest.raises(InvalidInputError, match=r"threshold must be a number, at least 0\.5 and below 1; got"):
        consensus([from_labels([0, 1])], threshold=threshold)


def test_what_is_no_collection_of_trees_is_refused():
    tree = from_newick("(a,b);")
    for wrong, message in (
        ([], "consensus needs at least one tree"),
        (tree, "consensus takes several trees"),
        (3, "consensus takes a mapping or a sequence of trees; got int"),
        ([tree, "(a,b);"], "tree '1': a text must be the name of a file; got '.a,b.;' .from_newick.. takes Newick"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            consensus(wrong)


def test_trees_of_other_items_are_refused_by_name():
    trees = {"x": from_newick("(a,b);"), "y": from_newick("(b,a);"), "z": from_newick("(a,c);")}
    with pytest.raises(
        ItemMismatchError, match=r"the trees must hold the same items; 1 item of tree 'x' not in tree 'z': 'b'"
    ):
        consensus(trees)


def test_clusters_that_half_of_the_key_confuses_are_still_told_apart(monkeypatch):
    module = import_module("dendrometry.comparison.consensus")
    whole = module._keys
    monkeypatch.setattr(module, "_keys", lambda tree, key: whole(tree, key) * np.array([[0], [1]], dtype=np.uint64))
    found = consensus([from_newick("(((a,b),c),d);"), from_newick("(((a,b),d),c);")])
    assert found.hierarchy == from_newick("((a,b),c,d);")
