"""Trees with several children per node in place of binary merges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cut.fold import folded
from tests.strategies import random_linkage, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import from_linkage, from_newick
from dendrometry.cut import fold
from dendrometry.errors import InvalidInputError


def clusters_of(tree, nodes):
    order = tree.order
    return sorted(sorted(order.item[order.item_low[v] : order.item_high[v]].tolist()) for v in nodes)


@given(wild_hierarchies(), st.integers(2, 4))
def test_the_nodes_are_those_of_the_definition(tree, most):
    start, node = tree.children
    children = [node[start[v] : start[v + 1]].tolist() for v in range(tree.n_nodes)]
    own = [tree.own_items(v) for v in range(tree.n_nodes)]
    height = None if tree.height is None else tree.height.tolist()
    expected = folded(children, own, height, tree.root, most)
    top = fold(tree, most)
    assert top.items == tree.items
    assert clusters_of(top, range(top.n_nodes)) == clusters_of(tree, sorted(expected))


@pytest.mark.parametrize("most", [2, 3, 10])
def test_no_node_has_more_children_and_all_items_stay_single(most):
    tree = from_linkage(random_linkage(300, np.random.default_rng(1)))
    top = fold(tree, most)
    assert top.n_children.max() <= most
    assert top.leaves.size == 300
    few = np.flatnonzero((top.sizes <= most) & (top.n_children > 0))
    assert (top.n_children[few] == top.sizes[few]).all()
    assert fold(tree, 2) == tree


def test_names_and_heights_stay_and_a_node_with_items_is_kept():
    tree = from_newick("((a:1,b:1)mammals:2,((c:1,d:1)birds:1,(e:1,f:1)fish:1)others:1)all;")
    top = fold(tree, 3)
    assert [name for name in top.node_names if name and name not in "abcdef"] == ["mammals", "birds", "fish", "all"]
    assert top.height[top.root] == tree.height[tree.root]


@pytest.mark.parametrize("name", ZOO)
def test_every_tree_of_the_zoo_is_folded(name):
    tree = ZOO[name]
    assert fold(tree, 10**6).depths.max() <= tree.depths.max()
    assert fold(tree).items == tree.items


def test_bad_requests_are_refused():
    tree = from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="n_children must be a whole number from 2 on; got 1"):
        fold(tree, 1)
