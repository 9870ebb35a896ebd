"""Decomposition of a measure of two partitions: a sum over components, and costs of clusters and overlaps."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.distances import reorder_distances
from dendrometry._check.names import reorder
from dendrometry._exact import group_sums
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.errors import Argument, InvalidInputError, UndefinedMeasureError
from dendrometry.measures.components import Costs
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from dendrometry.partition.graph import Bipartite, bipartite


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Frozen, Tabular):
    """A measure of two partitions as the sum of weight x score over components, plus an offset, up to rounding.

    Attributes
    ----------
    measure : str
        The name of the measure.
    value : float
        The value of the measure: the sum of ``contribution`` and ``offset``, up to rounding.
    weight, score : (n_components,) array of float
        The weight w(J, n) of each component of the bipartite graph, and the measure on its items alone; 0 and 1 are
        exact, as for the measure.
    offset : float
        The offset b(J, n), which depends only on the sizes of the components; 0 for join-weighted measures. Weights
        and offset of homogeneity, completeness and V-measure depend on the entropies of the components instead, and
        those of the adjusted Wallace coefficients and of kappa on their pairs.
    size : (n_components,) array of int
        The number of items of each component.
    graph : Bipartite
        The components themselves.
    clusters, overlaps : Costs, or None
        For `split_merge` only: the cost of each split of a cluster of a and each merge into a cluster of b, and the
        cost of each overlap. Either sum is 1 - value, up to rounding.
    overlap_score : (n_cells,) array of float, or None
        For a measure that is a mean over items: the score of the items of each overlap, below 0 where an item loses
        more than the whole entropy, or more than by chance; None for other measures.
    overlap_weight : (n_cells,) array of float, or None
        The weight of each of these items in the mean, for the adjusted Wallace coefficients: the number of the other
        items of its cluster. None if all items weigh the same.
    """

    measure: str
    value: float
    weight: FloatArray
    score: FloatArray
    offset: float
    size: IntArray
    graph: Bipartite
    clusters: Costs | None = None
    overlaps: Costs | None = None
    overlap_score: FloatArray | None = None
    overlap_weight: FloatArray | None = None

    @property
    def item_score(self) -> FloatArray:
        """The score of each item; the measure is their mean, weighted by `item_weight`, up to rounding.

        `UndefinedMeasureError` for a measure that is not a mean over items, `InvalidInputError` for a table of counts.
        """
        return self._overlap_score()[self.graph.table.item_cell]

    @property
    def item_weight(self) -> FloatArray:
        """The weight of each item in the mean: 1, or for adjusted Wallace the number of others in its cluster."""
        return self._weight()[self.graph.table.item_cell]

    @property
    def cluster_score_a(self) -> FloatArray:
        """The mean score of the items of each cluster of a, in the order of ``graph.table.label_a``."""
        table = self.graph.table
        return self._means(table.row, table.n_a)

    @property
    def cluster_score_b(self) -> FloatArray:
        """The mean score of the items of each cluster of b, in the order of ``graph.table.label_b``."""
        table = self.graph.table
        return self._means(table.column, table.n_b)

    def _means(self, group: IntArray, n_groups: int) -> FloatArray:
        """Return the mean score of the items of each group, weighted; 1 for a group without weight."""
        weight = self.graph.table.count * self._weight()
        sums, weights = (group_sums(group, x, n_groups) for x in (weight * self._overlap_score(), weight))
        means: FloatArray = np.divide(sums, weights, out=np.ones(n_groups), where=weights > 0.0)
        return means

    def _weight(self) -> FloatArray:
        """Return the weight of the items of each overlap."""
        return np.ones(self.graph.table.n_cells) if self.overlap_weight is None else self.overlap_weight

    def _overlap_score(self) -> FloatArray:
        if self.overlap_score is None:
            raise UndefinedMeasureError(f"{self.measure} is not a mean over items; see contribution")
        return self.overlap_score

    @property
    def contribution(self) -> FloatArray:
        """Weight x score of each component."""
        return self.weight * self.score

    @property
    def loss(self) -> FloatArray:
        """The loss of each component from a perfect score: weight x (1 - score), or weight x score for a distance.

        Mutual information is neither similarity nor distance, and has no perfect score: `UndefinedMeasureError`.
        """
        kind = MEASURES[self.measure].kind
        if kind == "information":
            raise UndefinedMeasureError(
                f"loss is undefined for {self.measure}, without a perfect score; see contribution"
            )
        return self.contribution if kind == "distance" else self.weight * (1.0 - self.score)

    def columns(self) -> dict[str, list[Any]]:
        """Return the components as columns, the largest first."""
        order = np.argsort(-self.size, kind="stable")
        columns = {name: getattr(self, name)[order].tolist() for name in ("size", "weight", "score", "contribution")}
        return {"component": order.tolist()} | columns

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each component, the largest first."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        return f"Decomposition({self.measure} = {self.value:.6g} over {self.graph.n_components:,} components)"


def decompose(
    a: ArrayLike | Contingency,
    b: ArrayLike | None = None,
    measure: str = "split_merge",
    **options: Any,
) -> Decomposition:
    """Decompose a measure of two partitions, to show where they differ.

    Every connected component J of the graph of overlaps is a separate comparison:
    S(a, b) = sum over J of w(J, n) S(a_J, b_J) + b(J, n). For the split-merge similarity the loss is also divided
    exactly among splits, merges and overlaps: an overlap with scores s and t loses 1 - st, of which
    (1 - s)(1 + t)/2 is due to the split and (1 - t)(1 + s)/2 to the merge (for the mean: (1 - s)/2 and (1 - t)/2).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.
    measure : str
        The measure, one that is a weighted sum over components; ``MEASURES[name].decompose`` is None for all others.
    **options
        The options of the measure, as for its function: ``max_clusters`` for `bounded_variation_similarity`, the same
        for every component; ``score``, ``combine``, ``features`` and ``distances`` for `split_merge`.

    Returns
    -------
    Decomposition
        The weight and score of every component, the offset, and for "split_merge" the costs, the largest first.

    Raises
    ------
    InvalidInputError
        If the measure is unknown, or has no decomposition, as `normalized_mutual_information`, `fowlkes_mallows` and
        `adjusted_rand`; or if an option belongs to another measure.

    Notes
    -----
    O(n) time, plus the matching for "classification_accuracy". A component of one item has the score of identical
    partitions; if its weight is 0/0 (a single item in total), the weight is 1.

    References
    ----------
    .. [1] Q. Xiang et al., "A split-merge framework for comparing clusterings", ICML 2012, Table 1.

    Examples
    --------
    >>> from dendrometry.partition import decompose
    >>> parts = decompose([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2], "split_merge")
    >>> parts
    Decomposition(split_merge = 0.666667 over 2 components)
    >>> parts.score.tolist(), parts.size.tolist()
    ([0.5, 1.0], [4, 2])
    >>> parts.clusters.what[0], parts.clusters.label[0], parts.clusters.cost[0].item()
    ('split', 0, 0.3333333333333333)
    """
    if isinstance(a, Contingency) and isinstance(b, str):
        raise InvalidInputError(
            "a Contingency holds both partitions, so measure must be a keyword; use ", Argument("measure", b)
        )
    known = {name: call for name in PARTITION_MEASURES if (call := MEASURES[name].decompose) is not None}
    parts_of = known[one_of(measure, "measure", known, which="one that can be decomposed: ")]
    _check_options(measure, list(inspect.signature(parts_of).parameters)[1:], options)
    if "features" in options:
        options["features"] = reorder(a, options["features"], "labels and features")
    if "distances" in options:
        options["distances"] = reorder_distances(a, options["distances"], "labels and distances")
    graph = bipartite(a, b)
    parts = parts_of(graph, **options)
    value = MEASURES[measure].call(graph.table, **options) if parts.value is None else parts.value
    return Decomposition(
        measure,
        value,
        parts.weight,
        parts.score,
        parts.offset,
        graph.sizes,
        graph,
        parts.clusters,
        parts.overlaps,
        parts.overlap_score,
        parts.overlap_weight,
    )


def _check_options(measure: str, known: list[str], options: dict[str, Any]) -> None:
    """Refuse options that the measure does not have."""
    for name in options:
        if name not in known:
            own = ", ".join(known) or "none"
            raise InvalidInputError(f"the options must be those of {measure}: {own}; got {name}")
