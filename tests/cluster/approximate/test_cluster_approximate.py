"""Many points in one call: exact where they are few, like the exact tree where they are not, and clear refusals."""

import numpy as np
import pytest
from scipy import sparse

from dendrometry import agglomerate, pairwise_matrix
from dendrometry.cluster import agglomerate_graph, cluster_approximate
from dendrometry.errors import InvalidInputError

X = np.concatenate([np.random.default_rng(c).normal(3 * c, 1, size=(60, 6)) for c in range(5)])


def true_neighbours(points, k):
    apart = ((points[:, None] - points) ** 2).sum(axis=2)
    return np.argsort(apart, axis=1, kind="stable")[:, :k]


@pytest.mark.parametrize(("linkage", "metric"), [("ward", "euclidean"), ("average", "cosine"), ("centroid", "cosine")])
def test_few_points_are_merged_exactly(linkage, metric):
    built = cluster_approximate(X, linkage=linkage, metric=metric)
    exact = agglomerate(X, linkage=linkage, metric=metric).hierarchy
    assert built.hierarchy.parent.tolist() == exact.parent.tolist()
    np.testing.assert_allclose(built.hierarchy.height, exact.height, rtol=1e-9)
    assert built.report.graph is None


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_neighbours_graph_and_exact_merges_are_one_call(metric):
    built = cluster_approximate(
        X, linkage="average", metric=metric, n_neighbours=7, n_exact=40, item_names=map(str, range(300))
    )
    rows = X / np.linalg.norm(X, axis=1)[:, None] if metric == "cosine" else X
    near = true_neighbours(rows, 8)
    expected = agglomerate_graph(near, points=X, linkage="average", metric=metric, n_exact=40)
    assert built.hierarchy == expected.hierarchy
    assert built.report.graph == expected.report.graph


def test_the_tree_is_like_the_exact_one():
    built = cluster_approximate(X, n_neighbours=20, n_exact=75)
    assert pairwise_matrix([built.hierarchy, agglomerate(X).hierarchy]).values[0, 1] > 0.9


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_scale_of_the_points_does_not_change_the_tree(scale):
    expected = cluster_approximate(X, n_exact=50).hierarchy
    np.testing.assert_array_equal(cluster_approximate(X * scale, n_exact=50).hierarchy.parent, expected.parent)


def test_memory_is_estimated_before_the_search(monkeypatch):
    monkeypatch.setattr("dendrometry._memory.available", lambda: 10_000)
    with pytest.raises(
        InvalidInputError, match=r"ward linkage of 300 points with 25 neighbours each needs .* of memory"
    ):
        cluster_approximate(X, n_exact=50)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"linkage": "complete"}, "cluster_approximate requires .*; got complete on euclidean"),
        (
            {"linkage": "centroid"},
            "linkage must be ward, average, or centroid on cosine, .*; got centroid on euclidean",
        ),
        ({"linkage": "average", "metric": "dot"}, "metric must be euclidean, sqeuclidean, cosine for .*; got dot"),
        ({"n_neighbours": 0}, "n_neighbours must be a whole number from 1 on; got 0"),
        ({"n_exact": 0}, "n_exact must be a whole number from 1 to 300, or None; got 0"),
        ({"X": [[0.0], [np.nan]], "n_exact": 1}, "points must be finite; got nan in row 1, column 0"),
        ({"X": sparse.eye_array(3)}, "points must be dense for cluster_approximate"),
        ({"X": [[0.0], [1.0]], "linkage": "average", "metric": "cosine", "n_exact": 1}, "item 0 is a zero vector"),
    ],
)
def test_requests_that_do_not_fit_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        cluster_approximate(**{"X": X, **options})


def test_one_point_is_a_tree_of_one_leaf():
    assert cluster_approximate([[1.0, 2.0]]).hierarchy.n_nodes == 1


@pytest.mark.compiled  # many pairs
def test_more_neighbours_than_points_are_all_of_them():
    few = cluster_approximate(X, n_neighbours=299, n_exact=50).hierarchy
    assert cluster_approximate(X, n_neighbours=10**9, n_exact=50).hierarchy == few


def test_a_point_very_far_away_changes_nothing_among_the_others():
    far = np.concatenate([X, [[1e13] * 6]])
    exact = agglomerate(far).hierarchy
    built = cluster_approximate(far, n_neighbours=20, n_exact=75).hierarchy
    assert pairwise_matrix([built, exact]).values[0, 1] > 0.9
