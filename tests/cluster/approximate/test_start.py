"""Trees above given clusters equal the definition, and the upper merges of the exact tree."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from tests.oracles.cluster import start as oracle

from dendrometry import agglomerate, cut_count
from dendrometry.errors import InvalidInputError

PAIRS = [
    ("ward", "euclidean"),
    ("centroid", "euclidean"),
    ("centroid", "cosine"),
    ("average", "sqeuclidean"),
    ("average", "cosine"),
    ("average", "dot"),
    ("group_average", "sqeuclidean"),
    ("group_average", "cosine"),
    ("group_average", "dot"),
]


def merges_of(tree, n_start):
    """Return the items and the height of every merge, in order."""
    members = [set() for _ in range(tree.n_nodes)]
    for item, node in enumerate(tree.item_node.tolist()):
        members[node].add(item)
    for v, p in enumerate(tree.parent.tolist()[:-1]):
        members[p] |= members[v]
    return [(frozenset(members[v]), tree.height[v]) for v in range(n_start, tree.n_nodes)]


@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
@pytest.mark.parametrize("rounds", [False, True])
def test_merges_above_given_clusters_equal_the_definition(linkage, metric, rounds, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", 2 if rounds else 1000)
    rng = np.random.default_rng(0)
    for _ in range(8):
        X = rng.normal(size=(14, 3)) + 0.5
        labels = rng.integers(0, 6, size=14)
        built = agglomerate(X, linkage=linkage, metric=metric, start=labels)
        clusters = [np.flatnonzero(labels == label).tolist() for label in np.unique(labels)]
        expected = oracle.merges_above(X.tolist(), clusters, linkage, metric)
        got = merges_of(built.hierarchy, built.report.n_start)
        assert [union for union, _ in got] == [union for union, _ in expected]
        np.testing.assert_allclose([h for _, h in got], [h for _, h in expected], rtol=1e-9)
        assert built.report.n_start == len(clusters)


@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
def test_the_clusters_of_the_exact_tree_give_its_upper_merges(linkage, metric):
    X = np.random.default_rng(1).normal(size=(200, 4)) + 0.3
    exact = agglomerate(X, linkage=linkage, metric=metric).hierarchy
    upper = agglomerate(X, linkage=linkage, metric=metric, start=cut_count(exact, 40).labels).hierarchy
    got, expected = merges_of(upper, 40), merges_of(exact, 400 - 40)
    assert [union for union, _ in got] == [union for union, _ in expected]
    np.testing.assert_allclose([h for _, h in got], [h for _, h in expected], rtol=1e-9)


def test_single_items_give_the_exact_tree_whatever_their_labels():
    X = np.random.default_rng(2).normal(size=(60, 3))
    built = agglomerate(X, start=np.random.default_rng(3).permutation(60))
    assert built.hierarchy == agglomerate(X).hierarchy
    assert built.report == agglomerate(X, start=range(60)).report


def test_given_clusters_are_leaves_in_the_order_of_their_first_items():
    built = agglomerate([[0.0], [9.0], [1.0], [10.0]], start=["b", "a", "b", "c"], item_names=list("wxyz"))
    tree = built.hierarchy
    assert tree.item_node.tolist() == [0, 1, 0, 2]
    assert tree.height[:3].tolist() == [0.0, 0.0, 0.0]
    assert tree.parent.tolist() == [4, 3, 3, 4, -1]
    assert tree.items == ("w", "x", "y", "z")


def test_one_cluster_is_a_tree_of_one_node():
    built = agglomerate([[0.0], [1.0]], start=[7, 7])
    assert (built.hierarchy.n_nodes, built.similarity.tolist()) == (1, [0.0])


def test_the_similarity_of_a_given_cluster_is_the_mean_of_its_items_with_themselves():
    built = agglomerate([[1.0, 0.0], [2.0, 0.0], [0.0, 3.0]], linkage="average", metric="dot", start=[0, 0, 1])
    assert built.similarity.tolist() == [2.5, 9.0, 0.0]


def test_clusters_with_equal_means_merge_at_0_under_ward():
    for small in ([[0.0], [2.0], [1.0]], [[0.0], [2.0], [1.0], [1.0]]):
        tree = agglomerate(small, start=[0, 0, 1, 1][: len(small)]).hierarchy
        assert tree.height[-1] == 0.0


def test_labels_with_an_index_are_matched_by_it():
    X = pd.DataFrame([[0.0], [1.0], [9.0]], index=["a", "b", "c"])
    labels = pd.Series([1, 0, 0], index=["c", "b", "a"])
    assert agglomerate(X, start=labels).hierarchy.item_node.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": [0, 1]}, "start must have one label for each of 3 points; got 2"),
        ({"start": [0, 1, np.nan]}, "the starting partition must hold no missing label; got nan at position 2"),
        ({"start": 1}, "the starting partition must be one label for each item; got the single value 1"),
        ({"start": [0, 0, 1], "linkage": "complete"}, "start requires average on .*; ward on .*; got complete on eucl"),
        ({"start": [0, 0, 1], "linkage": "median"}, "; got median on euclidean"),
        ({"start": [0, 0, 1], "linkage": "average"}, "average on sqeuclidean, cosine, dot; .*got average on euclidean"),
        ({"start": [0, 0, 1], "tie_rng": 0}, "start takes no tie_rng; got both"),
        ({"start": [0, 0, 1], "device": "cuda"}, "start requires device='cpu' or auto; got cuda"),
    ],
)
def test_starts_that_do_not_fit_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        agglomerate([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], **options)


def test_sparse_points_are_refused():
    with pytest.raises(InvalidInputError, match="points must be dense for start; got a sparse matrix"):
        agglomerate(sparse.eye_array(3).tocsr(), linkage="average", metric="cosine", start=[0, 0, 1])
