"""How the reference sets of a test of splits are clustered: as `agglomerate` does, with little ado for few points."""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.points import prepare_points
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster import distances as matrices
from dendrometry.cluster.cpu.merges import MergeSequence
from dendrometry.cluster.cpu.spanning_tree import spanning_tree_points
from dendrometry.cluster.cpu.square import merge_square
from dendrometry.cluster.linkages import rule_for


class Clustering(NamedTuple):
    """A linkage and a metric."""

    linkage: Any
    metric: str

    def parents(self, points: FloatArray) -> IntArray:
        """Return the parent of each node of the tree of some points, the points first, as `agglomerate` builds it."""
        n = points.shape[0]
        merges = self._merges(points)
        parent = np.full(2 * n - 1, -1, dtype=np.int64)
        parent[merges.left] = parent[merges.right] = n + np.arange(n - 1)
        return parent

    def _merges(self, points: FloatArray) -> MergeSequence:
        """Return the merges of few points."""
        rule, ready = rule_for(self.linkage, self.metric), prepare_points(points, self.metric)
        if rule.spanning_tree:
            return spanning_tree_points(ready.points, ready.own, ready.alpha, lambda _: None)
        squared = rule.squared and ready.root
        square = matrices.square_of_points(ready._replace(root=ready.root and not squared), "float64")
        return merge_square(square, points.shape[0], rule, squared, lambda _: None, None)

    def embed(self, points: FloatArray) -> FloatArray:
        """Return points whose Euclidean distances, times a number, are those of the metric, or grow with them."""
        return prepare_points(points, self.metric).points
