"""Fidelity: a tree beside the exact trees of two samples, judged on what these share."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dendrometry import agglomerate, pairwise_matrix
from dendrometry.cluster import buckshot, cluster_large
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.generate import random_tree
from dendrometry.resampling import fidelity

rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(scale * c, 1, size=(40, 4)) for c, scale in enumerate((0, 9, 7, 10))])
TREE = agglomerate(X).hierarchy


def test_values_are_the_agreement_on_the_items_that_two_samples_share():
    found = fidelity(X, TREE, sample=60, rng=3)
    drawn = np.random.default_rng(3).choice(160, 90, replace=False)
    shared = [str(i) for i in drawn[:30]]
    trees = [TREE.restrict(shared)]
    for some in (np.sort(drawn[:60]), np.sort(np.concatenate([drawn[:30], drawn[60:]]))):
        built = agglomerate(X[some], item_names=[str(i) for i in some])
        trees.append(built.hierarchy.restrict(shared))
    agreed = pairwise_matrix(trees).values
    assert found.value == pytest.approx((agreed[0, 1] + agreed[0, 2]) / 2)
    assert found.yardstick == pytest.approx(agreed[1, 2])
    assert (found.n_items, found.n_sampled, found.n_shared) == (160, 60, 30)


def test_the_exact_tree_is_as_near_as_the_yardstick_and_a_random_one_is_not():
    exact = [fidelity(X, TREE, rng=seed) for seed in range(3)]
    chance = [fidelity(X, random_tree(160, rng=seed), rng=seed) for seed in range(3)]
    assert sum(each.value for each in exact) > 0.9 * sum(each.yardstick for each in exact)
    assert abs(sum(each.value for each in chance)) < 0.3


def test_at_most_two_thirds_of_the_items_are_sampled():
    assert fidelity(X, TREE).n_sampled == 106
    few = X[:9]
    assert fidelity(few, agglomerate(few).hierarchy).n_shared == 3


def test_a_tree_with_many_items_in_a_leaf_is_judged_too():
    unit = X + 20.0
    built = buckshot(unit, 8, rng=0)
    found = fidelity(sparse.csr_array(unit), built.hierarchy, linkage="group_average", metric="cosine")
    assert -1 < found.value <= 1


def test_an_index_names_the_items():
    frame = pd.DataFrame(X, index=[f"i{i}" for i in range(160)])
    tree = agglomerate(frame).hierarchy
    assert fidelity(frame.iloc[::-1], tree) == fidelity(X, tree)
    with pytest.raises(ItemMismatchError):
        fidelity(frame, TREE)


def test_the_same_seed_gives_the_same_result():
    tree = cluster_large(X, n_exact=30).hierarchy
    assert fidelity(X, tree, rng=5) == fidelity(X, tree, rng=5)
    assert fidelity(X, tree, rng=5) != fidelity(X, tree, rng=6)


def test_the_text_gives_both_values():
    assert str(fidelity(X, TREE)).startswith("fidelity 0.")
    assert "two exact trees of samples" in str(fidelity(X, TREE))


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (X[1:], {}, "there must be one point for each of 160 items; got 159"),
        (X, {"sample": 5}, "sample must be a whole number from 6 on; got 5"),
        (X, {"linkage": "ward", "metric": "cosine"}, "metric must be euclidean for ward linkage"),
        (X, {"tree": X}, "Hierarchy"),
        (X[:8], {"tree": agglomerate(X[:8]).hierarchy}, "fidelity needs a tree of at least 9 items; got 8"),
    ],
)
def test_requests_that_do_not_fit_are_refused(X, options, message):
    with pytest.raises(InvalidInputError, match=message):
        fidelity(**{"X": X, "tree": TREE, **options})
