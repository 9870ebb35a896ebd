"""Cophenetic correlation with data: the definition, SciPy, every metric, blocks, and bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import pdist, squareform

from dendrometry import agglomerate, agglomerate_distances, from_labels, from_linkage, from_newick
from dendrometry.cluster import METRICS
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.quality import cophenetic_fit, cophenetic_fit_distances
from tests.oracles.quality import cophenetic_fit as oracle
from tests.oracles.sets.trees import plain
from tests.strategies import random_hierarchy

THREE = from_newick("((ape:1,cat:1):3,owl:4);")


@given(n=st.integers(3, 9), seed=st.integers(0, 2**32), wild=st.booleans())
def test_equals_the_definition_on_trees_of_every_kind(n, seed, wild):
    rng = np.random.default_rng(seed)
    tree = random_hierarchy(n, rng, heights=True, wild=wild)
    D = squareform(rng.integers(0, 9, n * (n - 1) // 2))
    expected = oracle.cophenetic_fit(plain(tree, tree.items), D.tolist())
    if expected is None:
        with pytest.raises(UndefinedMeasureError):
            cophenetic_fit_distances(tree, D)
    else:
        assert cophenetic_fit_distances(tree, D) == pytest.approx(expected, abs=1e-12)
        assert cophenetic_fit_distances(tree, squareform(D)) == cophenetic_fit_distances(tree, D)


@pytest.mark.parametrize("method", ["single", "average", "complete", "ward", "centroid"])
def test_agrees_with_scipy_over_several_blocks(method):
    X = np.random.default_rng(2).normal(size=(600, 3))
    Z = linkage(X, method)
    expected = cophenet(Z, pdist(X))[0]
    assert cophenetic_fit(from_linkage(Z), X) == pytest.approx(expected, rel=1e-12)
    assert cophenetic_fit_distances(from_linkage(Z), pdist(X)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_takes_every_metric(metric):
    rng = np.random.default_rng(4)
    boolean = metric in ("dice", "hamming", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
    X = rng.integers(0, 2, (40, 9)) + 0.0 if boolean else rng.random((40, 3)) + 0.1
    X[:, 0] = 1.0 if boolean else X[:, 0]
    if metric == "yule":
        X = rng.integers(0, 2, (12, 40)) + 0.0
    length = (X**2).sum(axis=1).max()
    D = squareform(pdist(X, metric)) if metric != "dot" else (length - X @ X.T) * (1 - np.eye(len(X)))
    tree = agglomerate_distances(np.maximum(np.maximum(D, D.T), 0), linkage="average").hierarchy
    expected = oracle.cophenetic_fit(plain(tree, tree.items), D.tolist())
    assert cophenetic_fit(tree, X, metric=metric) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_sparse_points_give_the_value_of_dense_ones(metric):
    X = np.random.default_rng(0).poisson(0.5, (300, 12)) + np.eye(300, 12)
    X[:, 0] += 1
    tree = agglomerate(X, linkage="average", metric=metric).hierarchy
    dense = cophenetic_fit(tree, X, metric=metric)
    assert cophenetic_fit(tree, sparse.csr_array(X), metric=metric) == pytest.approx(dense, rel=1e-12)
    with pytest.raises(InvalidInputError, match="metric must be cosine or dot for sparse points; got euclidean"):
        cophenetic_fit(tree, sparse.csr_array(X))


def test_distances_of_the_tree_itself_correlate_perfectly():
    X = np.random.default_rng(1).random((50, 2))
    Z = linkage(X, "average")
    assert cophenetic_fit_distances(from_linkage(Z), cophenet(Z)) == pytest.approx(1.0, abs=1e-14)
    assert cophenetic_fit_distances(from_linkage(Z), Z[-1, 2] - cophenet(Z)) == pytest.approx(-1.0, abs=1e-14)


def test_the_mean_over_relabellings_is_0():
    rng = np.random.default_rng(5)
    X = rng.random((30, 2))
    tree = agglomerate(X, linkage="average").hierarchy
    found = [cophenetic_fit(tree, X[rng.permutation(30)]) for _ in range(400)]
    assert np.mean(found) == pytest.approx(0.0, abs=4 * np.std(found) / 20)


@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e150])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_scale_and_position_of_points_do_not_matter(scale, shift):
    X = np.random.default_rng(6).integers(0, 1000, (30, 2)).astype(float)
    tree = agglomerate(X, linkage="average").hierarchy
    assert cophenetic_fit(tree, (X + shift) * scale) == pytest.approx(cophenetic_fit(tree, X), rel=1e-9)


def test_items_are_matched_by_the_index_of_a_frame():
    X = pd.DataFrame([[0.0], [1.0], [5.0]], index=["ape", "cat", "owl"])
    assert cophenetic_fit(THREE, X.loc[["owl", "cat", "ape"]]) == cophenetic_fit(THREE, X)
    D = pd.DataFrame(squareform([1, 5, 4]), index=X.index, columns=X.index)
    other = D.loc[["owl", "cat", "ape"], ["owl", "cat", "ape"]]
    assert cophenetic_fit_distances(THREE, other) == cophenetic_fit_distances(THREE, D)
    with pytest.raises(ItemMismatchError, match="the tree and the distances must name the same items"):
        cophenetic_fit_distances(THREE, D.rename({"ape": "yak"}, axis=0).rename({"ape": "yak"}, axis=1))


@pytest.mark.parametrize(
    ("tree", "points", "message"),
    [
        (from_newick("(ape:1,owl:1);"), [[0], [1]], "at least 3 items for a correlation; got 2"),
        (from_newick("(a:1,b:1,c:1);"), [[0], [1], [5]], "pairs must join at different heights"),
        (THREE, [[2], [2], [2]], "all distances are equal"),
        (THREE, np.eye(3), "all distances are equal"),
        (from_labels([0, 0, 1]), [[0], [1], [5]], "the tree must have heights for a cophenetic correlation"),
    ],
)
def test_undefined_cases_are_refused(tree, points, message):
    with pytest.raises(UndefinedMeasureError, match=message):
        cophenetic_fit(tree, points)


def test_refuses_what_are_no_distances_of_the_items():
    with pytest.raises(InvalidInputError, match="there must be distances between 3 items; got those of 4"):
        cophenetic_fit_distances(THREE, [1, 2, 3, 4, 5, 6])
    with pytest.raises(InvalidInputError, match="distances must be at least 0; got -1"):
        cophenetic_fit_distances(THREE, [1, 2, -1])
    with pytest.raises(InvalidInputError, match=r"metric must be .* got 'cosinus'"):
        cophenetic_fit(THREE, np.eye(3), metric="cosinus")
