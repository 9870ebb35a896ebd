"""Medoids: by definition, sparse as dense, and refused where there is none."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from dendrometry import agglomerate, cut_count, datasets
from dendrometry.cluster import medoids
from dendrometry.errors import InvalidInputError
from dendrometry.text import vectorize_documents


def by_definition(X, labels, metric):
    """Return the item of each cluster with the least total distance, of equal ones the first."""
    found = []
    for label in sorted(set(labels)):
        members = [i for i, own in enumerate(labels) if own == label]
        total = cdist(X[members], X[members], metric).sum(axis=1).round(9).tolist()
        found.append(members[total.index(min(total))])
    return found


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("seed", range(5))
def test_a_medoid_has_the_least_total_distance(metric, seed):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(400, 3)), rng.integers(-2, 3, 400)
    labels[:300] = 7  # more than one block
    assert medoids(X, labels, metric=metric).tolist() == by_definition(X, labels.tolist(), metric)


def test_sparse_points_have_the_medoids_of_dense_ones():
    X = np.random.default_rng(0).poisson(0.6, (60, 20)) + np.eye(60, 20)
    X[:, 0] += 1
    labels = np.arange(60) % 4
    assert medoids(csr_array(X), labels, metric="cosine").tolist() == by_definition(X, labels.tolist(), "cosine")


def test_of_equal_items_the_first_is_the_medoid():
    assert medoids([[2.0], [0.0], [2.0], [0.0]], [0, 0, 0, 0]).tolist() == [0]
    assert medoids([[1.0, 0.0], [0.0, 1.0]], ["b", "a"]).tolist() == [1, 0]
    assert medoids(np.array([[1e300], [-1e300], [0.0]]), [1, 1, 1]).tolist() == [2]


def test_the_medoid_of_documents_is_one_of_them_and_as_sparse():
    wire = datasets.news()
    found = vectorize_documents(wire.stories)
    tree = agglomerate(found.vectors, linkage="group_average", metric="cosine", item_names=found.items).hierarchy
    labels = cut_count(tree, 8).labels
    at = medoids(found.vectors, labels, metric="cosine")
    centroid_terms = [np.unique(found.vectors[labels == c].indices).size for c in range(8)]
    assert (np.diff(found.vectors[at].indptr) <= centroid_terms).all()
    assert np.diff(found.vectors[at].indptr).sum() < 0.6 * sum(centroid_terms)
    assert [labels[i] for i in at] == list(range(8))


def test_refuses_what_has_no_medoids():
    with pytest.raises(InvalidInputError, match="metric must be cosine for sparse points; got euclidean"):
        medoids(csr_array(np.eye(3)), [0, 0, 1])
    with pytest.raises(InvalidInputError, match="one label for each of 3 points; got 2"):
        medoids(np.eye(3), [0, 1])
    with pytest.raises(InvalidInputError, match="metric must be 'euclidean' or 'cosine'; got 'dot'"):
        medoids(np.eye(3), [0, 0, 1], metric="dot")
    with pytest.raises(InvalidInputError, match="zero"):
        medoids([[0.0], [1.0]], [0, 0], metric="cosine")
