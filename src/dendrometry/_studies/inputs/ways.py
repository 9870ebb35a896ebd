"""Ways of clustering documents into three, as in exercise 17.8 of Manning et al. (2008), and some more."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dendrometry._check.points import is_sparse
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate, agglomerate_distances
from dendrometry.cluster.linkages import Linkage
from dendrometry.cut.count import cut_count
from dendrometry.cut.height import cut_height
from dendrometry.text.collection import Documents
from dendrometry.text.methods import TreeMethod
from dendrometry.text.tree import cluster_documents

TIE_BREAKS = 25  # of complete linkage, for each seed

Way = Callable[[Documents, Sequence[int]], list[IntArray]]


def ways() -> dict[str, Way]:
    """Return the ways of clustering into three by name, those of the exercise first; each gives one run or several."""
    return {
        "single": lambda found, _: [_by_distances(found, "single")],
        "complete": by_complete_linkage,
        "group average": lambda found, _: [_cut(found, "group_average")],
        "centroid (similarity)": lambda found, _: [_by_centroids(found)],
        "centroid (distance)": lambda found, _: [_by_distances(found, "centroid")],
        "ward": lambda found, _: [_by_distances(found, "ward")],
        "bisecting k-means": lambda found, seeds: [_cut(found, "bisect", seed) for seed in seeds],
        "Buckshot": lambda found, seeds: [_cut(found, "buckshot", seed) for seed in seeds],
    }


def part(found: Documents, rows: IntArray) -> Documents:
    """Return a subset of the documents with unchanged vectors."""
    items, titles = (tuple(names[i] for i in rows.tolist()) for names in (found.items, found.titles))
    return replace(found, items=items, titles=titles, vectors=found.vectors[rows], counts=found.counts[rows])


def by_complete_linkage(found: Documents, seeds: Sequence[int]) -> list[IntArray]:
    """Return three clusters by complete linkage, for each seed in several ways to break ties if these decide.

    No weight of a term is negative, so that no similarity is below 0: where the least similar pair of any two clusters
    has similarity 0, all pairs of clusters are tied, and remain so whichever are merged.
    """
    if not is_sparse(found.vectors):  # dimensions of an SVD have negative coordinates
        return [_cut(found, "complete")]
    alike = similar(found)
    if alike.max() < 3:
        return [_cut(found, "complete")]
    return [merge_at_random(alike, 3, rng) for rng in map(np.random.default_rng, seeds) for _ in range(TIE_BREAKS)]


def similar(found: Documents) -> IntArray:
    """Return the clusters that complete linkage forms at similarities above 0."""
    tree = cluster_documents(found, method="complete").hierarchy
    return cut_height(tree, np.nextafter(1.0, 0.0)).labels


def merge_at_random(labels: IntArray, n_clusters: int, rng: np.random.Generator) -> IntArray:
    """Return clusters merged in pairs, each pair as probable as any other, until so many are left."""
    group = np.arange(labels.max() + 1)
    for n_left in range(group.size, n_clusters, -1):
        first, second = np.sort(rng.choice(n_left, size=2, replace=False))
        group[group == second] = first
        group[group == n_left - 1] = second
    merged: IntArray = group[labels]
    return merged


def _cut(found: Documents, method: TreeMethod, seed: int = 0) -> IntArray:
    """Return three clusters by a method of `cluster_documents`."""
    return cut_count(cluster_documents(found, method=method, n_clusters=3, rng=seed).hierarchy, 3).labels


def _by_centroids(found: Documents) -> IntArray:
    """Return three clusters by the dot products of centroids."""
    return cut_count(agglomerate(found.vectors, linkage="centroid", metric="cosine").hierarchy, 3).labels


def _by_distances(found: Documents, linkage: Linkage) -> IntArray:
    """Return three clusters by a linkage of the Euclidean distances."""
    return cut_count(agglomerate_distances(_distances(found), linkage=linkage).hierarchy, 3).labels


def _distances(found: Documents) -> FloatArray:
    """Return the distances of unit vectors by their products, which is much faster than by dense vectors."""
    product = found.vectors @ found.vectors.T
    cosine = product.toarray() if is_sparse(product) else product
    squared = 2.0 - 2.0 * cosine[np.triu_indices(found.n_items, 1)]
    squared[squared < 1e-12] = 0.0  # equal vectors differ by rounding alone
    distances: FloatArray = np.sqrt(squared)
    return distances
