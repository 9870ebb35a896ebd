"""Element-centric similarity: how alike the surroundings of an item are in two partitions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import group_sums, inside, total, within
from dendrometry._kernels import tree as kernels
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts, strict_scores, sum_over_components, weigh_by_size
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels
from dendrometry.tree_pair.sums import less_children, running_sum


def element_centric(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Element-centric similarity of two partitions.

    For each item, 1 minus half the L1 distance of its affinities to all items (personalised PageRank on its cluster),
    averaged over the items. For partitions this is (1/n) sum of m**2 / max(s, t) over the overlaps, m items of clusters
    of s and t items, whatever the damping.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above 0, at least 1/n, up to 1 (the same partition). Higher is more alike.

    Notes
    -----
    O(n) time; the expectation takes one step for each pair of distinct sizes. ``1 - element_centric`` is a metric.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9 (2019) 8574, doi:10.1038/s41598-019-44892-y.

    Examples
    --------
    >>> from dendrometry.measures import element_centric
    >>> element_centric([0, 0, 1, 1], [0, 0, 1, 2])
    0.75
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    larger = np.maximum(table.sizes_a[table.row], table.sizes_b[table.column])
    return inside(total(table.count / larger * table.count) / table.n_items)


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity with its expectation, from the second moment of a hypergeometric overlap."""
    table, n = statistics.table, statistics.table.n_items
    value = element_centric(table)
    if statistics.is_fixed:
        return Score(value, 1.0, None)
    (size_a, n_a), (size_b, n_b) = (np.unique(sizes, return_counts=True) for sizes in (table.sizes_a, table.sizes_b))
    terms = []
    for s, times in zip(size_a.tolist(), n_a.tolist(), strict=True):
        square = s * size_b / n * (1.0 + (s - 1) * (size_b - 1) / (n - 1))
        terms.append(times * float(np.dot(n_b, square / np.maximum(s, size_b))))
    expected = math.fsum(terms) / n
    return Score(value, expected, adjust(value, expected, 1.0))


def label_curve(levels: Levels) -> FloatArray:
    """Return the similarity at every tick, if the first partition is always the same.

    An overlap of m items with a class of s items counts m**2 / s until the cluster has s items, and m**2 / t from then
    on. m**2 grows where items of a class come together; each such growth is found again at the first cluster of at
    least s items above, from where on it is divided by the sizes of the clusters.
    """
    classes, tree = levels.trees
    meets, count, n_ticks = levels.walk.meets, levels.walk.pair.count, levels.walk.time.size
    rows, within_class = np.arange(count.size), classes.node[meets.kept] == classes.node[meets.gone]
    many, kept = np.flatnonzero(count > 1), meets.kept[within_class]
    grown = 2 * meets.kept_count[within_class] * meets.gone_count[within_class]
    row = np.concatenate((rows, many, kept))
    growth = np.concatenate((count, count[many] * (count[many] - 1), grown))
    tick = np.concatenate((np.zeros_like(rows), levels.walk.row_tick[many], meets.tick[within_class]))
    size = classes.size[classes.node[row]]
    together = levels.first_at_least(1, levels.ticks[1], tree.node[row], tick)
    large = levels.first_at_least(1, tree.size, together, size)
    n_nodes, share = tree.parent.size, growth / size
    squares = kernels.accumulate_sum(tree.parent, group_sums(large, growth, n_nodes))
    rises = less_children(tree.parent, squares / tree.size) - group_sums(large, share, n_nodes)
    value = running_sum(tick, share, n_ticks) + running_sum(levels.ticks[1], rises, n_ticks)
    return within(value / levels.n, np.zeros(n_ticks, dtype=bool), levels.same)


def decompose(graph: Components) -> Parts:
    """Return the similarity as a sum over components, weighted by their sizes."""
    table = graph.table
    share = table.count / np.maximum(table.sizes_a[table.row], table.sizes_b[table.column])
    kept = sum_over_components(graph, graph.component_cell, share * table.count)
    return weigh_by_size(graph, strict_scores(graph, kept / graph.sizes), share)


MEASURE = Measure(
    call=element_centric,
    of="partitions",
    symbol="EC",
    title="Element-centric",
    aliases=("ECS", "element-centric similarity", "element_sim"),
    score=score,
    reached="1/n to 1",
    triangle=True,
    default=False,
    label_curve=label_curve,
    decompose=decompose,
    meaning="how alike the clusters of an item are in both partitions, on average over the items",
    formula="EC = (1/n) Σ m² / max(s, t)",
    chance="(1/n) Σ over all clusters s, t of (st/n) (1 + (s - 1)(t - 1)/(n - 1)) / max(s, t), exact",
    source="Gates et al. 2019",
    bibtex="gates2019",
    properties=Properties(normalised=False, join_weighted=True, monotone="strictly"),
)
