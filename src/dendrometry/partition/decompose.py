"""Decomposition of a measure of two partitions: a sum over components, and costs of clusters and overlaps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.names import reorder
from dendrometry._display import printable, printable_repr
from dendrometry._exact import LEAST, group_sums, log_ratio, total, within
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.measures.partitions.information.bounded_variation_similarity import check_bound
from dendrometry.measures.partitions.information.terms import mutual_terms, surplus, variation_terms
from dendrometry.measures.partitions.overlaps.matching import largest_overlaps, match_cells
from dendrometry.measures.partitions.overlaps.split_merge import (
    Combine,
    PartScore,
    combine_scores,
    is_strict,
    subcomponent_scores,
    sum_overlaps,
)
from dendrometry.measures.registry import MEASURES
from dendrometry.partition.graph import Bipartite, bipartite

__all__ = ["Costs", "Decomposition", "decompose"]


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
        dearest = f"{self.what[0]} {printable(self.label[0])}, {self.cost[0]:.6g}"
        return f"Costs({len(self.what):,} in all, the dearest: {dearest})"


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Frozen):
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
        The offset b(J, n), which depends only on the sizes of the components; 0 for join-weighted measures.
    size : (n_components,) array of int
        The number of items of each component.
    graph : Bipartite
        The components themselves.
    clusters, overlaps : Costs, or None
        For `split_merge` only: the cost of each split of a cluster of a and each merge into a cluster of b, and the
        cost of each overlap. Either sum is 1 - value, up to rounding.
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

    def __repr__(self) -> str:
        return f"Decomposition({self.measure} = {self.value:.6g} over {self.graph.n_components:,} components)"


class _Parts(NamedTuple):
    """Weights and scores of the components, and the offset."""

    weight: FloatArray
    score: FloatArray
    offset: float


def decompose(
    a: ArrayLike | Contingency,
    b: ArrayLike | None = None,
    measure: str = "split_merge",
    *,
    max_clusters: int | None = None,
    score: PartScore = "entropy",
    combine: Combine = "product",
    features: ArrayLike | None = None,
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
        The measure: "rand", "mutual_information", "variation_similarity", "variation_of_information", "van_dongen",
        "classification_accuracy", "bounded_variation_similarity" or "split_merge".
    max_clusters : int
        The bound of "bounded_variation_similarity", the same for every component; for that measure only.
    score, combine, features
        As for `split_merge`; for that measure only.

    Returns
    -------
    Decomposition
        The weight and score of every component, the offset, and for "split_merge" the costs, the largest first.

    Raises
    ------
    InvalidInputError
        If the measure is unknown, or cannot be decomposed in this way: `normalized_mutual_information`,
        `fowlkes_mallows` and `adjusted_rand` depend on more than the scores and sizes of the components; or if an
        option belongs to another measure.

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
        given = printable_repr(b)
        raise InvalidInputError(
            f"a Contingency holds both partitions, so measure must be a keyword; use measure={given}"
        )
    one_of(measure, "a measure that can be decomposed", (*_DECOMPOSED, "split_merge"))
    if max_clusters is not None and not MEASURES[measure].needs_bound:
        raise InvalidInputError(f"max_clusters requires bounded_variation_similarity; got it with {measure}")
    if measure == "split_merge":
        return _split_merge(bipartite(a, b), score, combine, reorder(a, features, "labels and features"))
    if features is not None or not _is(score, "entropy") or not _is(combine, "product"):
        raise InvalidInputError(f"score, combine and features require split_merge; got them with {measure}")
    graph = bipartite(a, b)
    value = MEASURES[measure].of_table(graph.table, max_clusters)
    return Decomposition(measure, value, *_DECOMPOSED[measure](graph, max_clusters), graph.sizes, graph)


def _is(option: object, default: str) -> bool:
    """Whether an option has its default."""
    return isinstance(option, str) and option == default


def _sums(graph: Bipartite, group: IntArray, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of the values over each component."""
    return group_sums(group, values, graph.n_components)


def _n_cells(graph: Bipartite) -> IntArray:
    """Return the number of overlaps of each component; if it is 1, the partitions are the same there."""
    return np.bincount(graph.component_cell, minlength=graph.n_components)


def _n_clusters(graph: Bipartite) -> tuple[IntArray, IntArray]:
    """Return the number of clusters of a, and of b, of each component."""
    n = graph.n_components
    return np.bincount(graph.component_a, minlength=n), np.bincount(graph.component_b, minlength=n)


def _strict(graph: Bipartite, score: FloatArray, zero: BoolArray | None = None) -> FloatArray:
    """Return scores that are 1 where the partitions are the same, 0 where ``zero``, and strictly between elsewhere."""
    return within(score, np.zeros(score.size, dtype=bool) if zero is None else zero, _n_cells(graph) == 1)


def _by_size(graph: Bipartite, score: NDArray[Any]) -> _Parts:
    """Return join-weighted parts: |J| / n, and no offset."""
    return _Parts(graph.sizes / graph.table.n_items, score, 0.0)


def _with_rest(graph: Bipartite, weight: FloatArray, score: FloatArray) -> _Parts:
    """Return parts whose offset is 1 minus the sum of the weights; the weight of a single item is 1."""
    if graph.table.n_items == 1:
        return _Parts(np.ones(1), score, 0.0)
    return _Parts(weight, score, 0.0 if weight.size == 1 else 1.0 - total(weight))


def _rand(graph: Bipartite, _: int | None) -> _Parts:
    table, n = graph.table, graph.table.n_items
    together = [
        _sums(graph, group, sizes * (sizes - 1))
        for group, sizes in (
            (graph.component_a, _counts(table.sizes_a, n)),
            (graph.component_b, _counts(table.sizes_b, n)),
            (graph.component_cell, _counts(table.count, n)),
        )
    ]
    sizes = _counts(graph.sizes, n)
    every = sizes * (sizes - 1)
    agreed = every - together[0] - together[1] + 2 * together[2]
    score = np.divide(
        agreed.astype(np.float64), every.astype(np.float64), out=np.ones(sizes.size), where=graph.sizes > 1
    )
    return _with_rest(graph, every.astype(np.float64) / max(n * (n - 1), 1), _strict(graph, score, agreed == 0))


def _counts(sizes: IntArray, n_items: int) -> NDArray[Any]:
    """Return sizes whose squares, and their sums, stay exact."""
    return sizes if n_items < 1 << 31 else sizes.astype(object)


def _variation(graph: Bipartite) -> FloatArray:
    """Return the variation of information of each component."""
    lost: FloatArray = _sums(graph, graph.component_cell, variation_terms(graph.table)) / graph.sizes
    return lost


def _variation_of_information(graph: Bipartite, _: int | None) -> _Parts:
    return _by_size(graph, _variation(graph))


def _variation_similarity(graph: Bipartite, _: int | None) -> _Parts:
    logs, n = np.log(graph.sizes), graph.table.n_items
    score = 1.0 - np.divide(_variation(graph), logs, out=np.zeros(logs.size), where=logs > 0.0)
    n_a, n_b = _n_clusters(graph)
    grid = (_n_cells(graph) == graph.sizes) & (n_a * n_b == graph.sizes)
    return _with_rest(graph, graph.sizes * logs / (n * math.log(max(n, 2))), _strict(graph, score, grid))


def _bounded_variation_similarity(graph: Bipartite, max_clusters: int | None) -> _Parts:
    max_clusters = check_bound(max(graph.table.n_a, graph.table.n_b), max_clusters)
    n_cells, (n_a, n_b) = _n_cells(graph), _n_clusters(graph)
    largest = largest_overlaps(graph.component_cell, graph.table.count, graph.n_components)
    even = (graph.sizes % n_cells == 0) & (graph.sizes // n_cells == largest)
    worst = even & (n_a == max_clusters) & (n_b == max_clusters) & (n_cells == n_a * n_b)
    return _by_size(graph, _strict(graph, 1.0 - _variation(graph) / (2.0 * math.log(max(max_clusters, 2))), worst))


def _mutual_information(graph: Bipartite, _: int | None) -> _Parts:
    table, size = graph.table, graph.sizes[graph.component_cell]
    told = _sums(graph, graph.component_cell, mutual_terms(table, size.astype(np.float64))) / graph.sizes
    dependent = _sums(graph, graph.component_cell, (surplus(table, size) != 0).astype(np.int64)) > 0
    n = table.n_items
    offset = total(graph.sizes * log_ratio(np.int64(n), graph.sizes)) / n
    return _by_size(graph, np.where(dependent, np.maximum(told, LEAST), 0.0))._replace(offset=offset)


def _van_dongen(graph: Bipartite, _: int | None) -> _Parts:
    table, twice = graph.table, 2.0 * graph.sizes
    kept_a = _sums(graph, graph.component_a, largest_overlaps(table.row, table.count, table.n_a))
    kept_b = _sums(graph, graph.component_b, largest_overlaps(table.column, table.count, table.n_b))
    return _by_size(graph, _strict(graph, kept_a / twice + kept_b / twice))


def _classification_accuracy(graph: Bipartite, _: int | None) -> _Parts:
    cells = match_cells(graph.table)
    kept = _sums(graph, graph.component_cell[cells], graph.table.count[cells])
    return _by_size(graph, _strict(graph, kept / graph.sizes))


_DECOMPOSED: dict[str, Callable[[Bipartite, int | None], _Parts]] = {
    "rand": _rand,
    "mutual_information": _mutual_information,
    "variation_similarity": _variation_similarity,
    "variation_of_information": _variation_of_information,
    "van_dongen": _van_dongen,
    "classification_accuracy": _classification_accuracy,
    "bounded_variation_similarity": _bounded_variation_similarity,
}


def _split_merge(graph: Bipartite, score: PartScore, combine: Combine, features: ArrayLike | None) -> Decomposition:
    """Return the decomposition of the split-merge similarity, with the cost of every split, merge and overlap."""
    table = graph.table
    scores = subcomponent_scores(table, score, features)
    similar = combine_scores(table, scores, combine)
    kept = np.clip(_sums(graph, graph.component_cell, table.count * similar) / graph.sizes, 0.0, 1.0)
    parts = _by_size(graph, _strict(graph, kept, kept == 0.0) if is_strict(score) else kept)
    split, merge = scores.split[table.row], scores.merge[table.column]
    both = combine == "product"
    share = table.count / table.n_items
    by_split = share * (1.0 - split) * (1.0 + merge if both else 1.0) / 2.0
    by_merge = share * (1.0 - merge) * (1.0 + split if both else 1.0) / 2.0
    clusters = _sort_costs(
        ["split"] * table.n_a + ["merge"] * table.n_b,
        [*table.label_a.tolist(), *table.label_b.tolist()],
        np.concatenate((table.sizes_a, table.sizes_b)),
        np.concatenate((np.bincount(table.row), np.bincount(table.column))),
        np.concatenate((np.bincount(table.row, weights=by_split), np.bincount(table.column, weights=by_merge))),
    )
    labels_a, labels_b = table.label_a.tolist(), table.label_b.tolist()
    pairs = [(labels_a[r], labels_b[c]) for r, c in zip(table.row.tolist(), table.column.tolist(), strict=True)]
    overlaps = _sort_costs(
        ["overlap"] * table.n_cells, pairs, table.count, np.ones_like(table.count), by_split + by_merge
    )
    value = sum_overlaps(table, similar, score)
    return Decomposition("split_merge", value, *parts, graph.sizes, graph, clusters, overlaps)


def _sort_costs(what: list[str], label: list[Any], size: IntArray, parts: IntArray, cost: FloatArray) -> Costs:
    """Return costs, the largest first, with ties in their original order."""
    order = np.argsort(-cost, kind="stable")
    at = order.tolist()
    return Costs(tuple(what[i] for i in at), tuple(label[i] for i in at), size[order], parts[order], cost[order] + 0.0)
