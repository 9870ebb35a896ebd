"""The split-merge framework: a score for each cluster and its parts, combined over the overlaps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import real_array
from dendrometry._check.choices import one_of
from dendrometry._check.distances import check_distances, distances_of, n_items_of, reorder_distances
from dendrometry._check.names import reorder
from dendrometry._display import printable
from dendrometry._exact import float_or_nan, inside, total, within
from dendrometry._kernels.measures import split_merge as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import Argument, InvalidInputError, ItemMismatchError
from dendrometry.measures._shared.matching import largest_overlaps
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures._shared.scatter import Scatter, scatter_of_distances, scatter_of_parts
from dendrometry.measures.components import (
    Components,
    Costs,
    Parts,
    strict_scores,
    sum_over_components,
    weigh_by_size,
)
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels

ClusterScore = Callable[[IntArray, list[IntArray]], float]
PartScore = Literal["entropy", "mse", "max_overlap"] | ClusterScore
Combine = Literal["product", "mean"]


class SplitMerge(NamedTuple):
    """The scores of all clusters: of a, for the way b splits them; of b, for the way they merge parts of a."""

    split: FloatArray
    merge: FloatArray


class _View(NamedTuple):
    """The table from one side: the cluster of each cell, the sizes of the clusters, and their name in messages."""

    table: Contingency
    cluster: IntArray
    size: IntArray
    which: str

    @property
    def n_parts(self) -> IntArray:
        """The number of parts of each cluster."""
        return np.bincount(self.cluster, minlength=self.size.size)


def split_merge(
    a: ArrayLike | Contingency,
    b: ArrayLike | None = None,
    *,
    score: PartScore = "entropy",
    combine: Combine = "product",
    features: ArrayLike | None = None,
    distances: Any = None,
) -> float:
    """Split-merge similarity: the mean, over items, of how little their two clusters are split and merged.

    The sum over overlaps of size m between a cluster L of a and a cluster C of b of (m/n) f(s(L), s(C)), where
    s(L) scores how b splits L into parts and s(C) how C is merged from parts; f is the product (the framework, S*)
    or the mean (S').

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.
    score : {"entropy", "mse", "max_overlap"} or callable
        "entropy": 1 - H(parts) / log(size). "mse": the squared error of ``features`` around the means of the parts,
        over that around the mean of the cluster; where the cluster has no spread, (size - parts) / (size - 1), the
        expectation under vanishing noise. From ``distances``, the squared error of m items is the sum over their pairs
        of the squared distance, divided by m: the same for Euclidean distances of the features. "max_overlap": largest
        part / size, which with the mean gives `van_dongen`. A callable takes the positions of the items of one cluster
        and a list of the positions of each of its parts, and returns a number from 0 to 1; it is not called for
        singletons, whose score is 1. Positions are those in the partitions, even if a `Contingency` has left out noise.
    combine : {"product", "mean"}
        The function f that combines the two scores of an overlap.
    features : (n_items, n_features) array-like of float, optional
        The feature vector of each item, including noise that a `Contingency` has left out; "mse" requires them, or
        distances, and nothing else takes them.
    distances : (n_items, n_items) or (n_items (n_items - 1) / 2,) array-like of float, optional
        The distances between the items, square or condensed, in place of features. If they are not Euclidean, the parts
        of a cluster may have more squared error than the cluster: its score is then 1.

    Returns
    -------
    float
        From 0 to 1 (the same partition). Higher is more alike. With "entropy" and "product" it is 1 only for the
        same partition, and 0 exactly if no two items are together in both and no singleton is shared.

    Raises
    ------
    InvalidInputError
        If an option is unknown, features or distances are missing, superfluous or not finite, or a callable's score is
        not between 0 and 1.
    ItemMismatchError
        If the number of feature vectors is not that of items, or distances are between another number of items.

    Notes
    -----
    O(n) for "entropy" and "max_overlap", O(n x n_features) for "mse" with features, the squares of the sizes of the
    clusters with distances, one call for each cluster for a callable.

    References
    ----------
    .. [1] Q. Xiang, Q. Mao, K. M. A. Chai, H. L. Chieu, I. W. Tsang and Z. Zhao, "A split-merge framework for
       comparing clusterings", ICML 2012.

    Examples
    --------
    >>> from dendrometry.measures import split_merge, van_dongen
    >>> truth, found = [0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]
    >>> split_merge(truth, found)
    0.6666666666666666
    >>> split_merge(truth, found, score="max_overlap", combine="mean") == van_dongen(truth, found)
    True
    >>> split_merge(truth, found, score="mse", features=[0.0, 0.1, 1.0, 1.1, 7.0, 7.0])
    0.33993399339933994
    >>> split_merge([0, 0, 0, 1], [0, 0, 1, 1], score="mse", distances=[1, 4, 9, 3, 8, 5])  # 01, 02, 03, 12, 13, 23
    0.028846153846153848
    """
    table = as_contingency(a, b)
    vectors = reorder(a, features, "labels and features")
    between = reorder_distances(a, distances, "labels and distances")
    overlaps = combine_scores(table, subcomponent_scores(table, score, vectors, between), combine)
    return sum_overlaps(table, overlaps, score)


def sum_overlaps(table: Contingency, overlaps: FloatArray, score: PartScore) -> float:
    """Return the split-merge similarity from the similarity of each overlap."""
    value = total(table.count * overlaps) / table.n_items
    if table.is_identical or not is_strict(score):
        return min(max(value, 0.0), 1.0)
    return inside(value) if value > 0.0 else 0.0


def is_strict(score: PartScore) -> bool:
    """Whether a score is 1 only for clusters that are not split; not known for features and functions."""
    return not callable(score) and score != "mse"


def combine_scores(table: Contingency, scores: SplitMerge, combine: Combine) -> FloatArray:
    """Return the similarity of each overlap."""
    one_of(combine, "combine", get_args(Combine))
    split, merge = scores.split[table.row], scores.merge[table.column]
    return split * merge if combine == "product" else (split + merge) / 2.0


def subcomponent_scores(
    table: Contingency, score: PartScore, features: ArrayLike | None = None, distances: Any = None
) -> SplitMerge:
    """Return the score of every cluster of both partitions."""
    a = _View(table, table.row, table.sizes_a, "first")
    b = _View(table, table.column, table.sizes_b, "second")
    if not callable(score):
        one_of(score, "score", (*_SCORES, "mse"), also="a function")
    if score == "mse":
        scatter = _scatter_by(table, features, distances)
        return SplitMerge(_mse(a, scatter(a)), _mse(b, scatter(b)))
    for name, given in (("features", features), ("distances", distances)):
        if given is not None:
            raise InvalidInputError(f"{name} require ", Argument("score", "mse"), f"; got them with {printable(score)}")
    if callable(score):
        return SplitMerge(_call_score(a, score), _call_score(b, score))
    return SplitMerge(_SCORES[score](a), _SCORES[score](b))


def _entropy(view: _View) -> FloatArray:
    """Return 1 - H(parts) / log(size), as sum m log m / (size log size): no difference, so 0 and 1 are exact."""
    count, size = view.table.count, view.size
    order = np.lexsort((count, view.cluster))  # of the parts of a cluster by size: names do not change a bit
    part = count[order]
    held = np.bincount(view.cluster[order], weights=part * np.log(part), minlength=size.size)
    scores = np.ones(size.size)
    np.divide(held, size * np.log(size), out=scores, where=size > 1)
    scores[view.n_parts == 1] = 1.0
    split = np.flatnonzero((view.n_parts > 1) & (scores >= 1.0))
    scores[split] = inside(1.0)
    return scores


def _max_overlap(view: _View) -> FloatArray:
    """Return the share of the largest part."""
    scores: FloatArray = largest_overlaps(view.cluster, view.table.count, view.size.size) / view.size
    return scores


_SCORES: dict[str, Callable[[_View], FloatArray]] = {"entropy": _entropy, "max_overlap": _max_overlap}


def _scatter_by(table: Contingency, features: ArrayLike | None, distances: Any) -> Callable[[_View], Scatter]:
    """Return the function that computes the squared error of the clusters of one side, and of their parts."""
    if (features is None) == (distances is None):
        got = "none" if features is None else "both"
        raise InvalidInputError(
            "features of the items or distances must be given for ", Argument("score", "mse"), f"; got {got}"
        )
    item_cell = table.item_cell
    n_items = item_cell.size + table.left_out
    if features is not None:
        vectors = _check_features(table, features, n_items)
        return lambda view: scatter_of_parts(vectors, view.cluster, item_cell, view.size.size)
    between = distances_of(distances)
    if n_items_of(between) != n_items:
        raise ItemMismatchError(f"distances must be those of {n_items:,} items; got those of {n_items_of(between):,}")
    check_distances(between)
    item = np.arange(n_items) if table.kept is None else table.kept
    return lambda view: scatter_of_distances(between, item, view.cluster, item_cell)


def _mse(view: _View, scatter: Scatter) -> FloatArray:
    """Return the squared error inside the parts, as a share of that of the cluster."""
    left, whole = scatter
    parts = view.n_parts
    scores = np.ones(view.size.size)
    np.divide(view.size - parts, view.size - 1, out=scores, where=view.size > 1)
    np.divide(left, whole, out=scores, where=whole > 0.0)
    scores[parts == 1] = 1.0
    np.minimum(scores, 1.0, out=scores)
    return scores


def _check_features(table: Contingency, features: ArrayLike, n_items: int) -> FloatArray:
    """Return finite features, one row for each item."""
    array = real_array(features, "features", 1 if _is_flat(features) else 2)
    if len(array) != n_items:
        raise ItemMismatchError(f"features must hold one vector for each of {n_items:,} items; got {len(array):,}")
    vectors = array.reshape(n_items, -1)
    bad = ~np.isfinite(vectors)
    if bad.any():
        at, column = map(int, np.argwhere(bad)[0])
        raise InvalidInputError(f"features must be finite; got {vectors[at, column]} in row {at}, column {column}")
    kept = vectors if table.kept is None else vectors[table.kept]
    if kept.dtype.kind == "f" and kept.dtype.itemsize > 8 and kept.size:
        kept = np.ldexp(kept, -np.frexp(np.abs(kept).max())[1])  # of any range; errors are shares, whatever the unit
    return kept.astype(np.float64)


def _is_flat(features: ArrayLike) -> bool:
    """Whether features are one number for each item."""
    try:
        return np.ndim(features) == 1
    except ValueError:  # rows of different lengths, which are refused elsewhere
        return False


def _call_score(view: _View, score: ClusterScore) -> FloatArray:
    """Return the score of each cluster and its parts by a callable."""
    table = view.table
    order = np.lexsort((table.item_cell, view.cluster[table.item_cell]))
    if table.kept is not None:
        order = table.kept[order]
    cells = np.lexsort((np.arange(table.n_cells), view.cluster))
    parts = np.split(order, np.cumsum(table.count[cells])[:-1])
    stop = np.cumsum(view.n_parts)
    scores = np.ones(view.size.size)
    for i in np.flatnonzero(view.size > 1).tolist():
        own = parts[stop[i] - view.n_parts[i] : stop[i]]
        returned = score(np.sort(np.concatenate(own)), [np.sort(part) for part in own])
        scores[i] = float_or_nan(returned)
        if not 0.0 <= scores[i] <= 1.0:
            raise InvalidInputError(
                f"a score must be a number from 0 to 1; got {printable(returned)}"
                f" for cluster {i} of the {view.which} partition"
            )
    return scores


def curve(levels: Levels) -> FloatArray:
    """Return the similarity by entropy at every tick.

    If no two items are together in both trees, n S_H is the number of shared singletons: a whole number.
    """
    count = levels.walk.pair.count
    many = max(32, math.isqrt(count.size))
    total = kernels.split_merge_curve(count, levels.joins(), levels.rises, levels.walk.time.size, many)
    apart = levels.walk.t == 0
    total[apart] = np.rint(total[apart])
    return within(total / levels.n, apart & (total == 0.0), levels.same)


def score_of(statistics: PartitionStatistics) -> Score:
    """Return the similarity; its expectation has no known formula."""
    return Score(split_merge(statistics.table))


def decompose(
    graph: Components,
    *,
    score: PartScore = "entropy",
    combine: Combine = "product",
    features: ArrayLike | None = None,
    distances: Any = None,
) -> Parts:
    """Return the similarity as a sum over components, with the cost of every split, merge and overlap."""
    table = graph.table
    scores = subcomponent_scores(table, score, features, distances)
    similar = combine_scores(table, scores, combine)
    kept = np.clip(sum_over_components(graph, graph.component_cell, table.count * similar) / graph.sizes, 0.0, 1.0)
    parts = weigh_by_size(graph, strict_scores(graph, kept, kept == 0.0) if is_strict(score) else kept)
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
    return parts._replace(clusters=clusters, overlaps=overlaps, value=value, overlap_score=similar)


def _sort_costs(what: list[str], label: list[Any], size: IntArray, parts: IntArray, cost: FloatArray) -> Costs:
    """Return costs, the largest first, with ties in their original order."""
    order = np.argsort(-cost, kind="stable")
    at = order.tolist()
    return Costs(tuple(what[i] for i in at), tuple(label[i] for i in at), size[order], parts[order], cost[order] + 0.0)


MEASURE = Measure(
    call=split_merge,
    of="partitions",
    symbol="S_H",
    title="Split-merge",
    aliases=("split-merge measure",),
    score=score_of,
    triangle=False,
    expects=False,
    curve=curve,
    decompose=decompose,
    meaning="how far clusters are split and merged, overlap by overlap",
    formula=(
        "S_H = Σ (m/n) s_H(L) s_H(C), over the overlaps of clusters L and C\n"
        "s_H(L) = 1 - H(parts of L) / log |L|; 1 for a single item"
    ),
    chance="no formula, above 0; expected_by_chance() estimates it",
    source="Xiang et al. 2012",
    bibtex="xiang2012",
    properties=Properties(
        normalised=True,
        conditionally_normalised=True,
        join_weighted=True,
        subcomponent_consistent=True,
        monotone="strictly",
    ),
)
