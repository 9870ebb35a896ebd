import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.strategies import named_clusters, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import from_newick, from_parents, to_parents
from dendrometry.errors import InvalidInputError, InvalidTreeError
from dendrometry.io.parents import ascending


@given(wild_hierarchies())
def test_every_tree_comes_back_with_its_names(tree):
    again = from_parents(*to_parents(tree))
    assert again == tree
    assert named_clusters(again) == named_clusters(tree)


@pytest.mark.parametrize("name", ZOO)
def test_every_edge_tree_comes_back(name):
    assert from_parents(*to_parents(ZOO[name])) == ZOO[name]


def test_nodes_may_come_in_any_order():
    down = from_parents([-1, 0, 0, 1, 1], item_names=["owl", "ape", "cat"])
    assert down == from_newick("(owl,(ape,cat));")
    assert (down.parent[:-1] > np.arange(4)).all()


def test_siblings_keep_their_order():
    tree = from_parents([-1, 0, 0, 0, 1, 1, 3, 3], node_names=["r", "a", "b", "c", "d", "e", "f", "g"])
    assert "".join(tree.node_names[v] for v in tree.order.node) == "radebcfg"


def test_every_leaf_holds_an_item_unless_said_otherwise():
    tree = from_parents([2, 2, -1])
    assert tree.items == ("0", "1")
    assert tree.item_node.tolist() == [0, 1]


def test_several_roots_get_a_root():
    assert from_parents([-1, -1, 1, 1], item_names=["a", "b", "c"]) == from_newick("(a,(b,c));")
    with pytest.raises(InvalidTreeError, match="must have one root; got 2"):
        from_parents([-1, -1], height=[0, 0])


def test_nodes_that_hold_nothing_are_left_out():
    tree = from_parents([3, 3, 4, 4, -1], [0, 1], item_names=["a", "b"])
    assert tree.n_nodes == 4
    assert tree.without_unary() == from_newick("(a,b);")


def test_heights_put_nodes_in_the_order_of_merging():
    tree = from_parents([4, 4, 5, 5, 6, 6, -1], height=[0, 0, 0, 0, 9, 1, 10])
    assert tree.height.tolist() == [0, 0, 0, 0, 1, 9, 10]
    assert tree.parent.tolist() == [5, 5, 4, 4, 6, 6, -1]


def test_an_inverted_node_comes_after_what_it_holds():
    tree = from_parents([4, 4, 5, 5, 6, 6, -1], height=[0, 0, 0, 0, 9, 1, 5])
    assert tree.height.tolist() == [0, 0, 0, 0, 1, 9, 5]


def test_node_names_follow_their_nodes():
    tree = from_parents([-1, 0, 0], None, None, ["a", "b"], ["root", "", ""])
    assert tree.node_names == ("", "", "root")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "at least one node; got none"),
        (([0, -1],), "parent of node 0 must be another node, 0 to 1, or -1 for a root; got 0"),
        (([-2, -1],), "parent of node 0 must be another node, 0 to 1, or -1 for a root; got -2"),
        (([5, -1],), "parent of node 0 must be another node"),
        (([1, 0],), "every node is on or below a cycle"),
        (([1, 0, -1],), "on a cycle or below one: '0', '1'"),
        (([2, 2, -1], [0, 7]), "item 1 must belong to a node from 0 to 2; got 7"),
        (([2, 2, -1], []), "at least one item; got none"),
        (([2, 2, -1], None, [0, 1]), "one value for each of 3 nodes; got 2"),
        (([2, 2, -1], None, None, ["a"]), "one item name for each of 2 items; got 1"),
        (([2, 2, -1], None, None, None, ["x"]), "node_names must be as many as the nodes, 3; got 1"),
        (([2, 2.5, -1],), "whole numbers; got 2.5 at position 1"),
    ],
)
def test_refuses_what_is_no_tree(arguments, message):
    with pytest.raises(InvalidInputError, match=message):
        from_parents(*arguments)


@given(arrays(np.float64, st.integers(1, 40), elements=st.floats(-1e300, 1e300)))
def test_radix_order_is_the_ascending(keys):
    keys = keys + 0.0  # no -0.0
    assert ascending(keys).tolist() == np.argsort(keys, kind="stable").tolist()


def test_radix_order_keeps_ties_and_signs_at_length():
    rng = np.random.default_rng(0)
    keys = np.concatenate([rng.normal(size=500).round(1), 10.0 ** rng.integers(-300, 300, 500), np.zeros(9)]) + 0.0
    assert ascending(keys).tolist() == np.argsort(keys, kind="stable").tolist()


def test_keys_that_differ_in_their_last_bits_are_sorted():
    keys = 1 + np.spacing(1.0) * np.random.default_rng(0).permutation(300)
    assert ascending(keys).tolist() == np.argsort(keys).tolist()


def test_nodes_of_several_roots_keep_their_numbers_if_children_come_first():
    tree = from_parents([2, 3, -1, -1])
    assert tree.parent.tolist() == [2, 3, 4, 4, -1]
    assert tree.item_node.tolist() == [0, 1]
