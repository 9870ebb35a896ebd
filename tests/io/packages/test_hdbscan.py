"""The trees of HDBSCAN: that of scikit-learn's model, and condensed trees as the package hdbscan keeps them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import HDBSCAN

import dendrometry as dm
from dendrometry.errors import InvalidInputError, InvalidTreeError

KINDS = [("parent", np.intp), ("child", np.intp), ("lambda_val", float), ("child_size", np.intp)]
# Seven points: 6 is noise, 5 falls out of a cluster of three, and a pair of duplicates has no distance.
RECORDS = [
    (7, 6, 0.2, 1),
    (7, 8, 0.5, 3),
    (7, 9, 0.5, 3),
    (8, 0, 1.0, 1),
    (8, 1, 2.0, 1),
    (8, 2, 2.0, 1),
    (9, 5, 0.8, 1),
    (9, 3, np.inf, 1),
    (9, 4, np.inf, 1),
]


class Condensed:
    """As hdbscan's CondensedTree."""

    def to_numpy(self):
        return np.array(RECORDS, dtype=KINDS)


class Model:
    """As hdbscan's fitted HDBSCAN, whose trees raise an error before it is fitted."""

    condensed_tree_ = Condensed()

    def fit(self, X):
        return self

    @property
    def single_linkage_tree_(self):
        raise AttributeError("No single linkage tree was generated; try running fit first.")


def test_the_condensed_tree_has_points_where_they_fall_out():
    tree = dm.io.from_hdbscan(Model(), list("abcdefg"), tree="condensed")
    assert (
        tree
        == dm.io.from_hdbscan(Condensed(), list("abcdefg"))
        == dm.io.from_hdbscan(Condensed().to_numpy(), list("abcdefg"))
    )
    held = {tree.node_names[v]: (set(tree.own_items(v)), tree.height[v]) for v in range(tree.n_nodes)}
    assert held == {"7": ({"g"}, 2.0), "8": ({"a", "b", "c"}, 0.5), "9": ({"d", "e", "f"}, 0.0)}


def test_a_tree_may_be_a_frame():
    frame = pd.DataFrame(Condensed().to_numpy())
    expected = dm.io.from_hdbscan(Condensed())
    assert expected == dm.io.from_hdbscan(frame) == dm.io.as_hierarchy(frame)
    merges = [[4, 0, 1, 1.0, 2], [5, 2, 3, 2.0, 2], [6, 4, 5, 3.0, 4]]
    single = pd.DataFrame(merges, columns=["parent", "left_child", "right_child", "distance", "size"])
    expected = dm.from_linkage([row[1:] for row in merges])
    assert expected == dm.io.from_hdbscan(single, list("0123")) == dm.io.as_hierarchy(single)
    with pytest.raises(InvalidInputError, match=r"must have the columns parent, child, .*; got 'parent', 'child'"):
        dm.io.from_hdbscan(frame[["parent", "child"]])
    with pytest.raises(InvalidInputError, match="a frame of HDBSCAN must hold numbers; got could not convert"):
        dm.io.from_hdbscan(frame.assign(child="x"))
    with pytest.raises(InvalidInputError, match="child of a condensed tree must"):
        dm.io.from_hdbscan(frame.assign(child=np.nan))


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_single_linkage_of_scikit_learn_is_read():
    X = np.random.default_rng(0).random((30, 2))
    model = HDBSCAN(min_cluster_size=3, copy=True).fit(X)
    tree = dm.io.from_hdbscan(model, [f"p{i}" for i in range(30)])
    assert (tree.n_items, tree.is_binary, tree.is_monotone) == (30, True, True)
    distance = np.linalg.norm(X[:, None] - X[None], axis=2)
    core = np.sort(distance, axis=1)[:, 2]  # min_samples is min_cluster_size, the point itself counted
    reach = np.maximum(distance, np.maximum(core[:, None], core[None]))
    expected = dm.agglomerate_distances(reach[np.triu_indices(30, 1)], linkage="single", item_names=tree.items)
    assert np.allclose(np.sort(tree.height), np.sort(expected.hierarchy.height))
    assert dm.to_linkage(dm.io.from_hdbscan(model)).shape == (29, 4)


def test_refuses_models_without_the_tree():
    with pytest.raises(InvalidInputError, match="must have a condensed tree; got HDBSCAN without one"):
        dm.io.from_hdbscan(HDBSCAN(), tree="condensed")
    with pytest.raises(InvalidInputError, match="must have a single_linkage tree; got Model without one"):
        dm.io.from_hdbscan(Model())
    with pytest.raises(
        InvalidInputError, match="model must be a fitted HDBSCAN, one of its trees, an array or a frame; got int"
    ):
        dm.io.from_hdbscan(3)
    with pytest.raises(InvalidInputError, match="the records must be those of a single linkage"):
        dm.io.from_hdbscan(np.zeros(3))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "at least one record"),
        (RECORDS[1:], "must hold each of its 7 points once; got 6 records"),
        ([*RECORDS, (9, 8, 1.0, 3)], "must have one parent; 8 has two"),
        ([(2, 0, 0.0, 1), (2, 1, 0.0, 1)], "lambda_val of a condensed tree must be positive"),
    ],
)
def test_refuses_records_that_are_not_a_tree(records, message):
    with pytest.raises(InvalidTreeError, match=message):
        dm.io.from_hdbscan(np.array(records, dtype=KINDS))
