"""Trees of adjacent clusters equal the definition and scikit-learn's, and no cluster is ever disconnected."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist, squareform
from sklearn.cluster import linkage_tree, ward_tree
from sklearn.feature_extraction.image import grid_to_graph
from sklearn.neighbors import kneighbors_graph
from tests.cluster.approximate.test_start import merges_of
from tests.oracles.cluster import connected as oracle

from dendrometry import HierarchicalClustering, agglomerate, agglomerate_distances, cut_count
from dendrometry.cluster import LINKAGES
from dendrometry.errors import InvalidInputError, ItemMismatchError

BY_SUMS = [("ward", "euclidean"), ("average", "sqeuclidean"), ("average", "cosine"), ("centroid", "dot")]


def random_map(rng, n, n_edges):
    """Random edges between n items, as pairs and as a matrix."""
    pairs = {tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(n_edges)}
    first, second = np.array(sorted(pairs)).T
    return pairs, sparse.coo_array((np.ones(first.size), (first, second)), shape=(n, n))


def points_on_a_map(shape, seed=0):
    return np.random.default_rng(seed).normal(size=(int(np.prod(shape)), 3)) + 0.5


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("least", [0, 3])
def test_adjacent_clusters_merge_by_definition(linkage, least):
    rng = np.random.default_rng(0)
    for n_edges in (10, 14, 30):
        distances = rng.integers(1000, 9000, size=36)
        edges, graph = random_map(rng, 9, n_edges)
        if least and min(len(oracle.part_of(i, edges)) for i in range(9)) < least:
            edges, graph = {(i, i + 1) for i in range(8)}, sparse.eye_array(9, k=1)
        built = agglomerate_distances(distances, linkage=linkage, connectivity=graph, min_size=least or None)
        first, expected = oracle.merges_on_map(linkage, squareform(distances).tolist(), edges, least)
        tree = built.hierarchy
        leaves = {frozenset(np.flatnonzero(tree.item_node == v).tolist()) for v in tree.leaves}
        assert leaves == first
        power = 0.5 if LINKAGES[linkage].squared else 1.0
        got = dict(merges_of(tree, len(leaves)))
        assert got == pytest.approx({union: float(height) ** power for union, height in expected}, rel=1e-9)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_points_give_the_tree_of_their_distances(linkage):
    X = points_on_a_map((4, 5))
    by_distance = agglomerate_distances(cdist(X, X), linkage=linkage, connectivity=(4, 5), min_size=2).hierarchy
    by_points = agglomerate(X, linkage=linkage, connectivity=(4, 5), min_size=2).hierarchy
    assert by_points.parent.tolist() == by_distance.parent.tolist()
    np.testing.assert_allclose(by_points.height, by_distance.height, rtol=1e-9)


@pytest.mark.parametrize(("linkage", "metric"), [*BY_SUMS, ("single", "cityblock"), ("complete", "cosine")])
def test_if_all_are_adjacent_the_tree_is_that_without_connectivity(linkage, metric):
    X = points_on_a_map((30,))
    free = agglomerate(X, linkage=linkage, metric=metric)
    built = agglomerate(X, linkage=linkage, metric=metric, connectivity=np.ones((30, 30), dtype=bool))
    assert built.hierarchy.parent.tolist() == free.hierarchy.parent.tolist()
    np.testing.assert_allclose(built.hierarchy.height, free.hierarchy.height, rtol=1e-9)
    np.testing.assert_allclose(built.similarity, free.similarity, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("linkage", ["ward", "single"])
def test_trees_of_20_maps_are_those_of_scikit_learn(linkage):
    for seed in range(20):
        X = points_on_a_map((6, 7), seed)
        graph = grid_to_graph(6, 7)
        if linkage == "ward":
            children, *_, height = ward_tree(X, connectivity=graph, return_distance=True)
        else:
            children, *_, height = linkage_tree(X, connectivity=graph, linkage="single", return_distance=True)
        members = [frozenset([i]) for i in range(42)]
        for a, b in children.tolist():
            members.append(members[a] | members[b])
        got = dict(merges_of(agglomerate(X, linkage=linkage, connectivity=graph).hierarchy, 42))
        assert got == pytest.approx(dict(zip(members[42:], height.tolist(), strict=True)), rel=1e-9)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_no_cluster_of_any_cut_is_disconnected(linkage):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(25, 2))
    edges, graph = random_map(rng, 25, 24)
    built = agglomerate(X, linkage=linkage, connectivity=graph)
    assert built.report.graph.n_parts > 1
    for k in range(built.report.graph.n_parts, 26):
        for cluster in cut_count(built.hierarchy, k).clusters:
            assert oracle.is_connected({int(name) for name in cluster}, edges)


@pytest.mark.parametrize("linkage", ["ward", "single", "complete"])
def test_every_cluster_holds_the_least_sum(linkage):
    X, people = points_on_a_map((6, 8)), np.random.default_rng(1).integers(1, 100, size=48)
    built = agglomerate(X, linkage=linkage, connectivity=(6, 8), min_size=300, item_size=people)
    tree = built.hierarchy
    held = np.bincount(tree.item_node, weights=people, minlength=tree.n_nodes)[tree.leaves]
    assert 1 < held.size == built.report.n_start < 10
    assert held.min() >= 300
    edges = set(zip(*(x.tolist() for x in grid_to_graph(6, 8).coords), strict=True))
    assert all(oracle.is_connected(set(np.flatnonzero(tree.item_node == v).tolist()), edges) for v in tree.leaves)


def test_what_items_count_is_matched_by_name():
    X = pd.DataFrame(points_on_a_map((4,)), index=list("abcd"))
    people = pd.Series([9, 1, 1, 9], index=list("dcba"))
    built = agglomerate(X, connectivity=(4,), min_size=9, item_size=people[::-1])
    assert built.hierarchy == agglomerate(X, connectivity=(4,), min_size=9, item_size=[9, 1, 1, 9]).hierarchy


def test_the_shape_of_a_grid_stands_for_its_matrix():
    X = points_on_a_map((2, 3, 4))
    expected = agglomerate(X, connectivity=grid_to_graph(2, 3, 4)).hierarchy
    assert agglomerate(X, connectivity=(2, 3, 4)).hierarchy == expected
    in_time = agglomerate(X, connectivity=sparse.eye_array(24, k=-1)).hierarchy
    assert agglomerate(X, connectivity=(24,)).hierarchy == in_time
    assert in_time != expected


def test_an_image_of_one_colour_gives_a_flat_tree():
    """Of ties, the clusters formed first merge first; if one swallowed its neighbours, the tree would be a comb."""
    built = agglomerate(np.zeros((1024, 1)), connectivity=(32, 32))
    assert built.hierarchy.depths.max() < 40
    assert built.report.ties > 900


def test_a_single_point_is_a_tree():
    assert agglomerate([[1.0]], connectivity=(1,)).hierarchy.n_nodes == 1
    assert agglomerate_distances(np.zeros((1, 1)), connectivity=(1,), min_size=1).hierarchy.n_nodes == 1


def test_stored_zeros_are_no_edges():
    graph = sparse.csr_array((np.array([1.0, 0.0]), ([0, 1], [1, 2])), shape=(3, 3))
    assert agglomerate([[0.0], [1.0], [1.1]], connectivity=graph).report.graph.n_parts == 2


def test_the_estimator_takes_connectivity():
    X = points_on_a_map((4, 5))
    model = HierarchicalClustering(n_clusters=3, connectivity=(4, 5)).fit(X)
    assert model.hierarchy_.height.tolist() == agglomerate(X, connectivity=(4, 5)).hierarchy.height.tolist()
    with pytest.raises(InvalidInputError, match="predict cannot know which samples are adjacent"):
        model.predict(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"connectivity": (3, 3)}, r"connectivity as a tuple must be the shape of a grid of 6 cells; got \(3, 3\)"),
        ({"connectivity": (2.0, 3)}, "must be the shape of a grid of 6 cells"),
        ({"connectivity": ()}, "must be the shape of a grid of 6 cells"),
        ({"connectivity": [2, 3]}, r"as a tuple; got \[2, 3\], did you mean the tuple \(2, 3\)\?"),
        ({"connectivity": np.array([2, 3])}, r"got array\(\[2, 3\]\), did you mean the tuple \(2, 3\)\?"),
        ({"connectivity": 6}, r"got 6, did you mean the tuple \(6,\)\?"),
        ({"connectivity": [2, 2]}, r"or the shape of a grid as a tuple; got \[2, 2\]$"),
        ({"connectivity": [[1, 0], [0]]}, "connectivity must be an array of numbers; got list"),
        ({"connectivity": np.ones((5, 5))}, r"connectivity must be a matrix of 6 × 6.*; got shape \(5, 5\)"),
        ({"connectivity": np.full((6, 6), np.nan)}, "connectivity must be numbers, 0 where items are not adjacent"),
        ({"connectivity": kneighbors_graph}, "must be what the function returns for the points, a matrix; got the"),
        ({"connectivity": (6,), "min_size": 7}, "part must hold at least 7; all items are connected, and hold 6"),
        ({"connectivity": np.diag([1, 1, 0, 1, 1], 1), "min_size": 4}, "least 4; that of '0', one of 2, holds 3"),
        ({"connectivity": (6,), "item_size": [1] * 6}, "min_size must be given for item_size"),
        ({"connectivity": (6,), "min_size": 2, "item_size": [1] * 5}, "one number for each of 6 items; got 5"),
        ({"connectivity": (6,), "min_size": 2, "item_size": [1] * 5 + [-1]}, "at least 0; got -1.0 at position 5"),
        ({"min_size": 2}, "min_size requires connectivity; got none"),
        ({"connectivity": (6,), "tie_rng": 0}, "connectivity takes no tie_rng; got both"),
        ({"connectivity": (6,), "start": [0] * 6}, "start takes no connectivity; got both"),
        ({"connectivity": (6,), "device": "cuda"}, "connectivity requires device=.cpu. or auto; got cuda"),
    ],
)
def test_refuses_what_does_not_fit(options, message):
    with pytest.raises(InvalidInputError, match=message):
        agglomerate(points_on_a_map((6,)), **options)


def test_refuses_sparse_points():
    with pytest.raises(InvalidInputError, match="points must be dense for connectivity"):
        agglomerate(sparse.eye_array(6, format="csr"), metric="cosine", linkage="average", connectivity=(6,))


def test_a_frame_of_adjacency_is_matched_by_the_names_of_its_rows_and_columns():
    names = [f"town {i}" for i in range(8)]
    X = pd.DataFrame(points_on_a_map((8,)), index=names)
    chain = np.eye(8, k=1) + np.eye(8, k=-1)
    near = pd.DataFrame(chain, index=names, columns=names)
    expected = agglomerate(X, connectivity=(8,)).hierarchy
    rows, columns = np.random.default_rng(0).permuted([names, names], axis=1)
    for frame in (near, near.loc[rows, columns], near.loc[rows, rows], pd.DataFrame(chain, index=names)):
        found = agglomerate(X, connectivity=frame).hierarchy
        assert found.parent.tolist() == expected.parent.tolist()
        assert found.height.tolist() == expected.height.tolist()
        fitted = HierarchicalClustering(3, connectivity=frame).fit(X)
        assert fitted.hierarchy_.parent.tolist() == expected.parent.tolist()
        found = agglomerate(X.to_numpy(), item_names=names, connectivity=frame).hierarchy
        assert found.parent.tolist() == expected.parent.tolist()
    by_place = agglomerate(X.to_numpy(), connectivity=near.loc[:, columns]).hierarchy
    assert by_place.parent.tolist() == expected.parent.tolist()
    sizes = pd.Series(range(8), index=names)
    found = agglomerate(X.to_numpy(), item_names=names, connectivity=(8,), min_size=6, item_size=sizes[::-1])
    assert found.hierarchy == agglomerate(X, connectivity=(8,), min_size=6, item_size=sizes).hierarchy
    with pytest.raises(ItemMismatchError, match="the points and connectivity must name the same items"):
        agglomerate(X, connectivity=near.add_suffix("!").add_suffix("!", axis=0))
    with pytest.raises(ItemMismatchError, match="the rows and the columns of connectivity must name the same items"):
        agglomerate(X, connectivity=near.add_suffix("!"))
