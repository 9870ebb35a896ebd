"""Leaf order: the shortest of all orders, and near it where only some ends are kept."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import agglomerate, from_newick, to_linkage
from dendrometry.errors import InvalidInputError
from dendrometry.plot import leaf_order
from dendrometry.plot._layout.branches import branches
from tests.oracles.plot.leaf_order import allowed_orders, order_length, shortest_length
from tests.strategies import random_hierarchy


@given(st.integers(0, 10**6), st.integers(2, 8), st.sampled_from(["average", "single", "ward"]))
def test_the_order_is_the_shortest_that_the_tree_allows(seed, n, linkage):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    tree = agglomerate(X, linkage=linkage).hierarchy
    joins = to_linkage(tree)[:, :2].astype(int).tolist()
    found = leaf_order(tree, X)
    assert found.is_shortest
    assert found.order.tolist() in allowed_orders(joins, n)
    assert found.length == pytest.approx(order_length(found.order.tolist(), X.tolist()))
    assert found.length == pytest.approx(shortest_length(joins, X.tolist()))
    assert found.length_given >= found.length


@pytest.mark.parametrize("max_ends", [1, 4, 16])
def test_fewer_ends_give_an_order_of_the_tree_that_is_little_longer(max_ends):
    X = np.random.default_rng(0).normal(size=(120, 4))
    tree = agglomerate(X, linkage="average").hierarchy
    shortest, found = leaf_order(tree, X), leaf_order(tree, X, max_ends=max_ends)
    assert not found.is_shortest
    assert shortest.length <= found.length <= {1: 1.1, 4: 1.03, 16: 1.005}[max_ends] * shortest.length
    assert found.length < found.length_given


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_every_node_of_any_tree_keeps_its_items_together(seed, n):
    rng = np.random.default_rng(seed)
    tree = random_hierarchy(n, rng)
    found = leaf_order(tree, rng.normal(size=(n, 2)), max_ends=int(rng.integers(1, 5)))
    assert sorted(found.order.tolist()) == list(range(n))
    assert found.length <= found.length_given
    place = np.argsort(found.order)
    for v in range(tree.n_nodes):
        items = tree.order.item[tree.order.item_low[v] : tree.order.item_high[v]]
        assert np.ptp(place[items]) == items.size - 1
        assert place[items].min() == found.key[v]
    slots = branches(tree, key=found.key).slot[tree.item_node]
    assert (np.diff(slots[found.order]) >= 0).all()


def test_points_with_names_are_matched_and_lengths_are_in_their_unit():
    tree = from_newick("((a,b),(c,d));")
    points = pd.DataFrame({"x": [3.0, 1.0, 0.0, 9.0]}, index=list("bcad"))
    found = leaf_order(tree, points)
    assert [tree.items[i] for i in found.order] in (list("abcd"), list("abdc"), list("dcab"), list("bacd"))
    assert found.length == pytest.approx(leaf_order(tree, 1e200 * points).length / 1e200)
    assert leaf_order(tree, points, metric="sqeuclidean").length >= found.length


def test_cosine_ignores_lengths():
    X = np.random.default_rng(0).random((9, 3))
    tree = agglomerate(X).hierarchy
    first, second = (leaf_order(tree, some, metric="cosine") for some in (X, X * np.arange(1, 10)[:, None]))
    assert first.length == pytest.approx(second.length)


def test_trees_that_are_not_binary_are_never_called_shortest():
    X = [[0.0], [1.0], [2.0]]
    assert not leaf_order(from_newick("(0,1,2);"), X).is_shortest
    assert leaf_order(from_newick("((0,1),2);"), X).is_shortest
    assert leaf_order(from_newick("0;"), [[1.0]]).order.tolist() == [0]


def test_an_order_shows_its_items():
    found = leaf_order(from_newick("((a,b),c);"), [[0.0], [2.0], [3.0]])
    assert repr(found) == "LeafOrder(3 items, length 3 from 3, the shortest)"
    assert "<td" in found._repr_html_()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"max_ends": 0}, "max_ends must be a whole number from 1 on; got 0"),
        ({"metric": "dot"}, "metric must be 'euclidean', 'sqeuclidean' or 'cosine'"),
        ({"X": [[1.0]]}, "one point for each of 3 items; got 1"),
    ],
)
def test_wrong_arguments_are_refused(options, why):
    arguments = {"X": [[0.0], [2.0], [3.0]]} | options
    with pytest.raises(InvalidInputError, match=why):
        leaf_order(from_newick("((a,b),c);"), **arguments)
