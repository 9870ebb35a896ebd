"""Cuts by excess of mass and by the largest size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cut.excess_of_mass import largest_mass, masses, tied_parts
from tests.strategies import random_linkage, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import agglomerate, from_linkage, from_newick
from dendrometry.cut import cut_excess_of_mass, cut_size
from dendrometry.errors import InvalidInputError, InvalidTreeError, UndefinedMeasureError


@given(st.integers(0, 10**6), st.integers(2, 14), st.integers(2, 4), st.sampled_from(["density", "height"]))
def test_no_other_clusters_have_more_mass(seed, n, least, scale):
    tree = from_linkage(random_linkage(n, np.random.default_rng(seed)))
    start, node = tree.children
    children = [node[start[v] : start[v + 1]].tolist() for v in range(tree.n_nodes)]
    order = tree.order
    spans = zip(order.item_low.tolist(), order.item_high.tolist(), strict=True)
    items = [set(order.item[a:b].tolist()) for a, b in spans]
    children = [tied_parts(children, tree.height.tolist(), v) for v in range(tree.n_nodes)]
    known = masses(children, items, tree.height.tolist(), tree.root, least, scale == "density")
    cut = cut_excess_of_mass(tree, least, scale=scale)
    ours = [frozenset(np.flatnonzero(cut.labels == g).tolist()) for g in range(cut.n_clusters)]
    chosen = [cluster for cluster in ours if len(cluster) > 1]
    assert sum(known[cluster] for cluster in chosen) == pytest.approx(largest_mass(known))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("least", [2, 5, 9])
def test_clusters_of_single_linkage_are_those_of_hdbscan(seed, least):
    cluster = pytest.importorskip("sklearn.cluster")
    points = np.random.default_rng(seed).normal(size=(80, 2)) + np.repeat([[0, 0], [5, 0], [0, 5], [9, 9]], 20, axis=0)
    theirs = cluster.HDBSCAN(min_cluster_size=least, min_samples=1, copy=True).fit(points).labels_
    cut = cut_excess_of_mass(agglomerate(points, linkage="single").hierarchy, least)
    ours = {frozenset(c) for c in cut.clusters if len(c) > 1}
    assert ours == {frozenset(np.flatnonzero(theirs == g).astype(str).tolist()) for g in set(theirs.tolist()) - {-1}}


@given(wild_hierarchies(), st.integers(1, 9))
def test_clusters_are_as_large_as_the_size_allows(tree, most):
    cut = cut_size(tree, most)
    leaves = {frozenset(tree.own_items(v)) for v in tree.leaves.tolist()}
    larger = [int(size) for size in np.unique(tree.sizes) if size > most]
    for members, v in zip(cut.clusters, cut.nodes.tolist(), strict=True):
        assert len(members) <= most or frozenset(members) in leaves
        while tree.parent[v] >= 0 and tree.sizes[v] <= len(members):
            v = int(tree.parent[v])
        assert tree.sizes[v] == len(members) or int(tree.sizes[v]) in larger


@pytest.mark.parametrize("name", [name for name, tree in ZOO.items() if tree.height is not None])
def test_edge_trees_are_cut(name):
    cut = cut_excess_of_mass(ZOO[name], 2, scale="height")
    assert cut.labels.size == ZOO[name].n_items


def test_bad_requests_are_refused():
    with pytest.raises(InvalidTreeError, match="heights"):
        cut_excess_of_mass(from_newick("((a,b),c);"), 2)
    with pytest.raises(UndefinedMeasureError, match="items must leave clusters above height 0 for densities"):
        cut_excess_of_mass(ZOO["all at height 0"], 2)
    with pytest.raises(InvalidInputError, match="min_size must be a whole number from 2 on; got 1"):
        cut_excess_of_mass(ZOO["balanced"], 1)
    with pytest.raises(InvalidInputError, match="max_size must be a whole number from 1 on; got 0"):
        cut_size(ZOO["balanced"], 0)


def large_clusters(points, order, **options):
    """The clusters of two or more points, by their positions."""
    tree = agglomerate(points[order][:, None], linkage="single").hierarchy
    found = cut_excess_of_mass(tree, 2, **options).clusters
    return {frozenset(int(order[int(item)]) for item in cluster) for cluster in found if len(cluster) > 1}


@pytest.mark.parametrize("scale", ["density", "height"])
def test_mass_does_not_depend_on_the_order_of_tied_points(scale):
    rng = np.random.default_rng(8)
    for _ in range(60):
        points = rng.choice(40, size=int(rng.integers(4, 13)), replace=False).astype(float)
        first = large_clusters(points, np.arange(points.size), scale=scale)
        for _ in range(4):
            assert large_clusters(points, rng.permutation(points.size), scale=scale) == first


def test_tied_merges_are_one():
    for points in ([2.0, 1.0, 4.0, 6.0], [6.0, 1.0, 4.0, 2.0]):
        assert large_clusters(np.array(points), np.arange(4)) == set()
