"""Many points in one call: exact where they are few, neighbours by any library, and clear refusals."""

import importlib.util
import sys

import numpy as np
import pytest
from scipy import sparse

from dendrometry import agglomerate, pairwise_matrix
from dendrometry.cluster import agglomerate_graph, cluster_approximate
from dendrometry.cluster.approximate import neighbours
from dendrometry.errors import InvalidInputError, MissingExtraError

X = np.concatenate([np.random.default_rng(c).normal(3 * c, 1, size=(60, 6)) for c in range(5)])
LIBRARIES = ["sklearn", "faiss", pytest.param("pynndescent", marks=pytest.mark.slow)]  # compiles for a minute


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


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_gives_a_tree_like_the_exact_one(library):
    pytest.importorskip(library)
    built = cluster_approximate(X, n_neighbours=20, n_exact=75, library=library)
    assert built.hierarchy == cluster_approximate(X, n_neighbours=20, n_exact=75, library=library).hierarchy
    assert pairwise_matrix([built.hierarchy, agglomerate(X).hierarchy]).values[0, 1] > 0.9


def test_missing_neighbours_of_a_library_are_no_edges(monkeypatch):
    def search(points, count, seed, advance):
        found = true_neighbours(points, count)
        found[:, -1] = -1
        return found

    monkeypatch.setitem(neighbours._SEARCHES, "sklearn", search)
    less = cluster_approximate(X, n_neighbours=5, n_exact=40, library="sklearn").hierarchy
    monkeypatch.setitem(
        neighbours._SEARCHES, "sklearn", lambda points, count, seed, _: true_neighbours(points, count - 1)
    )
    assert less == cluster_approximate(X, n_neighbours=5, n_exact=40, library="sklearn").hierarchy


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_scale_of_the_points_does_not_change_the_tree(scale):
    expected = cluster_approximate(X, n_exact=50).hierarchy
    np.testing.assert_array_equal(cluster_approximate(X * scale, n_exact=50).hierarchy.parent, expected.parent)


def test_the_library_is_chosen_by_size_and_by_what_is_installed(monkeypatch):
    installed = {"sklearn", "faiss", "pynndescent"}
    monkeypatch.setattr(neighbours, "find_spec", lambda name: name if name in installed else None)
    assert neighbours.choose_library(1000) == "sklearn"
    assert neighbours.choose_library(10**6) == "faiss"
    installed.discard("faiss")
    assert neighbours.choose_library(10**6) == "pynndescent"
    installed.discard("pynndescent")
    assert neighbours.choose_library(10**6) == "sklearn"


def test_without_any_library_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(neighbours, "find_spec", lambda name: None)
    for name in ("faiss", "sklearn", "pynndescent"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        MissingExtraError, match="cluster_approximate\\(\\) needs faiss-cpu: pip install 'dendrometry\\[approximate\\]'"
    ):
        cluster_approximate(X, n_exact=50)


@pytest.mark.parametrize(
    ("library", "install"), [("faiss", r"'dendrometry\[approximate\]'"), ("pynndescent", "pynndescent")]
)
def test_a_library_that_is_not_installed_says_how_to_install_it(monkeypatch, library, install):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"cluster_approximate\(\) needs {library}.*: pip install {install}$"):
        cluster_approximate(X, n_exact=50, library=library)


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
        ({"library": "annoy"}, "library must be 'faiss', 'pynndescent', 'sklearn' or None; got 'annoy'"),
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


def test_the_search_by_faiss_finds_most_neighbours():
    if importlib.util.find_spec("faiss") is None:
        pytest.skip("FAISS is not installed")
    points = X.astype(np.float32)
    found = neighbours.find_neighbours(points, 10, "faiss", 0, lambda _: None)
    true = true_neighbours(points, 11)
    assert np.mean([np.isin(a, b).mean() for a, b in zip(true, found, strict=True)]) > 0.9


def test_the_search_among_many_points_finds_most_neighbours(monkeypatch):
    if importlib.util.find_spec("faiss") is None:
        pytest.skip("FAISS is not installed")
    monkeypatch.setattr(neighbours, "_FEW", 1000)
    rng = np.random.default_rng(0)
    points = (rng.normal(size=(3000, 3)) @ rng.normal(size=(3, 9)) + 0.1).astype(
        np.float32
    )  # 9 columns: codes are of 2
    found = neighbours.find_neighbours(points, 10, "faiss", 0, lambda _: None)
    some = np.arange(0, 3000, 30)
    apart = ((points[some, None] - points) ** 2).sum(axis=2)
    true = np.argsort(apart, axis=1)[:, :11]
    assert np.mean([np.isin(a, b).mean() for a, b in zip(true, found[some], strict=True)]) > 0.9
