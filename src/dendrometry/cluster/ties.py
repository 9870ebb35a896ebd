"""Trees of the same points with ties broken at random."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.hierarchy import Hierarchy


def trees_over_ties(
    points: FloatArray,
    rng: np.random.Generator,
    *,
    linkage: Linkage,
    metric: str = "euclidean",
    n_trees: int = 10,
    item_names: Iterable[str] | None = None,
) -> list[Hierarchy]:
    """Return the tree of the points and, only if merges are tied, also trees with ties broken at random.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.cluster.ties import trees_over_ties
    >>> rng = np.random.default_rng(0)
    >>> tied, untied = np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [1.0], [3.0]])
    >>> len(trees_over_ties(tied, rng, linkage="complete")), len(trees_over_ties(untied, rng, linkage="complete"))
    (10, 1)
    """
    names = None if item_names is None else tuple(item_names)
    built = agglomerate(points, linkage=linkage, metric=metric, item_names=names)
    trees = [built.hierarchy]
    for _ in range(n_trees - 1 if built.report.ties else 0):
        trees.append(agglomerate(points, linkage=linkage, metric=metric, item_names=names, tie_rng=rng).hierarchy)
    return trees
