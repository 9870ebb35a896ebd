"""Cuts by excess of mass and by the largest size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cut.excess_of_mass import largest_mass, masses, tied_parts
from tests.oracles.cut.size import clusters_of
from tests.strategies import random_linkage, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import Hierarchy, agglomerate, from_linkage, from_newick
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


@given(wild_hierarchies(), st.integers(1, 9), st.booleans())
def test_clusters_by_size_are_those_of_the_definition(tree, most, tie):
    height = None if tree.height is None else np.round(tree.height) if tie else tree.height
    tree = Hierarchy(tree.parent, height, tree.item_node, tree.items)
    start, node = tree.children
    children = [node[start[v] : start[v + 1]].tolist() for v in range(tree.n_nodes)]
    own = [tree.own_items(v) for v in range(tree.n_nodes)]
    known = clusters_of(children, own, None if height is None else height.tolist(), tree.root, most)
    assert sorted(map(sorted, cut_size(tree, most).clusters)) == sorted(map(sorted, known))


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


def large_clusters(points, order, cut):
    """The clusters of two or more points, by their positions."""
    found = cut(agglomerate(points[order][:, None], linkage="single").hierarchy).clusters
    return {frozenset(int(order[int(item)]) for item in cluster) for cluster in found if len(cluster) > 1}


TIED = {
    "density": lambda tree: cut_excess_of_mass(tree, 2),
    "height": lambda tree: cut_excess_of_mass(tree, 2, scale="height"),
    "size": lambda tree: cut_size(tree, 3),
}


@pytest.mark.further
@pytest.mark.parametrize("cut", TIED.values(), ids=TIED)
def test_clusters_do_not_depend_on_the_order_of_tied_points(cut):
    rng = np.random.default_rng(8)
    for _ in range(60):
        points = rng.choice(40, size=int(rng.integers(4, 13)), replace=False).astype(float)
        first = large_clusters(points, np.arange(points.size), cut)
        for _ in range(4):
            assert large_clusters(points, rng.permutation(points.size), cut) == first


@pytest.mark.parametrize("points", [[2.0, 1.0, 4.0, 6.0], [6.0, 1.0, 4.0, 2.0]])
def test_tied_merges_are_one(points):
    near = frozenset(at for at, point in enumerate(points) if point < 3)
    found = {name: large_clusters(np.array(points), np.arange(4), cut) for name, cut in TIED.items()}
    assert found == {"density": set(), "height": set(), "size": {near}}
