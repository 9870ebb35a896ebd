"""Where two partitions differ: a measure as a sum over components, and its cost over clusters and overlaps."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry.display import shown
from dendrometry.errors import InvalidInputError
from dendrometry.partition.contingency import Contingency
from dendrometry.partition.exact import log_ratio, total
from dendrometry.partition.graph import Bipartite, bipartite
from dendrometry.partition.information import checked_bound, variation_terms
from dendrometry.partition.matching import largest_overlaps, matched_cells
from dendrometry.partition.split_merge import Combine, Score, SplitMerge, combined, subcomponent_scores

__all__ = ["Costs", "Decomposition", "decompose"]


class Costs(NamedTuple):
    """What a measure loses, item by item of a list of clusters or overlaps, the dearest first.

    ``what`` says "split" (a cluster of a), "merge" (a cluster of b) or "overlap"; ``label`` is the label of the
    cluster, for an overlap the pair of labels; ``size`` its items, ``parts`` how many overlaps it has.
    """

    what: tuple[str, ...]
    label: tuple[Any, ...]
    size: IntArray
    parts: IntArray
    cost: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition:
    """A measure of two partitions, taken apart: the value is the sum of weight x score, plus the offset.

    Attributes
    ----------
    measure : str
        The name of the measure.
    value : float
        The sum of ``contribution`` and ``offset``.
    weight, score : (n_components,) array of float
        The weight w(J, n) of each component of the bipartite graph, and the measure on its items alone.
    offset : float
        b(J, n): what depends on the sizes of the components alone; 0 for join-weighted measures.
    size : (n_components,) array of int
        The number of items of each component.
    graph : Bipartite
        The components themselves.
    clusters, overlaps : Costs, or None
        For `split_merge` alone: what each split of a cluster of a and each merge into a cluster of b costs, and what
        each overlap costs. Either adds up to 1 - value.
    """

    measure: str
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
    def value(self) -> float:
        """The measure: the sum over components, and the offset."""
        return total(np.append(self.contribution, self.offset))

    @property
    def loss(self) -> FloatArray:
        """What each component takes away from a perfect score: weight x (1 - score)."""
        return self.weight * (1.0 - self.score)

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
    k: int | None = None,
    score: Score = "entropy",
    combine: Combine = "product",
    features: ArrayLike | None = None,
) -> Decomposition:
    """Take a measure of two partitions apart, to see where they differ.

    Every connected component J of the graph of overlaps is a comparison of its own:
    S(a, b) = sum over J of w(J, n) S(a_J, b_J) + b(J, n). For the split-merge similarity the loss is also shared
    out exactly over splits, merges and overlaps: an overlap with scores s and t loses 1 - st, of which
    (1 - s)(1 + t)/2 is due to the split and (1 - t)(1 + s)/2 to the merge (under the mean: (1 - s)/2 and (1 - t)/2).

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.
    measure : str
        "rand", "mutual_information", "variation_similarity", "variation_of_information", "van_dongen",
        "classification_accuracy", "bounded_variation_similarity" or "split_merge".
    k : int
        For "bounded_variation_similarity": its bound, the same for every component.
    score, combine, features
        For "split_merge": as there.

    Returns
    -------
    Decomposition
        Weight and score of every component, the offset, and for "split_merge" the costs, the dearest first.

    Raises
    ------
    InvalidInputError
        If the measure is not known, or cannot be taken apart in this way: `normalized_mutual_information`,
        `fowlkes_mallows` and `adjusted_rand` depend on more than the scores and sizes of the components.

    Notes
    -----
    O(n), and for "classification_accuracy" its matching. A component of one item scores as any partition and
    itself; where its weight is 0/0 (a single item in all), the weight is 1.

    References
    ----------
    .. [1] Q. Xiang et al., "A split-merge framework for comparing clusterings", ICML 2012, Table 1.

    Examples
    --------
    >>> from dendrometry import decompose
    >>> parts = decompose([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2], "split_merge")
    >>> parts
    Decomposition(split_merge = 0.666667 over 2 components)
    >>> parts.score.tolist(), parts.size.tolist()
    ([0.5, 1.0], [4, 2])
    >>> parts.clusters.what[0], parts.clusters.label[0], parts.clusters.cost[0].item()
    ('split', 0, 0.3333333333333333)
    """
    graph = bipartite(a, b)
    if measure == "split_merge":
        return _split_merge(graph, subcomponent_scores(graph.table, score, features), combine)
    if measure == "bounded_variation_similarity":
        return _made(measure, graph, _bounded(graph, checked_bound(graph.table, k)))
    if not isinstance(measure, str) or measure not in _DECOMPOSED:
        known = ", ".join([*_DECOMPOSED, "bounded_variation_similarity", "split_merge"])
        raise InvalidInputError(f"a measure that can be taken apart is one of {known}; got {shown(measure)}")
    return _made(measure, graph, _DECOMPOSED[measure](graph))


def _made(measure: str, graph: Bipartite, parts: _Parts) -> Decomposition:
    """Return the decomposition without costs."""
    return Decomposition(measure, parts.weight, parts.score, parts.offset, graph.sizes, graph)


def _sums(graph: Bipartite, group: IntArray, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of the values over each component, in their own type."""
    sums = np.zeros(graph.n_components, dtype=values.dtype)
    np.add.at(sums, group, values)
    return sums


def _by_size(graph: Bipartite, score: NDArray[Any]) -> _Parts:
    """Return join-weighted parts: |J| / n, and no offset."""
    return _Parts(graph.sizes / graph.table.n_items, score, 0.0)


def _with_rest(graph: Bipartite, weight: FloatArray, score: FloatArray) -> _Parts:
    """Return parts whose offset is what the weights leave of 1; a single item weighs 1."""
    if graph.table.n_items == 1:
        return _Parts(np.ones(1), score, 0.0)
    return _Parts(weight, score, 0.0 if weight.size == 1 else 1.0 - total(weight))


def _rand(graph: Bipartite) -> _Parts:
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
    return _with_rest(graph, every.astype(np.float64) / max(n * (n - 1), 1), score)


def _counts(sizes: IntArray, n_items: int) -> NDArray[Any]:
    """Return sizes whose squares, and their sums, stay exact."""
    return sizes if n_items < 1 << 31 else sizes.astype(object)


def _variation_of_information(graph: Bipartite) -> _Parts:
    lost = _sums(graph, graph.component_cell, variation_terms(graph.table))
    return _by_size(graph, lost / graph.sizes)


def _variation_similarity(graph: Bipartite) -> _Parts:
    logs = np.log(graph.sizes)
    lost = _sums(graph, graph.component_cell, variation_terms(graph.table)) / graph.sizes
    score = 1.0 - np.divide(lost, logs, out=np.zeros(logs.size), where=logs > 0.0)
    n = graph.table.n_items
    return _with_rest(graph, graph.sizes * logs / (n * np.log(max(n, 2))), np.maximum(score, 0.0))


def _bounded(graph: Bipartite, k: int) -> _Parts:
    lost = _sums(graph, graph.component_cell, variation_terms(graph.table)) / graph.sizes
    return _by_size(graph, np.maximum(1.0 - lost / (2.0 * np.log(max(k, 2))), 0.0))


def _mutual_information(graph: Bipartite) -> _Parts:
    table = graph.table
    size = graph.sizes[graph.component_cell].astype(np.float64)
    product = table.sizes_a[table.row].astype(np.float64) * table.sizes_b[table.column]
    told = _sums(graph, graph.component_cell, table.count * np.log(table.count * size / product))
    n = table.n_items
    parts = _by_size(graph, np.maximum(told / graph.sizes, 0.0))
    return parts._replace(offset=total(graph.sizes * log_ratio(np.int64(n), graph.sizes)) / n)


def _van_dongen(graph: Bipartite) -> _Parts:
    table = graph.table
    kept = _sums(graph, graph.component_a, largest_overlaps(table.row, table.count, table.n_a))
    kept += _sums(graph, graph.component_b, largest_overlaps(table.column, table.count, table.n_b))
    return _by_size(graph, kept / (2.0 * graph.sizes))


def _classification_accuracy(graph: Bipartite) -> _Parts:
    cells = matched_cells(graph.table)
    return _by_size(graph, _sums(graph, graph.component_cell[cells], graph.table.count[cells]) / graph.sizes)


_DECOMPOSED: dict[str, Callable[[Bipartite], _Parts]] = {
    "rand": _rand,
    "mutual_information": _mutual_information,
    "variation_similarity": _variation_similarity,
    "variation_of_information": _variation_of_information,
    "van_dongen": _van_dongen,
    "classification_accuracy": _classification_accuracy,
}


def _split_merge(graph: Bipartite, scores: SplitMerge, combine: Combine) -> Decomposition:
    """Return the decomposition of the split-merge similarity, with what every split, merge and overlap costs."""
    table = graph.table
    kept = table.count * combined(table, scores, combine)
    parts = _by_size(graph, np.minimum(_sums(graph, graph.component_cell, kept) / graph.sizes, 1.0))
    split, merge = scores.split[table.row], scores.merge[table.column]
    both = combine == "product"
    share = table.count / table.n_items
    by_split = share * (1.0 - split) * (1.0 + merge if both else 1.0) / 2.0
    by_merge = share * (1.0 - merge) * (1.0 + split if both else 1.0) / 2.0
    clusters = _sorted(
        ["split"] * table.n_a + ["merge"] * table.n_b,
        [*table.label_a.tolist(), *table.label_b.tolist()],
        np.concatenate((table.sizes_a, table.sizes_b)),
        np.concatenate((np.bincount(table.row), np.bincount(table.column))),
        np.concatenate((np.bincount(table.row, weights=by_split), np.bincount(table.column, weights=by_merge))),
    )
    labels_a, labels_b = table.label_a.tolist(), table.label_b.tolist()
    pairs = [(labels_a[r], labels_b[c]) for r, c in zip(table.row.tolist(), table.column.tolist(), strict=True)]
    overlaps = _sorted(["overlap"] * table.n_cells, pairs, table.count, np.ones_like(table.count), by_split + by_merge)
    return Decomposition("split_merge", *parts, graph.sizes, graph, clusters, overlaps)


def _sorted(what: list[str], label: list[Any], size: IntArray, parts: IntArray, cost: FloatArray) -> Costs:
    """Return costs, the dearest first, ties in the order in which they came."""
    order = np.argsort(-cost, kind="stable")
    at = order.tolist()
    return Costs(tuple(what[i] for i in at), tuple(label[i] for i in at), size[order], parts[order], cost[order] + 0.0)
