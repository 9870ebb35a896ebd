"""How the reference sets of a test of splits are clustered: as `agglomerate` does, with little ado for few points."""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.points import prepare_points
from dendrometry._kernels.cluster.lance_williams import UPDATES
from dendrometry._kernels.significance import small_trees as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.linkages import rule_for


class Clustering(NamedTuple):
    """A linkage and a metric."""

    linkage: Any
    metric: str

    def parents(self, points: FloatArray) -> IntArray:
        """Return the parent of each node of the tree of some points, the points first, as `agglomerate` builds it.

        Where distances are tied, pairs may be merged in another order.
        """
        rule, ready = rule_for(self.linkage, self.metric), prepare_points(points, self.metric)
        root = ready.root and not rule.squared
        return kernels.parents(np.ascontiguousarray(ready.points.T), ready.alpha, root, UPDATES.index(rule.update))

    def embed(self, points: FloatArray) -> FloatArray:
        """Return points whose Euclidean distances, times a number, are those of the metric, or grow with them."""
        return prepare_points(points, self.metric).points
