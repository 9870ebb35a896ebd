"""Combination similarity and optimality equal their definitions."""

import numpy as np
import pytest
from tests.oracles.cluster import optimality as oracle

from dendrometry import agglomerate_distances, cut_count
from dendrometry.cluster import combination_similarity, is_optimal
from dendrometry.errors import InvalidInputError

LINKAGES = ("single", "complete", "group_average")


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("seed", range(4))
def test_optimality_equals_the_definition(linkage, seed):
    rng = np.random.default_rng(seed)
    S = rng.integers(0, 9, size=(5, 5)) / 8
    S = np.maximum(S, S.T)
    np.fill_diagonal(S, 1.0)
    for partition in oracle.set_partitions(list(range(5))):
        labels = [next(g for g, cluster in enumerate(partition) if i in cluster) for i in range(5)]
        value = min(oracle.of_cluster(cluster, S, linkage) for cluster in partition)
        assert combination_similarity(labels, S, linkage=linkage) == pytest.approx(value, rel=1e-15)
        expected = oracle.best(S, linkage, len(partition)) <= value
        assert is_optimal(labels, S, linkage=linkage) == expected


def test_labels_that_name_no_clusters_are_refused():
    S = np.eye(3)
    with pytest.raises(InvalidInputError, match="no missing label; got None at position 2"):
        combination_similarity([0, "a", None], S, linkage="single")
    with pytest.raises(InvalidInputError, match="got nan at positions 1, 2"):
        combination_similarity([0.0, np.nan, np.nan], S, linkage="single")
    with pytest.raises(InvalidInputError, match="linkage must be '"):
        combination_similarity([0, 0, 1], S, linkage=np.array(["single", "complete"]))


@pytest.mark.parametrize("linkage", LINKAGES)
def test_the_static_definition_equals_the_history_of_merges(linkage):
    rng = np.random.default_rng(1)
    D = rng.uniform(1, 2, size=(8, 8))
    D = np.triu(D, 1) + np.triu(D, 1).T
    built = agglomerate_distances(D, linkage=linkage)
    for k in range(1, 8):
        cut = cut_count(built.hierarchy, k)
        expected = built.similarity[cut.nodes].min()
        assert combination_similarity(cut.labels, -D, linkage=linkage) == pytest.approx(expected, rel=1e-12)


def test_refuses_what_is_no_similarity_matrix():
    with pytest.raises(InvalidInputError, match="square, as large as the labels"):
        combination_similarity([0, 1], np.zeros((3, 3)), linkage="single")
    with pytest.raises(InvalidInputError, match="finite and symmetric"):
        combination_similarity([0, 1], [[1, 2], [3, 1]], linkage="single")
    with pytest.raises(InvalidInputError, match="linkage must be 'single'"):
        combination_similarity([0, 1], np.zeros((2, 2)), linkage="ward")
    with pytest.raises(InvalidInputError, match="at most 12 items to test optimality; got 13"):
        is_optimal(range(13), np.zeros((13, 13)), linkage="single")
