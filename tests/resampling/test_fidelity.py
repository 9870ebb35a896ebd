"""Fidelity: a tree beside the exact trees of two samples, judged on what these share."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dendrometry import agglomerate, pairwise_matrix
from dendrometry.cluster import buckshot, cluster_approximate
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.generate import random_tree
from dendrometry.resampling import fidelity

rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(scale * c, 1, size=(40, 4)) for c, scale in enumerate((0, 9, 7, 10))])
TREE = agglomerate(X).hierarchy


def test_values_are_the_agreement_on_the_items_that_two_samples_share():
    found = fidelity(TREE, X, sample=60, rng=3, n_draws=1)
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
    assert (found.n_draws, found.value_error, found.yardstick_error) == (1, None, None)
    assert "±" not in str(found)


def test_several_draws_give_means_and_their_standard_errors():
    found = fidelity(TREE, X, sample=60, n_draws=4, rng=np.random.default_rng(3))
    same = np.random.default_rng(3)
    each = [fidelity(TREE, X, sample=60, n_draws=1, rng=same) for _ in range(4)]
    for values, mean, error in (
        ([one.value for one in each], found.value, found.value_error),
        ([one.yardstick for one in each], found.yardstick, found.yardstick_error),
    ):
        assert mean == pytest.approx(sum(values) / 4)
        assert error == pytest.approx((sum((value - mean) ** 2 for value in values) / 3) ** 0.5 / 2)
    assert f"fidelity {found.value:.3f} ± {found.value_error:.3f}, two exact" in str(found)
    assert str(found).endswith("standard errors of 4 draws)")


def test_a_result_says_its_linkage_and_metric():
    built = cluster_approximate(X + 20.0, linkage="average", metric="cosine", n_exact=30)
    found = fidelity(built, X + 20.0)
    assert (found.linkage, found.metric) == ("average", "cosine")
    assert found == fidelity(built.hierarchy, X + 20.0, linkage="average", metric="cosine")
    assert "resampling.fidelity tells how near" in repr(built)
    assert "resampling.fidelity" not in repr(agglomerate(X))
    flat = buckshot(X + 20.0, 8, rng=0)
    assert fidelity(flat, X + 20.0).linkage == "group_average"
    assert "resampling.fidelity tells how near" in repr(flat)


def test_the_exact_tree_is_as_near_as_the_yardstick_and_a_random_one_is_not():
    exact = [fidelity(TREE, X, rng=seed) for seed in range(3)]
    chance = [fidelity(random_tree(160, rng=seed), X, rng=seed) for seed in range(3)]
    assert sum(each.value for each in exact) > 0.9 * sum(each.yardstick for each in exact)
    assert abs(sum(each.value for each in chance)) < 0.3


def test_at_most_two_thirds_of_the_items_are_sampled():
    assert fidelity(TREE, X).n_sampled == 106
    few = X[:9]
    assert fidelity(agglomerate(few).hierarchy, few).n_shared == 3


def test_a_tree_with_many_items_in_a_leaf_is_judged_too():
    unit = X + 20.0
    built = buckshot(unit, 8, rng=0)
    found = fidelity(built.hierarchy, sparse.csr_array(unit), linkage="group_average", metric="cosine")
    assert -1 < found.value <= 1


def test_an_index_names_the_items():
    frame = pd.DataFrame(X, index=[f"i{i}" for i in range(160)])
    tree = agglomerate(frame).hierarchy
    assert fidelity(tree, frame.iloc[::-1]) == fidelity(tree, X)
    with pytest.raises(ItemMismatchError):
        fidelity(TREE, frame)


def test_the_same_seed_gives_the_same_result():
    tree = cluster_approximate(X, n_exact=30).hierarchy
    assert fidelity(tree, X, rng=5) == fidelity(tree, X, rng=5)
    assert fidelity(tree, X, rng=5) != fidelity(tree, X, rng=6)


def test_the_text_gives_both_values():
    assert str(fidelity(TREE, X)).startswith("fidelity 0.")
    assert "two exact trees of samples" in str(fidelity(TREE, X))


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (X[1:], {}, "there must be one point for each of 160 items; got 159"),
        (X, {"sample": 5}, "sample must be a whole number from 6 on; got 5"),
        (X, {"n_draws": 0}, "n_draws must be a whole number from 1 on; got 0"),
        (X, {"linkage": "ward", "metric": "cosine"}, "metric must be euclidean for ward linkage"),
        (X, {"tree": X}, "Hierarchy"),
        (X[:8], {"tree": agglomerate(X[:8]).hierarchy}, "fidelity needs a tree of at least 9 items; got 8"),
    ],
)
def test_requests_that_do_not_fit_are_refused(X, options, message):
    with pytest.raises(InvalidInputError, match=message):
        fidelity(**{"X": X, "tree": TREE, **options})
