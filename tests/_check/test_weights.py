"""An item with a weight counts as that many items at its node."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchy_pairs

from dendrometry import Contingency, Hierarchy, Overlap, compare, from_labels, from_newick
from dendrometry.comparison import compare_overlap, compare_partitions
from dendrometry.errors import InvalidInputError, ItemMismatchError


def copies(tree: Hierarchy, weight: dict[str, int]) -> Hierarchy:
    """Return the tree with as many copies of each item as it weighs."""
    nodes = zip(tree.items, tree.item_node.tolist(), strict=True)
    placed = [(f"{name}, copy {i}", v) for name, v in nodes for i in range(weight[name])]
    return Hierarchy(tree.parent, tree.height, [v for _, v in placed], [name for name, _ in placed], tree.node_names)


@given(hierarchy_pairs(), st.data())
def test_measures_are_those_of_as_many_copies(pair, data):
    a, b = pair
    weight = {name: data.draw(st.integers(1, 4)) for name in a.items}
    found = compare(a, b, weights=weight, n_permutations=0)
    expected = compare(copies(a, weight), copies(b, weight), n_permutations=0)
    assert [(line.name, line.value, line.reason) for line in found.lines] == [
        (line.name, line.value, line.reason) for line in expected.lines
    ]
    assert found.n_items == expected.n_items
    assert found.items == ()
    assert found.item_disagreement is None


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 5)), min_size=1, max_size=8))
def test_partitions_are_those_of_as_many_copies(rows):
    a, b, weight = map(np.array, zip(*rows, strict=True))
    found = compare_partitions(a, b, weights=weight, n_permutations=0)
    expected = compare_partitions(np.repeat(a, weight), np.repeat(b, weight), n_permutations=0)
    assert [(line.name, line.value) for line in found.lines] == [(line.name, line.value) for line in expected.lines]
    names = [f"i{i}" for i in range(a.size)]
    trees = compare(from_labels(a, names), from_labels(b, names), weights=weight, n_permutations=0)
    assert [(line.name, line.value) for line in trees.lines] == [(line.name, line.value) for line in expected.lines]


def test_noise_is_dropped_with_its_weight():
    table = Contingency.of([0, 0, -1], [1, 2, 2], noise="drop", weights=[3, 4, 100])
    assert (table.n_items, table.left_out, table.count.tolist()) == (7, 1, [3, 4])


def test_weights_are_matched_by_name_and_by_index():
    a, b = from_newick("((x,y),z);"), from_newick("(y,(z,x));")
    by_name = Overlap.of(a, b, weights={"z": 3, "x": 1, "y": 2})
    assert by_name.count.tolist() == Overlap.of(a, b, weights=[1, 2, 3]).count.tolist() == [1, 2, 3]
    assert Overlap.of(a, b, weights=pd.Series([3, 2, 1], index=["z", "y", "x"])).count.tolist() == [1, 2, 3]
    labels = pd.Series([0, 1], index=["p", "q"])
    assert Contingency.of(labels, [0, 0], weights={"q": 5, "p": 1}).count.tolist() == [1, 5]


def test_weights_of_left_out_items_are_left_out():
    a, b = from_newick("((x,y),z);"), from_newick("(y,x,w);")
    overlap = Overlap.of(a, b, on_mismatch="intersect", weights=[5, 6, 7])
    assert overlap.n_items == 11
    assert overlap.left_out == (1, 1)


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1, 2], InvalidInputError, "weights must be one for each of 3 items; got 2"),
        ([1, 0, 2], InvalidInputError, "every weight must be at least 1; got 0 at position 1"),
        ([1, 0.5, 2], InvalidInputError, r"weights must .*whole numbers?.*0\.5"),
        ([2**62, 2**62, 1], InvalidInputError, r"the weights must add up to less than 2\*\*63"),
        ({"x": 1, "y": 1, "w": 1}, ItemMismatchError, "the items and the weights must name the same items"),
        ("abc", InvalidInputError, "weights"),
    ],
)
def test_refuses_weights_that_count_nothing(weights, error, message):
    tree = from_newick("((x,y),z);")
    with pytest.raises(error, match=message):
        compare(tree, tree, weights=weights)


def test_refuses_weights_of_a_table():
    with pytest.raises(InvalidInputError, match="weights are for two partitions; got a single argument"):
        compare_partitions(Contingency.of([0, 1], [0, 1]), weights=[1, 2])


def test_flat_overlaps_are_compared_as_partitions():
    a, b = from_labels(["p", "p", "q"]), from_labels([0, 1, 1])
    overlap = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 1), (0, 1, 1), (1, 1, 1)])
    found, expected = compare_overlap(overlap), compare(a, b)
    assert [(line.name, line.value) for line in found.lines] == [(line.name, line.value) for line in expected.lines]
    assert found.partition.summary() == expected.partition.summary()
    assert compare_overlap(overlap, measures=["classic_f"]).partition is None
    tree = Overlap.of(from_newick("((x,y),z);"), from_labels([0, 1, 1], ["x", "y", "z"]))
    with pytest.raises(InvalidInputError, match=r"the first tree must be flat, .*; got 5 nodes, no heights"):
        compare_overlap(tree, measures=["rand"])
