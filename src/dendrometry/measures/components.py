"""Components of overlapping clusters, and the parts of a measure that is a sum over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import Frozen, freeze_arrays, read_only
from dendrometry._display import plain_signature, printable
from dendrometry._exact import group_sums, total, within
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.contingency import Contingency


@dataclass(frozen=True, eq=False, repr=False)
class Components(Frozen):
    """The connected components of the graph of overlaps between the clusters of two partitions.

    Attributes
    ----------
    table : Contingency
        The overlaps: row, column and count of every edge.
    component_a, component_b : array of int
        The component of each cluster of a and of b.
    """

    table: Contingency
    component_a: IntArray
    component_b: IntArray

    @property
    def n_components(self) -> int:
        """The number of components: the number of clusters of the join."""
        return int(self.component_a.max()) + 1

    @property
    def component_cell(self) -> IntArray:
        """The component of each overlap."""
        return self.component_a[self.table.row]

    @cached_property
    def sizes(self) -> IntArray:
        """The number of items of each component."""
        sizes: IntArray = read_only(group_sums(self.component_a, self.table.sizes_a, self.n_components))
        return sizes


@freeze_arrays
@plain_signature
class Costs(NamedTuple):
    """The costs of clusters or overlaps in a measure, the largest first.

    ``what`` is "split" (a cluster of a), "merge" (a cluster of b) or "overlap"; ``label`` is the label of the cluster,
    or the pair of labels of an overlap; ``size`` is its number of items, ``parts`` its number of overlaps.
    """

    what: tuple[str, ...]
    label: tuple[Any, ...]
    size: IntArray
    parts: IntArray
    cost: FloatArray

    def __repr__(self) -> str:
        costliest = f"{self.what[0]} {printable(self.label[0])}, {self.cost[0]:.6g}"
        return f"Costs({len(self.what):,} in all, the costliest: {costliest})"


class Parts(NamedTuple):
    """A measure as a sum over components: the weights and scores, the offset, and costs inside the components.

    ``value`` is the value of the measure, for those that compute it on the way. ``overlap_score`` is the score of the
    items of each overlap, for those that are a mean over items, and ``overlap_weight`` the weight of each of these
    items, if they do not all weigh the same.
    """

    weight: FloatArray
    score: FloatArray
    offset: float = 0.0
    clusters: Costs | None = None
    overlaps: Costs | None = None
    value: float | None = None
    overlap_score: FloatArray | None = None
    overlap_weight: FloatArray | None = None


def sum_over_components(graph: Components, group: IntArray, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of the values over each component."""
    return group_sums(group, values, graph.n_components)


def count_overlaps(graph: Components) -> IntArray:
    """Return the number of overlaps of each component; if it is 1, the partitions are the same there."""
    return np.bincount(graph.component_cell, minlength=graph.n_components)


def count_clusters(graph: Components) -> tuple[IntArray, IntArray]:
    """Return the number of clusters of a, and of b, of each component."""
    n = graph.n_components
    return np.bincount(graph.component_a, minlength=n), np.bincount(graph.component_b, minlength=n)


def strict_scores(graph: Components, score: FloatArray, zero: BoolArray | None = None) -> FloatArray:
    """Return scores that are 1 where the partitions are the same, 0 where ``zero``, and strictly between elsewhere."""
    return within(score, np.zeros(score.size, dtype=bool) if zero is None else zero, count_overlaps(graph) == 1)


def weigh_by_size(graph: Components, score: NDArray[Any], overlap_score: FloatArray | None = None) -> Parts:
    """Return join-weighted parts: |J| / n, no offset, and the score of the items of each overlap, if there is one."""
    return Parts(graph.sizes / graph.table.n_items, score, overlap_score=overlap_score)


def weigh_with_rest(graph: Components, weight: FloatArray, score: FloatArray) -> Parts:
    """Return parts whose offset is 1 minus the sum of the weights; the weight of a single item is 1."""
    if graph.table.n_items == 1:
        return Parts(np.ones(1), score)
    return Parts(weight, score, 0.0 if weight.size == 1 else 1.0 - total(weight))
