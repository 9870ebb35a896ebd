"""New items in an old tree, against the rule in loops, the tree that results, and an estimator's predictions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cluster.placement import place as by_the_rule

import dendrometry as dm
from dendrometry.cluster import place

METRIC = {"ward": "euclidean", "single": "euclidean", "centroid": "euclidean", "average": "sqeuclidean"}


def own_below(tree, v):
    order = tree.order
    return [tree.items[i] for i in order.item[order.item_low[v] : order.item_high[v]]]


@pytest.mark.parametrize("linkage", METRIC)
@given(seed=st.integers(0, 2**32), n=st.integers(2, 12))
def test_each_item_follows_its_nearest_up_the_tree(linkage, seed, n):
    rng = np.random.default_rng(seed)
    old, new = rng.normal(size=(n, 2)), 2 * rng.normal(size=(4, 2))
    tree = dm.agglomerate(old, linkage=linkage, metric=METRIC[linkage])
    placed, tree = place(tree, old, new), tree.hierarchy
    for i, x in enumerate(new.tolist()):
        v, height, doubt = by_the_rule(tree.parent, tree.height, tree.item_node, old.tolist(), x, linkage)
        assert placed.node[i] == v
        assert placed.height[i] == pytest.approx(height)
        assert placed.doubt[i] == pytest.approx(doubt)
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
    placed = place(dm.agglomerate(old), old, [[5.4], [0.4]])
    assert placed.doubt[0] > 0.9
    assert placed.doubt[1] < 0.7


def test_an_item_far_from_all_is_in_doubt():
    old = [[0.0], [1.0], [10.0], [11.0]]
    tree = dm.agglomerate(old).hierarchy
    far = np.array([[30.0], [100.0], [1e6], [1e300]])
    placed = place(tree, old, far)
    assert (placed.node == tree.root).all()
    assert (np.diff(placed.doubt) > 0).all()
    assert placed.doubt[-1] == 1.0
    assert placed.doubt.tolist() == (1.0 - tree.height[-1] / placed.height).tolist()
    assert placed.height[-1] == pytest.approx(np.sqrt(8 / 5) * 1e300)
    assert place(dm.agglomerate(old[:2]), old[:2], [[0.0]]).doubt.tolist() == [0.0]


@pytest.mark.parametrize("linkage", METRIC)
@pytest.mark.parametrize("exponent", [-500, -1, 500, -664, 664, 1000])  # about 1e-200 to 1e300
def test_scales_make_no_difference(linkage, exponent):
    exponent //= 2 if linkage == "average" else 1  # squares of points must be heights
    rng = np.random.default_rng(1)
    old, new = rng.normal(size=(40, 3)), 2 * rng.normal(size=(30, 3))
    tree = dm.agglomerate(old, linkage=linkage, metric=METRIC[linkage])
    expected = place(tree, old, new)
    large, more = np.ldexp(old, exponent), np.ldexp(new, exponent)
    found = place(dm.agglomerate(large, linkage=linkage, metric=METRIC[linkage]), large, more)
    assert found.node.tolist() == expected.node.tolist()
    assert found.doubt.tolist() == expected.doubt.tolist()
    power = 2 if linkage == "average" else 1
    assert found.height.tolist() == np.ldexp(expected.height, power * exponent).tolist()


def test_points_far_from_zero_are_as_near_as_others():
    rng = np.random.default_rng(2)
    old, new = rng.integers(0, 1000, (40, 3)).astype(float), rng.integers(0, 1000, (30, 3)).astype(float)
    here = place(dm.agglomerate(old), old, new)
    there = place(dm.agglomerate(old + 2.0**45), old + 2.0**45, new + 2.0**45)
    assert there.node.tolist() == here.node.tolist()
    assert there.height == pytest.approx(here.height)


def test_points_at_zero_have_neighbours_at_any_distance():
    placed = place(dm.from_newick("(a:0,b:0);"), [[0.0], [0.0]], [[1e-200], [0.0]])
    assert placed.height.tolist() == [pytest.approx(np.sqrt(4 / 3) * 1e-200), 0.0]


def test_heights_beyond_all_numbers_are_refused():
    with pytest.raises(dm.errors.InvalidInputError, match="must be finite; got an overflow"):
        place(dm.agglomerate([[0.0], [1.0]]), [[0.0], [1.0]], [[1.7e308]])


def test_names_come_from_the_index():
    old = pd.DataFrame({"x": [0.0, 1.0, 7.0]}, index=["ape", "cat", "owl"])
    new = pd.DataFrame({"x": [0.1, 6.0]}, index=["elk", "jay"])
    tree = dm.agglomerate(old).hierarchy
    placed = place(tree, old.iloc[::-1], new)
    assert placed.to_frame().columns.tolist() == ["item", "node", "height", "doubt"]
    assert placed.to_frame()["item"].tolist() == ["elk", "jay"]
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
        ("((a:1,b:1):1,c:2);", [[0.0]], {}, "of the old points on euclidean, in its order; node 4 has height 2,"),
        ("((a:1,b:1)x:1,c:2);", [[0.0]], {"linkage": "average"}, "on sqeuclidean, in its order; node 4 has height 2,"),
        ("((a:2,b:2)x:1,c:3);", [[0.0]], {}, r"node 3 \('x'\) has height 2, its points say 1"),
        ("((a:2,b:2)x:1,c:3);", [[0.0]], {"linkage": "single"}, r"node 3 \('x'\) has height 2, its points say 1"),
        ("((a:1,b:0):1,c:2);", [[0.0]], {}, "node 2 has height 1, its points say 0"),
        ("((a:1,b:1):1,c:2);", [[np.nan]], {}, "points must be finite"),
    ],
)
def test_what_cannot_be_placed_is_refused(tree, new, options, reason):
    with pytest.raises(dm.errors.InvalidInputError, match=reason):
        place(dm.from_newick(tree), [[0.0], [1.0], [2.0]], new, **options)


@pytest.mark.parametrize("linkage", METRIC)
def test_a_tree_of_other_points_or_another_linkage_is_refused(linkage):
    rng = np.random.default_rng(3)
    old = rng.normal(size=(30, 2))
    tree = dm.agglomerate(old, linkage=linkage, metric=METRIC[linkage]).hierarchy
    with pytest.raises(dm.errors.InvalidInputError, match=f"must be that of {linkage} linkage"):
        place(tree, old[rng.permutation(30)], old, linkage=linkage)
    other = {"ward": "single", "single": "ward", "centroid": "single", "average": "centroid"}[linkage]
    with pytest.raises(dm.errors.InvalidInputError, match=r"has height|must not fall"):
        place(tree, old, old, linkage=other)


def test_an_agglomeration_says_its_linkage():
    old = np.random.default_rng(0).normal(size=(9, 2))
    single = dm.agglomerate(old, linkage="single")
    assert place(single, old, old + 0.1).hierarchy == place(single, old, old + 0.1, linkage="single").hierarchy
    model = dm.HierarchicalClustering(linkage="single").fit(old)
    assert place(model, old, old + 0.1).hierarchy.n_items == 18
    chain = dm.agglomerate(old, connectivity=(9,))
    for tree, linkage, reason in (
        (single, "ward", "must be of ward linkage on euclidean for items to be placed by it; it is of single on"),
        (dm.agglomerate(old, linkage="average"), None, "of average linkage on sqeuclidean .* it is of average on eucl"),
        (dm.agglomerate(old, linkage="complete"), None, "linkage must be"),
        (chain, None, "cannot know which items are adjacent"),
    ):
        with pytest.raises(dm.errors.InvalidInputError, match=reason):
            place(tree, old, old, linkage=linkage)


def test_a_tree_as_text_of_six_digits_is_that_of_its_points():
    old = np.random.default_rng(0).normal(size=(200, 2))
    tree = dm.agglomerate(old).hierarchy
    rounded = dm.Hierarchy(tree.parent, [float(f"{h:.6g}") for h in tree.height], tree.item_node, tree.items)
    assert place(rounded, old, old + 0.01).node.tolist() == place(tree, old, old + 0.01).node.tolist()


def test_an_estimator_predicts_the_clusters_of_new_samples():
    rng = np.random.default_rng(0)
    X = np.concatenate((rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 20))
    model = dm.HierarchicalClustering(n_clusters=2).fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert model.predict([[0.0, 0.5], [19.0, 21.0]]).tolist() == [model.labels_[0], model.labels_[30]]
    for scale in (1e-200, 1e160, 1e300):
        assert (
            dm.HierarchicalClustering(n_clusters=2).fit(scale * X).predict(scale * X).tolist() == model.labels_.tolist()
        )
    assert model.predict([[1e300, 1e300], [-1e-300, 0.0]]).tolist() == [model.labels_[30], model.labels_[0]]
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
