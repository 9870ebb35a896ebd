"""Trees built on graphs of neighbours equal the definition, and the exact tree if all are neighbours."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import kneighbors_graph
from tests.cluster.approximate.test_start import merges_of
from tests.oracles.cluster import graph as oracle

from dendrometry import agglomerate
from dendrometry.cluster import agglomerate_graph
from dendrometry.cluster.approximate.graph import order_by_place
from dendrometry.cluster.approximate.joining import stack_merges
from dendrometry.errors import InvalidInputError

PAIRS = [
    ("average", "sqeuclidean"),
    ("average", "cosine"),
    ("average", "dot"),
    ("centroid", "cosine"),
    ("ward", "euclidean"),
    ("complete", "euclidean"),
    ("complete", "cosine"),
    ("single", "euclidean"),
    ("single", "dot"),
]


def nearest(X, k):
    """Return the k nearest others of each point, by Euclidean distance, and their distances."""
    apart = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    near = np.argsort(apart + np.diag(np.full(len(X), np.inf)), axis=1)[:, :k]
    return near, np.take_along_axis(apart, near, axis=1)


def edges_in(near):
    return {(i, int(j)) for i, row in enumerate(near) for j in row}


def check(X, near, linkage, metric, n_exact=1):
    built = agglomerate_graph(near, points=X, linkage=linkage, metric=metric, n_exact=n_exact)
    expected = oracle.merges_on_graph(X.tolist(), edges_in(near), linkage, metric, n_exact)
    got = merges_of(built.hierarchy, len(X))
    assert {union for union, _ in got} == {union for union, _ in expected}
    heights = dict(got)
    np.testing.assert_allclose([heights[union] for union, _ in expected], [h for _, h in expected], rtol=1e-9)
    return built


@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
def test_merges_on_a_graph_equal_the_definition(linkage, metric):
    rng = np.random.default_rng(0)
    for k, d in ((1, 3), (2, 3), (4, 3), (4, 40), (8, 33)):  # of many columns, distances that are too long are left
        X = rng.normal(size=(16, d)) + 0.5
        check(X, nearest(X, k)[0], linkage, metric)


@pytest.mark.parametrize(("linkage", "metric"), PAIRS[:7])
def test_clusters_left_are_merged_exactly(linkage, metric):
    rng = np.random.default_rng(1)
    for n_exact in (4, 9, 16):
        X = rng.normal(size=(16, 3)) + 0.5
        assert check(X, nearest(X, 3)[0], linkage, metric, n_exact).report.graph.n_exact == n_exact


@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
@pytest.mark.parametrize(("n", "d"), [(40, 4), (40, 37), pytest.param(500, 4, marks=pytest.mark.compiled)])
def test_all_neighbours_give_the_exact_tree(linkage, metric, n, d):
    if n == 500 and linkage == "complete":
        n = 250  # takes the square of the items, several times
    X = np.random.default_rng(2).normal(size=(n, d)) + 0.3
    everyone = np.tile(np.arange(n), (n, 1))  # each itself included
    built = agglomerate_graph(everyone, points=X, linkage=linkage, metric=metric)
    exact = agglomerate(X, linkage=linkage, metric=metric)
    assert built.hierarchy.parent.tolist() == exact.hierarchy.parent.tolist()
    np.testing.assert_allclose(built.hierarchy.height, exact.hierarchy.height, rtol=1e-9)
    assert built.report.graph.n_edges == n * (n - 1) // 2
    assert (built.report.graph.n_parts, built.report.graph.n_exact) == (1, 1)


def test_squares_that_are_halved_to_0_are_no_ties():
    X = np.zeros((3, 40))
    X[[0, 2], 20] = X[1, 21] = 1.0
    X[1, 0] = 2.3e-162  # whose square is the least number above 0
    built = agglomerate_graph([[2, 1], [2, 2], [1, 1]], points=X, linkage="average", metric="cosine")
    assert merges_of(built.hierarchy, 3)[0] == (frozenset({0, 2}), 0.0)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_points_have_a_place(n, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.approximate.graph._WORTH_ORDER", 0)
    assert sorted(order_by_place(np.arange(4.0 * n).reshape(n, 4)).tolist()) == list(range(n))


@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
def test_the_order_in_memory_changes_nothing(linkage, metric, monkeypatch):
    X = np.random.default_rng(0).integers(1, 6, size=(60, 3)).astype(float)  # with ties
    near, _ = nearest(X, 6)
    options = {"points": X, "linkage": linkage, "metric": metric, "n_exact": 1 if linkage == "single" else 9}
    plain = agglomerate_graph(near, **options).hierarchy
    monkeypatch.setattr("dendrometry.cluster.approximate.graph._WORTH_ORDER", 0)
    assert order_by_place(X).tolist() != list(range(60))
    moved = agglomerate_graph(near, **options).hierarchy
    for a, b in zip(
        (plain.parent, plain.height, plain.item_node), (moved.parent, moved.height, moved.item_node), strict=True
    ):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
def test_separate_parts_are_joined_exactly(linkage, metric):
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=(5, 2)) + shift for shift in ((9, 1), (2, 30), (40, 5))])
    near = np.concatenate([nearest(X[start : start + 5], 2)[0] + start for start in (0, 5, 10)])
    built = check(X, near, linkage, metric)
    assert (built.report.graph.n_parts, built.report.graph.n_exact) == (3, 3)


def test_an_item_without_neighbours_is_a_part():
    X = np.random.default_rng(4).normal(size=(6, 2))
    graph = sparse.csr_array((np.ones(3), ([0, 1, 3], [1, 2, 4])), shape=(6, 6))
    assert agglomerate_graph(graph, points=X, metric="sqeuclidean").report.graph.n_parts == 3


@pytest.mark.parametrize(("linkage", "metric"), PAIRS[:7])
def test_merges_are_at_most_one_plus_epsilon_farther_than_the_nearest(linkage, metric):
    rng = np.random.default_rng(5)
    changed = 0
    for epsilon in (0.1, 1.0):
        X = rng.normal(size=(18, 3)) + 0.5
        near = nearest(X, 17)[0]
        built = agglomerate_graph(near, points=X, linkage=linkage, metric=metric, epsilon=epsilon)
        first = agglomerate_graph(near, points=X, linkage=linkage, metric=metric).hierarchy
        changed += not np.array_equal(first.parent, built.hierarchy.parent)
        merges = [(frozenset(m), h) for m, h in in_order_of_merging(X, near, linkage, metric, epsilon)]
        assert oracle.worst_ratio(X.tolist(), edges_in(near), linkage, metric, merges) <= (1 + epsilon) * (1 + 1e-9)
        assert built.report.graph.epsilon == epsilon
    assert changed or linkage == "complete"


def in_order_of_merging(X, near, linkage, metric, epsilon):
    """Return the merges as the algorithm makes them, which need not be in order of height."""
    made = []

    def keep(n, lower, node, upper):
        members = {i: {i} for i in range(n)}
        for m, (a, b, h) in enumerate(zip(lower.left.tolist(), lower.right.tolist(), lower.height, strict=True)):
            members[n + m] = members[a] | members[b]
            made.append((members[n + m], np.sqrt(h) if metric == "euclidean" else h))
        return stack_merges(n, lower, node, upper)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dendrometry.cluster.approximate.graph.stack_merges", keep)
        unscaled = X / np.exp2(np.frexp(np.abs(X).max())[1]) if metric != "cosine" else X
        agglomerate_graph(near, points=X, linkage=linkage, metric=metric, epsilon=epsilon)
    scale = np.abs(X).max() / np.abs(unscaled).max()
    power = {"cosine": 0, "euclidean": 1}.get(metric, 2)
    return [(members, h * scale**power) for members, h in made]


def test_a_sparse_matrix_and_arrays_give_the_same_tree():
    X = np.random.default_rng(6).normal(size=(30, 3))
    near, apart = nearest(X, 12)
    matrix = kneighbors_graph(X, 12, mode="distance")
    for options in ({"points": X}, {}):
        trees = [
            agglomerate_graph(*graph, linkage="single", metric="euclidean", **options).hierarchy
            for graph in ((near, apart), (matrix,), (matrix.tocsc(),), (matrix.maximum(matrix.T),))
        ]
        assert all(np.array_equal(tree.parent, trees[0].parent) for tree in trees)
        np.testing.assert_allclose(trees[0].height, agglomerate(X, linkage="single").hierarchy.height, rtol=1e-9)


def test_equal_points_merge_at_0():
    X = np.repeat(np.random.default_rng(7).normal(size=(5, 2)), 4, axis=0)
    built = agglomerate_graph(nearest(X, 5)[0], points=X, metric="sqeuclidean")
    assert (built.hierarchy.height[20:35] == 0.0).all()
    assert (built.hierarchy.height[35:] > 0.0).all()
    assert built.report.ties > 0


def test_one_item_is_a_tree_of_one_leaf():
    assert agglomerate_graph([[0]], points=[[1.0, 2.0]]).hierarchy.n_nodes == 1


def test_a_nearer_cluster_without_an_edge_gives_an_inversion():
    built = agglomerate_graph([[1], [0], [0]], points=[[0.0], [4.0], [2.1]], metric="sqeuclidean")
    assert built.report.inversions == 0
    chain = agglomerate_graph(
        [[1], [2], [1], [2]], points=[[0.0], [2.0], [5.0], [0.5]], metric="sqeuclidean", n_exact=2
    )
    assert chain.report.inversions == 1
    assert chain.hierarchy.height[-1] < chain.hierarchy.height[-2]


X3 = [[0.0], [1.0], [3.0]]


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ([[[1], [-1], [0]]], {"points": X3}, "must be items from 0 to 2; got -1 in row 1, column 0 .a missing"),
        ([[[1], [3], [0]]], {"points": X3}, "must be items from 0 to 2; got 3 in row 1, column 0"),
        ([[[1.0], [2.0], [0.0]]], {"points": X3}, "neighbours must be whole numbers, .*; got float64"),
        (
            [[[1], [2], [0]], [[1.0], [-2.0], [3.0]]],
            {},
            "distances of neighbours must be at least 0; got -2.0 at row 1",
        ),
        ([[[1], [2], [0]], [[1.0], [np.nan], [3.0]]], {}, "distances of neighbours must be finite; got nan at row 1"),
        ([[[1], [2], [0]], [[1.0, 2.0]] * 3], {}, r"must have the shape of neighbours, \(3, 1\); got \(3, 2\)"),
        ([[[1], [0], [0]], [[1.0], [1.5], [3.0]]], {}, "items 0 and 1 have 1 and 1.5 .pass points"),
        ([[[1], [0], [2]], [[1.0], [1.0], [0.0]]], {}, "the graph must be connected; got 2 parts"),
        ([[[1], [2], [0]]], {}, "distances or points must be given; got neighbours alone"),
        ([[[1], [2], [0]]], {"linkage": "average", "metric": "cosine"}, "points must be given for average linkage"),
        ([[[1], [2], [0]]], {"points": X3[:2]}, "one point for each of the 3 items of the graph; got 2"),
        ([[[1], [2], [0]]], {"points": sparse.eye_array(3)}, "points must be dense for agglomerate_graph"),
        ([[[1], [2], [0]]], {"points": X3, "n_exact": 2}, "n_exact must be 1 for single linkage"),
        ([[[1], [2], [0]]], {"points": X3, "n_exact": 4}, "n_exact must be a whole number from 1 to 3; got 4"),
        ([[[1], [2], [0]]], {"points": X3, "epsilon": -0.1}, "epsilon must be a finite number, at least 0; got -0.1"),
        ([[[1], [2], [0]]], {"points": X3, "linkage": "weighted"}, "must be average, ward, single or complete on a gr"),
        ([[[1], [2], [0]]], {"points": X3, "metric": "cityblock"}, "metric must be euclidean, .* on a graph; got city"),
        (
            [[[1], [2], [0]]],
            {"points": X3, "linkage": "average"},
            "a graph requires average on .*; got average on eucl",
        ),
        ([sparse.eye_array(3), [[1.0]]], {}, "distances must not be given beside a sparse matrix"),
        ([sparse.csr_array(np.ones((2, 3)))], {}, r"a graph must be a square matrix .*; got shape \(2, 3\)"),
        ([sparse.csr_array([[0.0, -1.0], [1.0, 0.0]])], {}, "at least 0; got -1.0 at row 0, column 1"),
        ([sparse.csr_array([[0.0, 2.0], [1.0, 0.0]])], {}, "items 0 and 1 have 1 and 2"),
    ],
)
def test_graphs_that_do_not_fit_are_refused(graph, options, message):
    with pytest.raises(InvalidInputError, match=message):
        agglomerate_graph(*graph, **{"linkage": "single", "metric": "euclidean", **options})
