"""The scores of the split and merge subcomponents of two partitions, cluster by cluster."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import freeze_arrays
from dendrometry._check.distances import reorder_distances
from dendrometry._check.names import reorder
from dendrometry._display import plain_signature, plural
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.measures.partitions.split_merge import PartScore, subcomponent_scores
from dendrometry.partition.graph import bipartite


@freeze_arrays
@plain_signature
class Subcomponents(NamedTuple):
    """The clusters of two partitions, those of a before those of b, each scored by its parts in the other partition.

    ``what`` is "split" for a cluster L of a, whose score is s(b|L), and "merge" for a cluster C of b, whose score is
    s(a|C); ``label`` is the label of the cluster, ``component`` the number of its component in the graph of
    `bipartite`, ``size`` its number of items, ``parts`` its number of overlaps with clusters of the other partition.
    """

    what: tuple[str, ...]
    label: tuple[Any, ...]
    component: IntArray
    size: IntArray
    parts: IntArray
    score: FloatArray

    @property
    def split(self) -> dict[Any, float]:
        """The score s(b|L) of each cluster of a, by its label."""
        return self._scores("split")

    @property
    def merge(self) -> dict[Any, float]:
        """The score s(a|C) of each cluster of b, by its label."""
        return self._scores("merge")

    def _scores(self, what: str) -> dict[Any, float]:
        rows = zip(self.what, self.label, self.score.tolist(), strict=True)
        return {label: score for kind, label, score in rows if kind == what}

    def __repr__(self) -> str:
        split, merged = (
            sum(parts > 1 for kind, parts in zip(self.what, self.parts.tolist(), strict=True) if kind == what)
            for what in ("split", "merge")
        )
        return f"Subcomponents({plural(len(self.what), 'cluster')}, {split:,} split and {merged:,} merged)"


def score_subcomponents(
    a: ArrayLike | Contingency,
    b: ArrayLike | None = None,
    *,
    score: PartScore = "entropy",
    features: ArrayLike | None = None,
    distances: Any = None,
) -> Subcomponents:
    """Return the score of every cluster of two partitions, by its parts in the other partition.

    A cluster L of a and the clusters of b that overlap it form a split subcomponent with the score s(b|L); a cluster C
    of b and the clusters of a that overlap it form a merge subcomponent with the score s(a|C). `split_merge` combines
    these scores: it is the sum over overlaps of size m of (m/n) s(b|L) s(a|C).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.
    score, features, distances
        As for `split_merge`.

    Returns
    -------
    Subcomponents
        A row for each cluster. Scores are from 0 to 1, and higher for clusters that are less divided; by entropy, a
        score is 1 only for an undivided cluster, and 0 only for a cluster of two or more items divided into single
        items.

    Raises
    ------
    InvalidInputError, ItemMismatchError
        As for `split_merge`.

    References
    ----------
    .. [1] Q. Xiang et al., "A split-merge framework for comparing clusterings", ICML 2012, sections 4.2 to 4.5.

    Examples
    --------
    >>> from dendrometry.partition import score_subcomponents
    >>> found = score_subcomponents(["x", "x", "x", "x", "y", "y"], [1, 1, 2, 2, 3, 3])
    >>> found
    Subcomponents(5 clusters, 1 split and 0 merged)
    >>> found.split
    {'x': 0.5, 'y': 1.0}
    >>> found.merge
    {1: 1.0, 2: 1.0, 3: 1.0}
    """
    graph = bipartite(a, b)
    table = graph.table
    vectors = reorder(a, features, "labels and features")
    scores = subcomponent_scores(table, score, vectors, reorder_distances(a, distances, "labels and distances"))
    return Subcomponents(
        ("split",) * table.n_a + ("merge",) * table.n_b,
        (*table.label_a.tolist(), *table.label_b.tolist()),
        np.concatenate((graph.component_a, graph.component_b)),
        np.concatenate((table.sizes_a, table.sizes_b)),
        np.concatenate((np.bincount(table.row), np.bincount(table.column))),
        np.concatenate(scores),
    )
