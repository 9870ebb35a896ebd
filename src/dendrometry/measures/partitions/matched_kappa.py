"""Cohen's kappa after matching: the agreement of two partitions whose clusters have been matched, beyond chance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import total
from dendrometry._typing import IntArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.matching import match_cells
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts, count_overlaps, sum_over_components
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score

_BELOW_ONE = math.nextafter(1.0, 0.0)
_MOST_ITEMS = 2_097_151  # the greatest n whose n**3 fits in 63 bits


def matched_kappa(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Cohen's kappa of two partitions after the best one-to-one matching of their clusters.

    The clusters are matched so that the matched pairs share as many items as possible, as in
    `classification_accuracy`. With matched clusters as the same category, and every other cluster as a category of its
    own, kappa = (p - e) / (1 - e): p is the share of items in the same category in both, and e, the sum over matched
    clusters of s and t items of s t / n^2, its expectation if the categories of an item were independent. Clusters that
    share no item are never matched. Of several best matchings, the one with the greatest kappa counts.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        At most 1 (the same partition). Higher is more alike. 0 if the agreement is that of independent categories;
        since the matching is chosen after the fact, it is below 0 only if a large cluster takes nearly all items in
        both.

    Notes
    -----
    Exact integers up to one division. Time as for `classification_accuracy`. The mean over all relabellings is above 0
    and has no formula, because the best matching depends on all overlaps at once: for a correction by chance, see
    `adjusted_rand`. Above 2,097,151 items, the first of several best matchings counts.

    References
    ----------
    .. [1] J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20
       (1960) 37-46, doi:10.1177/001316446002000104.
    .. [2] C. Reilly, C. Wang and M. Rutherford, "A rapid method for the comparison of cluster analyses", Statistica
       Sinica 15 (2005) 19-33.

    Examples
    --------
    >>> from dendrometry.measures import matched_kappa
    >>> matched_kappa(["x", "x", "x", "y", "y"], [2, 2, 1, 1, 1])
    0.6153846153846154
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    n, cells = table.n_items, _matched(table)
    shared, by_chance = int(table.count[cells].sum()), sum(_products(table, cells))
    return _kappa(n, shared, by_chance)


def _matched(table: Contingency) -> IntArray:
    """Return the cells of the matching: the most items, then the fewest products, which decide between equal ones."""
    n = table.n_items
    if n > _MOST_ITEMS:
        return match_cells(table)
    return match_cells(table, table.count * (n * n + 1) - table.sizes_a[table.row] * table.sizes_b[table.column])


def _products(table: Contingency, cells: IntArray) -> list[int]:
    """Return the product of the sizes of both clusters of some cells, exactly."""
    sizes_a, sizes_b = table.sizes_a[table.row[cells]].tolist(), table.sizes_b[table.column[cells]].tolist()
    return [s * t for s, t in zip(sizes_a, sizes_b, strict=True)]


def _kappa(n: int, shared: int, by_chance: int) -> float:
    """Return kappa of partitions that differ, from whole numbers."""
    return min((n * shared - by_chance) / (n * n - by_chance), _BELOW_ONE)


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity; its expectation has no formula."""
    return Score(matched_kappa(statistics.table))


def decompose(graph: Components) -> Parts:
    """Return kappa as a sum over components, weighted by the pairs that independent categories would not share.

    An item that is not matched loses 1 / (1 - e).
    """
    table, n = graph.table, graph.table.n_items
    cells = _matched(table)
    of = graph.component_cell[cells]
    shared = sum_over_components(graph, of, table.count[cells]).tolist()
    products = _products(table, cells)
    by_chance = sum_over_components(graph, of, np.array(products, dtype=object)).tolist()
    sizes, same = graph.sizes.tolist(), (count_overlaps(graph) == 1).tolist()
    score = np.array(
        [1.0 if whole else _kappa(*counts) for whole, *counts in zip(same, sizes, shared, by_chance, strict=True)]
    )
    rest, matched = n * n - sum(products), np.zeros(table.n_cells)
    matched[cells] = 1.0
    if rest == 0:  # one cluster in both
        return Parts(np.ones(1), score, overlap_score=matched)
    weight = np.array([(s * s - e) * n / (s * rest) for s, e in zip(sizes, by_chance, strict=True)])
    offset = 0.0 if weight.size == 1 else 1.0 - total(weight)
    return Parts(weight, score, offset, overlap_score=1.0 - (1.0 - matched) * (n * n / rest))


MEASURE = Measure(
    call=matched_kappa,
    of="partitions",
    symbol="κ",
    title="Kappa",
    aliases=("Cohen's kappa", "kappa after matching"),
    score=score,
    lower=-1.0,
    reached="above -1 to 1",
    triangle=False,
    expects=False,
    decompose=decompose,
    meaning="the agreement of clusters matched one to one, beyond that of independent categories",
    formula=(
        "κ = (p - e) / (1 - e), over the best matching of clusters, one to one\n"
        "p = Σ m / n, e = Σ s t / n², over the matched clusters"
    ),
    chance="no formula, above 0; expected_by_chance() estimates it",
    source="Reilly et al. 2005",
    bibtex="reilly2005",
    properties=Properties(normalised=False, join_weighted=False, content_weighted=True, monotone="weakly"),
)
