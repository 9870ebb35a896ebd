"""Dynamic tree cut by the tree alone, against its definition and R's package dynamicTreeCut 1.63."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from tests.oracles.cut.dynamic_tree import tree_cut
from tests.zoo import ZOO

from dendrometry import Hierarchy, agglomerate, from_linkage, from_newick, to_linkage
from dendrometry.cut import cut_dynamic_tree
from dendrometry.errors import InvalidInputError, InvalidTreeError

# i <- 0:59; X <- cbind((7*i^2 + 13*i) %% 97, (3*i^2 + 5*i) %% 89) + 70 * (i %% 3); h <- hclust(dist(X), "average")
i = np.arange(60)
X = np.column_stack([(7 * i**2 + 13 * i) % 97, (3 * i**2 + 5 * i) % 89]) + 70.0 * (i % 3)[:, None]
# cutreeDynamicTree(h, maxTreeHeight=NULL, minModuleSize=4)
DEEP = """3 0 1 7 2 1 3 8 4 3 2 5 7 1 2 7 1 5 9 8 4 6 1 2 9 1 0 3 0 4 6 8 0 7 2 0 3 0 5 9 0 4 0 8 4 3 2 1 6 2 2 3 9 4 6
    0 4 3 1 5"""
# cutreeDynamicTree(h, maxTreeHeight=NULL, minModuleSize=4, deepSplit=FALSE)
ONCE = """2 1 5 2 4 5 2 1 3 2 4 3 2 5 4 2 5 3 1 1 3 6 5 4 1 5 4 2 1 3 6 1 4 2 4 4 2 1 3 1 1 3 1 1 3 2 4 5 6 4 4 2 1 3 6
    1 3 2 5 3"""
# cutreeDynamicTree(h, maxTreeHeight=60, minModuleSize=5)
LOW = """3 5 2 0 1 2 3 6 4 3 1 0 0 2 1 0 2 0 5 6 4 0 2 1 5 2 1 3 5 4 0 6 1 0 1 1 3 6 0 5 6 4 5 0 4 3 1 2 0 1 1 3 5 4 0
    6 4 3 2 0"""
# cutreeDynamicTree(h, maxTreeHeight=NULL, minModuleSize=8)
LARGE = """2 3 1 2 1 1 2 3 1 2 4 1 2 1 4 2 1 1 3 3 1 2 1 4 3 1 4 2 3 1 2 3 4 2 4 4 2 3 1 3 3 1 3 3 1 2 4 1 2 1 4 2 3 1 2
    3 1 2 1 1"""
# h <- hclust(dist(iris[, 1:4]), "average"); cutreeDynamicTree(h, maxTreeHeight=NULL, minModuleSize=10)
IRIS = """62226026220222550600502522566225552656266525020206 11173713373111731117111113111777111111177113111131
    01344013004441104001010103114330410304140410041401"""
FROM_R = [
    (DEEP, {"min_size": 4}),
    (ONCE, {"min_size": 4, "deep_split": False}),
    (LOW, {"min_size": 5, "max_height": 60}),
    (LARGE, {"min_size": 8}),
]


def large(cut):
    """The clusters of more than one item, as sets of positions."""
    found = (frozenset(np.flatnonzero(cut.labels == g).tolist()) for g in range(cut.n_clusters))
    return {cluster for cluster in found if len(cluster) > 1}


@pytest.fixture(scope="module")
def tree():
    return agglomerate(X, linkage="average").hierarchy


@pytest.mark.parametrize(("labels", "options"), FROM_R)
def test_clusters_are_those_of_r(tree, labels, options):
    label = np.array(labels.split(), dtype=int)
    theirs = {frozenset(np.flatnonzero(label == g).tolist()) for g in range(1, label.max() + 1)}
    assert large(cut_dynamic_tree(tree, **options)) == theirs


def test_the_clusters_of_iris_are_those_of_r():
    label = np.array([int(digit) for digit in "".join(IRIS.split())])
    theirs = {frozenset(np.flatnonzero(label == g).tolist()) for g in range(1, 8)}
    assert large(cut_dynamic_tree(agglomerate(load_iris().data, linkage="average").hierarchy, 10)) == theirs


@settings(max_examples=100)
@given(
    st.integers(0, 10**6),
    st.integers(1, 60),
    st.sampled_from(["single", "complete", "average", "ward"]),
    st.integers(2, 7),
    st.booleans(),
    st.sampled_from([None, 0.7, 1.0, 2.0]),
)
def test_clusters_are_those_of_the_definition(seed, n, linkage, least, again, share):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2)) * np.exp(rng.normal(size=(n, 1))) + 6 * rng.integers(0, 3, (n, 1))
    grown = agglomerate(points, linkage=linkage).hierarchy
    cut = share and float(grown.height.max() * share)
    ours = cut_dynamic_tree(grown, least, deep_split=again, max_height=cut)
    known = tree_cut(to_linkage(grown).tolist(), least, again, cut)
    assert large(ours) == {frozenset(cluster) for cluster in known}


@pytest.mark.further
def test_a_cut_that_the_order_of_tied_items_changes_says_so():
    rng = np.random.default_rng(3)
    n_changed = n_told = 0
    for _ in range(25):
        points = rng.integers(0, 12, (int(rng.integers(8, 30)), 2))
        cuts = []
        for order in [np.arange(len(points)), *(rng.permutation(len(points)) for _ in range(4))]:
            names = [str(at) for at in order]
            cuts.append(cut_dynamic_tree(agglomerate(points[order], linkage="single", item_names=names).hierarchy, 3))
        found = [frozenset(map(frozenset, cut.clusters)) for cut in cuts]
        n_changed += len(set(found)) > 1
        n_told += all(cut.n_alternatives for cut in cuts)
        assert len(set(found)) == 1 or all(cut.n_alternatives for cut in cuts)
    assert n_changed >= 10
    assert n_told < 25


def test_without_ties_there_are_no_alternatives(tree):
    assert cut_dynamic_tree(tree, 4).n_alternatives == 0


def all_joins(parts, height, first):
    """Every order in which some clusters, given as node and size, can be merged two at a time at one height."""
    if len(parts) == 1:
        yield []
        return
    for pair in combinations(parts, 2):
        whole = (first, pair[0][1] + pair[1][1])
        rest = [part for part in parts if part not in pair]
        for rows in all_joins([*rest, whole], height, first + 1):
            yield [[pair[0][0], pair[1][0], height, whole[1]], *rows]


@pytest.mark.further
@pytest.mark.parametrize("seed", range(5))
def test_alternatives_are_clusters_of_other_orders_of_what_ties(seed):
    """Three pairs and two items merge at one height, below three more items: every order is known."""
    rng = np.random.default_rng(seed)
    low, high = np.sort(rng.random(3)), 1.0 + np.sort(rng.random(3))
    first = [[0, 1, low[0], 2], [2, 3, low[1], 2], [4, 5, low[2], 2]]
    last = [[8 + k, 17 + k, height, 9 + k] for k, height in enumerate(high)]
    joins = all_joins([(6, 1), (7, 1), (11, 2), (12, 2), (13, 2)], 1.0, 14)
    trees = [[*first, *rows, *last] for rows in joins]
    known = {frozenset(map(frozenset, tree_cut(Z, 2, True, None))) for Z in trees}
    cuts = [cut_dynamic_tree(from_linkage(Z), 2) for Z in trees[::20]]
    assert {frozenset(large(cut)) for cut in cuts} <= known
    assert all((cut.n_alternatives > 0) == (len(known) > 1) for cut in cuts)
    assert all(cut.n_alternatives < len(known) for cut in cuts)


@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_clusters_do_not_depend_on_the_unit(tree, exponent):
    scaled = Hierarchy(tree.parent, np.ldexp(tree.height, exponent), tree.item_node, tree.items)
    assert large(cut_dynamic_tree(scaled, 4)) == large(cut_dynamic_tree(tree, 4))


def test_clusters_do_not_depend_on_the_numbers_of_nodes(tree):
    old = np.lexsort((-np.arange(tree.n_nodes), -tree.depths))  # deep nodes first, siblings the other way round
    new = np.argsort(old)
    parent = np.append(new[tree.parent[old[:-1]]], -1)
    other = Hierarchy(parent, tree.height[old], new[tree.item_node], tree.items)
    for least in (4, 8):
        assert cut_dynamic_tree(other, least).labels.tolist() == cut_dynamic_tree(tree, least).labels.tolist()


def test_a_linkage_is_a_tree(tree):
    assert cut_dynamic_tree(to_linkage(tree), 4).labels.tolist() == cut_dynamic_tree(tree, 4).labels.tolist()


def test_the_node_of_a_cluster_is_the_lowest_that_holds_it(tree):
    cut = cut_dynamic_tree(tree, 4)
    item, low, high = tree.order.item, tree.order.item_low, tree.order.item_high
    for v, cluster in zip(cut.nodes.tolist(), cut.clusters, strict=True):
        holders = [u for u in range(tree.n_nodes) if {int(name) for name in cluster} <= set(item[low[u] : high[u]])]
        assert v == min(holders, key=lambda u: tree.sizes[u])


def test_a_height_above_the_root_counts_as_none_and_one_below_all_merges_leaves_items_alone(tree):
    assert large(cut_dynamic_tree(tree, 4, max_height=np.inf)) == large(cut_dynamic_tree(tree, 4))
    assert cut_dynamic_tree(tree, 2, max_height=-np.inf).n_clusters == 60


@pytest.mark.parametrize("name", [name for name, tree in ZOO.items() if tree.height is not None])
def test_edge_trees_are_cut_or_refused(name):
    edge = ZOO[name]
    if edge.is_binary and (edge.own_sizes == (edge.n_children == 0)).all():
        assert cut_dynamic_tree(edge, 2).labels.size == edge.n_items
    else:
        with pytest.raises(InvalidTreeError, match="the tree must be binary, with one item in each leaf"):
            cut_dynamic_tree(edge, 2)


def test_bad_requests_are_refused(tree):
    with pytest.raises(InvalidTreeError, match="heights"):
        cut_dynamic_tree(from_newick("((a,b),c);"), 2)
    with pytest.raises(InvalidInputError, match="min_size must be a whole number from 2 on; got 1"):
        cut_dynamic_tree(tree, 1)
    with pytest.raises(InvalidInputError, match="deep_split must be True or False; got 2"):
        cut_dynamic_tree(tree, 2, deep_split=2)
    with pytest.raises(InvalidInputError, match="max_height must be a number; got nan"):
        cut_dynamic_tree(tree, 2, max_height=np.nan)
