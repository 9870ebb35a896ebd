"""The same bits, whichever tree comes first and whatever clusters are called; no -0.0."""

import math

import numpy as np
import pytest
from tests.strategies import random_linkage

from dendrometry import agglomerate, cophenetic_correlation, from_linkage, split_merge
from dendrometry.cluster import combination_similarity


def test_cophenetic_correlation_is_the_same_either_way():
    rng = np.random.default_rng(0)
    for _ in range(300):
        n = int(rng.integers(3, 40))
        a, b = (from_linkage(random_linkage(n, rng)) for _ in range(2))
        assert cophenetic_correlation(a, b) == cophenetic_correlation(b, a)
    X = rng.integers(0, 3, size=(40, 3))
    a, b = agglomerate(X, linkage="centroid").hierarchy, agglomerate(X[::-1], linkage="single").hierarchy
    assert cophenetic_correlation(a, b) == cophenetic_correlation(b, a)


@pytest.mark.parametrize("score", ["entropy", "max_overlap", "mse"])
@pytest.mark.parametrize("combine", ["product", "mean"])
def test_split_merge_does_not_depend_on_names(score, combine):
    rng = np.random.default_rng(1)
    for _ in range(100):
        n = int(rng.integers(5, 80))
        a, b = rng.integers(0, 7, size=n), rng.integers(0, 9, size=n)
        options = {"score": score, "combine": combine}
        if score == "mse":
            options["features"] = rng.random((n, 2))
        renamed = rng.permutation(7)[a], rng.permutation(9)[b]
        assert split_merge(*renamed, **options) == split_merge(a, b, **options)
        assert split_merge(b, a, **options) == split_merge(a, b, **options)


@pytest.mark.parametrize("linkage", ["single", "complete", "group_average"])
def test_combination_similarity_is_never_minus_zero(linkage):
    for labels in ([0, 0], [0, 1], [0]):
        similarity = np.full((len(labels), len(labels)), -0.0)
        assert math.copysign(1.0, combination_similarity(labels, similarity, linkage=linkage)) == 1.0
