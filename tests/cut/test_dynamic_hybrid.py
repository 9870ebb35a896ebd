"""Dynamic tree cut, against its definition and R's package dynamicTreeCut 1.63."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_iris
from tests.oracles.cut.dynamic_hybrid import hybrid
from tests.zoo import ZOO

from dendrometry import agglomerate, agglomerate_distances, from_newick, to_linkage
from dendrometry.cut import cut_dynamic_hybrid
from dendrometry.errors import InvalidInputError, InvalidTreeError, ItemMismatchError

# i <- 0:59; X <- cbind((7*i^2 + 13*i) %% 97, (3*i^2 + 5*i) %% 89) + 70 * (i %% 3)
# h <- hclust(dist(X), "average"); D <- as.matrix(dist(X))
i = np.arange(60)
X = np.column_stack([(7 * i**2 + 13 * i) % 97, (3 * i**2 + 5 * i) % 89]) + 70.0 * (i % 3)[:, None]
# cutreeHybrid(h, D, minClusterSize=4, deepSplit=1)$labels
DEEP_1 = """3 2 1 3 1 1 3 2 4 3 1 4 3 1 1 3 1 4 2 2 4 5 1 1 2 1 1 3 2 4 5 2 1 3 1 1 3 2 4 2 2 4 2 2 4 3 1 1 5 1 1 3
    2 4 5 2 4 3 1 4"""
# cutreeHybrid(h, D, minClusterSize=4, deepSplit=4)$labels
DEEP_4 = """1 3 2 1 5 2 1 6 4 1 2 8 1 5 2 1 5 8 3 6 4 7 5 2 3 5 2 1 3 4 7 6 2 1 2 2 1 6 8 3 6 4 3 3 4 1 2 2 7 5 2 1
    3 4 7 6 4 1 5 8"""
# cutreeHybrid(h, D, minClusterSize=4, deepSplit=4, pamStage=FALSE)$labels
NOT_ASSIGNED = """1 3 0 1 5 0 1 6 4 1 2 8 1 5 2 1 5 8 3 6 4 7 5 2 3 5 2 1 3 4 7 6 2 1 2 2 1 6 8 3 6 4 3 0 4 1 2 0 7 5
    2 1 3 4 7 6 4 1 5 8"""
# cutreeHybrid(h, D, minClusterSize=5, deepSplit=2, cutHeight=60, pamRespectsDendro=FALSE)$labels
NEAREST = """1 4 2 1 5 2 1 6 3 1 2 3 1 5 2 1 5 3 4 6 3 0 5 2 4 5 2 1 4 3 0 6 2 1 2 2 1 6 3 4 6 3 4 5 3 1 2 2 4 5 2 1
    4 3 4 6 3 1 5 3"""
# h <- hclust(dist(iris[, 1:4]), "average"); cutreeHybrid(h, as.matrix(dist(iris[, 1:4])), minClusterSize=10)$labels
IRIS = """22222222222222222222222222222222222222222222222222 11111111111111111111111111111111111111111111111111
    31333313333331133331313133113333313333133313331331"""
FROM_R = [
    (DEEP_1, {"min_size": 4}),
    (DEEP_4, {"min_size": 4, "deep_split": 4}),
    (NOT_ASSIGNED, {"min_size": 4, "deep_split": 4, "assign": "none"}),
    (NEAREST, {"min_size": 5, "deep_split": 2, "max_height": 60, "assign": "nearest"}),
]


def large(cut):
    """The clusters of more than one item, as sets of positions."""
    found = (frozenset(np.flatnonzero(cut.labels == g).tolist()) for g in range(cut.n_clusters))
    return {cluster for cluster in found if len(cluster) > 1}


@pytest.mark.parametrize(("labels", "options"), FROM_R)
def test_clusters_are_those_of_r(labels, options):
    label = np.array(labels.split(), dtype=int)
    tree = agglomerate(X, linkage="average").hierarchy
    theirs = {frozenset(np.flatnonzero(label == g).tolist()) for g in range(1, label.max() + 1)}
    assert large(cut_dynamic_hybrid(tree, pdist(X), **options)) == theirs


def test_the_clusters_of_iris_are_those_of_r():
    label = np.array([int(digit) for digit in "".join(IRIS.split())])
    theirs = {frozenset(np.flatnonzero(label == g).tolist()) for g in (1, 2, 3)}
    flowers = load_iris().data
    tree = agglomerate(flowers, linkage="average").hierarchy
    assert large(cut_dynamic_hybrid(tree, pdist(flowers), 10)) == theirs


@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(1, 40),
    st.sampled_from(["single", "complete", "average", "ward"]),
    st.integers(2, 6),
    st.integers(0, 4),
    st.sampled_from([None, 0.7]),
    st.sampled_from(["branch", "nearest", "none"]),
)
def test_clusters_are_those_of_the_definition(seed, n, linkage, least, deep, share, assign):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2)) * np.exp(rng.normal(size=(n, 1))) + 6 * rng.integers(0, 3, (n, 1))
    tree = agglomerate(points, linkage=linkage).hierarchy
    distances = squareform(pdist(points)) if n > 1 else np.zeros((1, 1))
    cut = share and float(np.quantile(tree.height, share)) + 0.01
    ours = cut_dynamic_hybrid(tree, distances, least, deep_split=deep, max_height=cut, assign=assign)
    known = hybrid(to_linkage(tree).tolist(), distances.tolist(), least, deep, cut, assign)
    assert large(ours) == {frozenset(cluster) for cluster in known}


def test_distances_may_be_square_condensed_or_named():
    distances = squareform(pdist(X))
    names = [f"item {row}" for row in range(60)]
    tree = agglomerate_distances(distances, linkage="average", item_names=names).hierarchy
    known = cut_dynamic_hybrid(tree, distances, 4, deep_split=4).labels.tolist()
    other = np.random.default_rng(0).permutation(60)
    frame = pd.DataFrame(distances, index=names, columns=names).iloc[other, other]
    for given_as in (pdist(X), frame, distances.astype(np.float32)):
        assert cut_dynamic_hybrid(tree, given_as, 4, deep_split=4).labels.tolist() == known
    assert cut_dynamic_hybrid(to_linkage(tree), distances, 4, deep_split=4).labels.tolist() == known


@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_clusters_do_not_depend_on_the_unit(exponent):
    distances = np.ldexp(pdist(X), exponent)
    tree = agglomerate_distances(distances, linkage="average").hierarchy
    known = cut_dynamic_hybrid(agglomerate(X, linkage="average").hierarchy, pdist(X), 4, deep_split=4)
    assert large(cut_dynamic_hybrid(tree, distances, 4, deep_split=4)) == large(known)


def test_more_is_split_with_a_deeper_split():
    tree = agglomerate(X, linkage="average").hierarchy
    numbers = [len(large(cut_dynamic_hybrid(tree, pdist(X), 4, deep_split=deep))) for deep in range(5)]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]


def test_nothing_is_a_cluster_below_the_lowest_merge():
    tree = agglomerate(X, linkage="average").hierarchy
    for top in (0.0, -np.inf):
        assert cut_dynamic_hybrid(tree, pdist(X), 2, max_height=top).n_clusters == 60
    above = cut_dynamic_hybrid(tree, pdist(X), 2, max_height=np.inf)
    assert large(above) == large(cut_dynamic_hybrid(tree, pdist(X), 2, max_height=float(tree.height.max())))


def test_the_node_of_a_cluster_is_its_branch():
    tree = agglomerate(X, linkage="average").hierarchy
    cut = cut_dynamic_hybrid(tree, pdist(X), 4, deep_split=4, assign="none")
    assert tree.sizes[cut.nodes].tolist() == [len(cluster) for cluster in cut.clusters]
    grown = cut_dynamic_hybrid(tree, pdist(X), 4, deep_split=4)
    assert set(grown.nodes.tolist()) <= set(cut.nodes.tolist())


@pytest.mark.parametrize("name", [name for name, tree in ZOO.items() if tree.height is not None])
def test_edge_trees_are_cut_or_refused(name):
    tree = ZOO[name]
    distances = np.arange(tree.n_items * (tree.n_items - 1) // 2) % 5
    if tree.is_binary and (tree.own_sizes == (tree.n_children == 0)).all():
        assert cut_dynamic_hybrid(tree, distances, 2).labels.size == tree.n_items
    else:
        with pytest.raises(InvalidTreeError, match="the tree must be binary, with one item in each leaf"):
            cut_dynamic_hybrid(tree, distances, 2)


def test_bad_requests_are_refused():
    tree = agglomerate(X, linkage="average").hierarchy
    with pytest.raises(InvalidTreeError, match="heights"):
        cut_dynamic_hybrid(from_newick("((a,b),c);"), [1, 2, 3], 2)
    with pytest.raises(InvalidInputError, match="min_size must be a whole number from 2 on; got 1"):
        cut_dynamic_hybrid(tree, pdist(X), 1)
    with pytest.raises(InvalidInputError, match="deep_split must be a whole number from 0 to 4; got 5"):
        cut_dynamic_hybrid(tree, pdist(X), 2, deep_split=5)
    with pytest.raises(InvalidInputError, match="max_height must be a number; got nan"):
        cut_dynamic_hybrid(tree, pdist(X), 2, max_height=np.nan)
    with pytest.raises(InvalidInputError, match="assign must be"):
        cut_dynamic_hybrid(tree, pdist(X), 2, assign="all")
    with pytest.raises(InvalidInputError, match="there must be distances between 60 items; got those of 3"):
        cut_dynamic_hybrid(tree, [1, 2, 3], 2)
    names = [f"item {row}" for row in range(60)]
    frame = pd.DataFrame(squareform(pdist(X)), index=names, columns=names)
    with pytest.raises(ItemMismatchError, match="the tree and the distances"):
        cut_dynamic_hybrid(tree, frame, 2)
