"""Scores of cuts: the definition, scikit-learn, ties, blocks, and what is undefined."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score

from dendrometry import agglomerate, cut_count, datasets, from_labels, from_linkage, from_newick
from dendrometry.cut import cut_heights
from dendrometry.errors import InvalidInputError, InvalidTreeError, ItemMismatchError, UndefinedMeasureError
from dendrometry.quality import cut_scores, score_cuts
from tests.oracles.quality import cut_scores as oracle
from tests.strategies import random_hierarchy
from tests.zoo import caterpillar

THREE_GROUPS = np.array([[0.0], [1.0], [3.0], [20.0], [21.0], [24.0], [50.0], [52.0], [57.0]])
INDICES = ("within_squares", *cut_scores.INDICES)


def clustered(n, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)) + 6.0 * rng.integers(0, 3, (n, 3))


def test_groups_that_are_far_apart_lose_no_digits():
    X = np.random.default_rng(0).normal(size=(30, 3)) + np.repeat([[0.0], [1e6]], 15, axis=0)
    tree = agglomerate(X).hierarchy
    scores = score_cuts(tree, X, max_clusters=20)
    for at, k in enumerate(scores.n_clusters.tolist()):
        labels = cut_count(tree, k).labels
        centroid = np.array([X[labels == i].mean(axis=0) for i in range(k)])
        spread = np.array([np.linalg.norm(X[labels == i] - centroid[i], axis=1).mean() for i in range(k)])
        apart = np.linalg.norm(centroid[:, None] - centroid, axis=2) + np.diag(np.full(k, np.inf))
        ratio = (spread[:, None] + spread) / apart
        assert scores.davies_bouldin[at] == pytest.approx(ratio.max(axis=1).mean(), rel=1e-9)


@given(n=st.integers(3, 10), seed=st.integers(0, 2**32), wild=st.booleans())
def test_scores_are_those_of_the_cuts_by_definition(n, seed, wild):
    rng = np.random.default_rng(seed)
    tree = random_hierarchy(n, rng, heights=True, wild=wild)
    X = rng.normal(size=(n, 2))
    try:
        scores = score_cuts(tree, X)
    except UndefinedMeasureError:
        return
    for at, k in enumerate(scores.n_clusters.tolist()):
        labels = cut_count(tree, k).labels.tolist()
        for name in INDICES:
            expected = getattr(oracle, name)(X.tolist(), labels)
            assert getattr(scores, name)[at] == pytest.approx(expected, rel=1e-9, abs=1e-9), (name, k)


@pytest.mark.parametrize(
    "linkage", ["centroid", *(pytest.param(name, marks=pytest.mark.further) for name in ("ward", "average", "single"))]
)
def test_agrees_with_scikit_learn_at_every_cut(linkage):
    X = clustered(40, 1)
    tree = agglomerate(X, linkage=linkage).hierarchy
    scores = score_cuts(tree, X, max_clusters=1000)
    assert scores.n_clusters.tolist() == list(range(2, 40))
    labels = [cut_count(tree, k).labels for k in scores.n_clusters.tolist()]
    assert scores.calinski_harabasz == pytest.approx([calinski_harabasz_score(X, own) for own in labels])
    theirs = [davies_bouldin_score(X, own) for own in labels]
    assert scores.davies_bouldin == pytest.approx(theirs, rel=1e-5)  # their distances of near points lose digits


def test_blocks_of_items_add_up(monkeypatch):
    X = clustered(100, 2)
    tree = agglomerate(X).hierarchy
    whole = score_cuts(tree, X).simplified_silhouette
    monkeypatch.setattr(cut_scores, "_ROWS", 7)
    assert score_cuts(tree, X).simplified_silhouette == pytest.approx(whole, rel=1e-12)


def test_clear_clusters_are_found_by_every_index():
    X = np.repeat([[0, 0], [30, 0], [0, 30], [30, 30]], 15, axis=0) + np.random.default_rng(0).normal(size=(60, 2))
    scores = score_cuts(agglomerate(X).hierarchy, X, max_clusters=10)
    assert scores.best == dict.fromkeys(cut_scores.INDICES, 4)
    assert repr(scores) == (
        "CutScores(60 items, 2 to 10 clusters; best 4 by calinski_harabasz, 4 by davies_bouldin,"
        " 4 by simplified_silhouette)"
    )


def test_only_cuts_at_a_height_are_chosen():
    """The zoo has many ties: a cut is reached where some height has as many clusters."""
    zoo = datasets.zoo()
    tree = agglomerate(zoo.traits, linkage="average", item_names=zoo.items).hierarchy
    scores = score_cuts(tree, zoo.traits, max_clusters=60)
    real = {cut.n_clusters for cut in cut_heights(tree, np.unique(tree.height).tolist())}
    assert scores.n_clusters[scores.is_reached].tolist() == sorted(real & set(range(2, 61)))
    assert set(scores.best.values()) <= real
    assert f"{scores.is_reached.sum()} of 59 without a tie" in repr(scores)


def test_if_every_cut_goes_through_a_tie_none_is_chosen():
    tree = from_linkage([[0, 1, 1, 2], [2, 4, 1, 3], [3, 5, 1, 4]])
    scores = score_cuts(tree, [[0], [1], [2], [3]])
    assert scores.is_reached.tolist() == [False, False]
    assert scores.best == {}
    assert "none, as all cuts go through ties" in repr(scores)
    assert "<table" in scores._repr_html_()


def test_equal_points_make_infinite_scores():
    X = np.array([[0.1], [0.1], [0.1], [5.0], [5.0]])
    scores = score_cuts(agglomerate(X).hierarchy, X)
    assert scores.n_clusters.tolist() == [2, 3, 4]
    assert scores.calinski_harabasz.tolist() == [np.inf] * 3
    assert scores.davies_bouldin.tolist() == [0.0, np.inf, np.inf]
    assert scores.simplified_silhouette.tolist() == [1.0, 0.6, 0.0]
    assert scores.within_squares.tolist() == [0.0, 0.0, 0.0]


def test_a_frame_has_a_row_for_each_number_of_clusters():
    scores = score_cuts(agglomerate(THREE_GROUPS).hierarchy, THREE_GROUPS)
    frame = scores.to_frame()
    assert frame.columns.tolist() == ["n_clusters", "is_reached", "within_squares", *cut_scores.INDICES]
    assert frame["n_clusters"].tolist() == list(range(2, 9))
    assert not frame["is_reached"].iloc[-1]


@pytest.mark.parametrize("exponent", [-300, 300])
def test_units_do_not_matter(exponent):
    tree = agglomerate(THREE_GROUPS).hierarchy
    plain, scaled = (score_cuts(tree, np.ldexp(THREE_GROUPS, e)) for e in (0, exponent))
    for name in cut_scores.INDICES:
        assert getattr(scaled, name).tolist() == getattr(plain, name).tolist()
    assert scaled.within_squares.tolist() == np.ldexp(plain.within_squares, 2 * exponent).tolist()


def test_points_are_matched_by_the_index_of_a_frame():
    X = pd.DataFrame(THREE_GROUPS, index=list("abcdefghi"))
    tree = agglomerate(X).hierarchy
    other = score_cuts(tree, X.iloc[::-1])
    assert other.simplified_silhouette.tolist() == score_cuts(tree, X).simplified_silhouette.tolist()
    with pytest.raises(ItemMismatchError, match="the tree and the points must name the same items"):
        score_cuts(tree, X.rename({"a": "z"}))


@pytest.mark.compiled
def test_a_deep_tree_works():
    n = 100_000
    scores = score_cuts(caterpillar(n), np.arange(float(n))[:, None], max_clusters=4)
    assert scores.n_clusters.tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("tree", "X", "message"),
    [
        (from_newick("(a:1,b:1);"), [[0], [1]], "at least 3 items, for 2 to n - 1 clusters; got 2"),
        (from_newick("((a:1,b:1):1,c:2);"), [[4], [4], [4]], "the points must differ; all are equal"),
        (
            from_newick("(a:1,b:1,c:1,d:1);"),
            [[0], [1], [2], [3]],
            "a cut into 2 to 3 clusters; its root has more parts",
        ),
    ],
)
def test_undefined_cases_are_refused(tree, X, message):
    with pytest.raises(UndefinedMeasureError, match=message):
        score_cuts(tree, X)


def test_refuses_what_cannot_be_scored():
    tree = from_newick("((a:1,b:1):1,c:2);")
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number from 2 on; got 1"):
        score_cuts(tree, np.eye(3), max_clusters=1)
    with pytest.raises(InvalidInputError, match="points must be dense for Euclidean distances; got a sparse matrix"):
        score_cuts(tree, sparse.csr_array(np.eye(3)))
    with pytest.raises(InvalidTreeError, match="the tree must have heights"):
        score_cuts(from_labels([0, 0, 1]), np.eye(3))
    with pytest.raises(InvalidInputError, match="points must be finite; got nan in row 1, column 0"):
        score_cuts(tree, [[0], [np.nan], [1]])


def test_a_column_that_does_not_hold_numbers_is_named():
    tree = from_newick("((a:1,b:1):1,c:2);")
    frame = pd.DataFrame({"u": [1.0, 2.0, 4.0], "kind": ["x", "y", "z"]}, index=["a", "b", "c"])
    message = r"points must be numbers; got 'x' at position 0 \('a'\) of column 'kind'$"
    with pytest.raises(InvalidInputError, match=message):
        score_cuts(tree, frame)
    with pytest.raises(InvalidInputError, match=r"got 'x' at position 0 of column 'kind'$"):
        agglomerate(pl.DataFrame(frame))
