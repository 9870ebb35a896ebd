"""New items in an old tree, against the rule in loops, the tree that results, and an estimator's predictions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.cluster import place


def by_the_rule(tree, old, x, linkage):
    """The node that a point joins and the height: from its nearest point up, in loops."""
    members = [[tree.items.index(name) for name in own_below(tree, v)] for v in range(tree.n_nodes)]

    def distance(v):
        if linkage == "single":
            return min(np.linalg.norm(x - p) for p in old)
        s = len(members[v])
        return np.sqrt(2 * s / (s + 1)) * np.linalg.norm(x - np.mean([old[i] for i in members[v]], axis=0))

    v = int(tree.item_node[np.argmin([np.linalg.norm(x - p) for p in old])])
    while v != tree.root and distance(v) > tree.height[tree.parent[v]]:
        v = int(tree.parent[v])
    return v, max(distance(v), float(tree.height[v]))


def own_below(tree, v):
    order = tree.order
    return [tree.items[i] for i in order.item[order.item_low[v] : order.item_high[v]]]


@pytest.mark.parametrize("linkage", ["ward", "single"])
@given(seed=st.integers(0, 2**32), n=st.integers(2, 12))
def test_each_item_follows_its_nearest_up_the_tree(linkage, seed, n):
    rng = np.random.default_rng(seed)
    old, new = rng.normal(size=(n, 2)), 2 * rng.normal(size=(4, 2))
    tree = dm.agglomerate(old, linkage=linkage).hierarchy
    placed = place(tree, old, new, linkage=linkage)
    for i, x in enumerate(new):
        v, height = by_the_rule(tree, old, x, linkage)
        assert placed.node[i] == v
        assert placed.height[i] == pytest.approx(height)
    assert ((placed.doubt >= 0) & (placed.doubt <= 1)).all()


@given(seed=st.integers(0, 2**32), n=st.integers(2, 12))
def test_the_old_tree_is_unchanged_in_the_grown_one(seed, n):
    rng = np.random.default_rng(seed)
    old = rng.normal(size=(n, 2))
    tree = dm.agglomerate(old).hierarchy
    tree = dm.Hierarchy(tree.parent, tree.height, tree.item_node, tree.items, [f"node {v}" for v in range(2 * n - 1)])
    grown = place(tree, old, rng.normal(size=(5, 2))).hierarchy
    assert grown.restrict(tree.items).without_unary() == tree
    assert grown.is_binary
    assert grown.is_monotone
    assert set(tree.node_names) < set(grown.node_names)
    for v in range(tree.n_nodes):
        at = grown.node_names.index(f"node {v}")
        assert set(own_below(tree, v)) == set(own_below(grown, at)) & set(tree.items)
        assert grown.height[at] == tree.height[v]


def test_an_item_of_the_tree_joins_itself():
    old = np.random.default_rng(0).normal(size=(50, 3))
    tree = dm.agglomerate(old).hierarchy
    placed = place(tree, old, old)
    assert placed.node.tolist() == tree.item_node.tolist()
    assert not placed.height.any()
    assert not placed.doubt.any()


def test_an_item_between_two_clusters_is_in_doubt():
    old = [[0.0], [1.0], [10.0], [11.0]]
    placed = place(dm.agglomerate(old), old, [[5.4], [0.4], [100.0]])
    assert placed.doubt[0] > 0.9
    assert placed.node[2] == dm.agglomerate(old).hierarchy.root


def test_names_come_from_the_index():
    old = pd.DataFrame({"x": [0.0, 1.0, 7.0]}, index=["ape", "cat", "owl"])
    new = pd.DataFrame({"x": [0.1, 6.0]}, index=["elk", "jay"])
    tree = dm.agglomerate(old).hierarchy
    placed = place(tree, old.iloc[::-1], new)
    assert placed.items == ("elk", "jay")
    assert placed.hierarchy.items == ("ape", "cat", "owl", "elk", "jay")
    assert placed.node.tolist() == [0, 2]
    assert "2 new items in a tree of 3" in repr(placed)
    with pytest.raises(dm.errors.InvalidInputError, match="new items must not have the names of old ones"):
        place(tree, old, [[1.0]], item_names=["cat"])


@pytest.mark.parametrize(
    ("tree", "new", "options", "reason"),
    [
        ("((a:1,b:1):1,c:2);", [[0.0, 1.0]], {}, "new points must have 1 columns as the old; got 2"),
        ("(a:1,b:1,c:1);", [[0.0]], {}, "the tree must be binary"),
        ("((a,b),c);", [[0.0]], {}, "the tree must have heights for placing items"),
        ("((a:3,b:3):-2,c:1);", [[0.0]], {}, "must not fall towards the root"),
        ("((a:1,b:1):1,c:2);", [[0.0]], {"linkage": "median"}, "linkage must be"),
        ("((a:1,b:1):1,c:2);", [[np.nan]], {}, "points must be finite"),
    ],
)
def test_what_cannot_be_placed_is_refused(tree, new, options, reason):
    with pytest.raises(dm.errors.InvalidInputError, match=reason):
        place(dm.from_newick(tree), [[0.0], [1.0], [2.0]], new, **options)


def test_an_estimator_predicts_the_clusters_of_new_samples():
    rng = np.random.default_rng(0)
    X = np.concatenate((rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 20))
    model = dm.HierarchicalClustering(n_clusters=2).fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert model.predict([[0.0, 0.5], [19.0, 21.0]]).tolist() == [model.labels_[0], model.labels_[30]]
    with pytest.raises(dm.errors.InvalidInputError, match="must be fitted before it predicts"):
        dm.HierarchicalClustering().predict(X)
    with pytest.raises(dm.errors.InvalidInputError, match="features"):
        model.predict([[0.0]])
    with pytest.raises(dm.errors.InvalidInputError, match="predict needs the metric euclidean"):
        dm.HierarchicalClustering(linkage="average", metric="cosine").fit(X).predict(X)


def test_frames_must_have_the_same_columns():
    old = pd.DataFrame({"x": [0.0, 1.0, 7.0], "y": [5.0, 5.0, 6.0]})
    tree, new = dm.agglomerate(old).hierarchy, pd.DataFrame({"x": [0.1], "y": [5.0]})
    assert place(tree, old, new).node.tolist() == [0]
    assert place(tree, old, pd.DataFrame(new.to_numpy())).node.tolist() == [0]
    for other in (new[["y", "x"]], new.rename(columns={"y": "z"})):
        with pytest.raises(dm.errors.InvalidInputError, match="must have the columns of the old in the same order"):
            place(tree, old, other)
