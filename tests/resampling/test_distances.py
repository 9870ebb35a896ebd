"""Stability of trees of distances."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform

from dendrometry import agglomerate, agglomerate_distances, stability
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.resampling import Resampling, stability_of_distances

X = np.random.default_rng(0).normal(size=(24, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 8, axis=0)
D = squareform(pdist(X))


@pytest.mark.parametrize("plan", ["bootstrap", Resampling("subsample", share=0.7)])
def test_support_and_agreement_are_those_of_the_points(plan):
    options = {"linkage": "average", "resample": plan, "n_replicates": 12, "rng": 3}
    known = stability(X, **options, n_references=0)
    for distances in (D, pdist(X)):
        found = stability_of_distances(distances, **options)
        np.testing.assert_allclose(found.support.jaccard, known.support.jaccard)
        np.testing.assert_array_equal(found.support.bp, known.support.bp)
        np.testing.assert_allclose(found.agreement.values, known.agreement.values)
    assert found.agreement.choose().p_value is None


def test_a_given_tree_and_names_are_heeded():
    names = [f"item {i}" for i in range(24)]
    frame = pd.DataFrame(D, index=names, columns=names)
    assert stability_of_distances(frame, n_replicates=2).hierarchy.items == tuple(names)
    tree = agglomerate(X, linkage="complete", item_names=names).hierarchy
    known = stability(X, linkage="complete", tree=tree, n_replicates=6, n_references=0)
    other = np.random.default_rng(1).permutation(24)
    found = stability_of_distances(frame.iloc[other, other], linkage="complete", tree=tree, n_replicates=6)
    np.testing.assert_array_equal(found.support.bp, known.support.bp)
    with pytest.raises(ItemMismatchError, match="the tree and the distances"):
        stability_of_distances(frame.rename(index={"item 0": "x"}, columns={"item 0": "x"}), tree=tree)


def test_a_function_builds_the_trees():
    single = partial(agglomerate_distances, linkage="single")
    by_name, by_function = (
        stability_of_distances(D, n_replicates=4, **way) for way in ({"linkage": "single"}, {"build": single})
    )
    np.testing.assert_array_equal(by_name.support.jaccard, by_function.support.jaccard)


def test_replicates_are_kept_in_a_file(tmp_path):
    file = tmp_path / "kept.zip"
    few = stability_of_distances(D, n_replicates=3, file=file)
    more = stability_of_distances(D, n_replicates=5, file=file)
    assert (few.n_replicates, more.n_replicates) == (3, 5)
    np.testing.assert_array_equal(more.support.bp, stability_of_distances(D, n_replicates=5).support.bp)
    with pytest.raises(InvalidInputError, match="must hold replicates of the same data, options and seed"):
        stability_of_distances(D * 2, n_replicates=5, file=file)


@pytest.mark.parametrize("kind", ["columns", "noise"])
def test_what_needs_points_is_refused(kind):
    with pytest.raises(InvalidInputError, match=f"resample must be 'bootstrap' or 'subsample' for .*; got '{kind}'"):
        stability_of_distances(D, resample=kind)


def test_bad_distances_are_refused():
    with pytest.raises(InvalidInputError, match="a matrix of distances must be square"):
        stability_of_distances(D[:3])
    with pytest.raises(InvalidInputError, match="symmetric"):
        stability_of_distances(np.triu(D))
    with pytest.raises(UndefinedMeasureError, match="at least 3 items"):
        stability_of_distances([1.0])
    with pytest.raises(InvalidInputError, match="there must be distances between 24 items; got those of 3"):
        stability_of_distances([1, 2, 3], tree=agglomerate(X).hierarchy)
