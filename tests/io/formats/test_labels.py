import numpy as np
import pandas
import pytest

from dendrometry import from_labels, from_newick
from dendrometry.errors import InvalidInputError


def test_groups_become_leaves_under_a_root():
    tree = from_labels([3, 1, 3, -1], item_names=["a", "b", "c", "d"])
    assert tree.parent.tolist() == [3, 3, 3, -1]
    assert tree.item_node.tolist() == [2, 1, 2, 0]
    assert tree.node_names == ("-1", "1", "3", "")
    assert tree.height is None


@pytest.mark.parametrize(
    "labels",
    [[1, 2, 1], (1.0, 2.0, 1.0), np.array([1, 2, 1], dtype=np.uint8), pandas.Series([1, 2, 1]), ["1", "2", "1"]],
)
def test_labels_of_any_kind_give_the_same_tree(labels):
    assert from_labels(labels) == from_labels(["a", "b", "a"])


def test_huge_whole_numbers_stay_apart():
    tree = from_labels([2**63, 2**63 + 1, 1, 10**400])
    assert tree.node_names[1:3] == (str(2**63), str(2**63 + 1))
    assert tree.n_nodes == 5


def test_booleans_are_labels():
    assert from_labels([True, False]).node_names == ("False", "True", "")


def test_singletons_make_a_star():
    assert from_labels(["x", "y"], item_names=["a", "b"]) == from_newick("(a,b);")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "at least one item; got none"),
        ("abc", "one label for each item; got the single value abc"),
        ({1, 2}, "one label for each item"),
        ([1, np.nan], "no missing label; got nan at position 1"),
        ([1, 0.5], "whole numbers; got 0.5 at position 1"),
        ([1, np.inf], "whole numbers; got inf at position 1"),
        ([1, "1"], "all whole numbers, all text or all booleans; got int and str"),
        (["a", None], "no missing label; got None at position 1"),
        ([[1], [2]], r"one label for each item; got shape \(2, 1\)"),
        ([1j], "all whole numbers, all text or all booleans; got complex"),
        (7, "one label for each item"),
    ],
)
def test_refuses_what_is_no_labelling(labels, message):
    with pytest.raises(InvalidInputError, match=message):
        from_labels(labels)
