"""The pair sets index: how much of the larger of two matched clusters they share, beyond chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._exact import LEAST, inside, total
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.matching import match_shares
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score


def pair_sets_index(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Pair sets index: the shares of matched clusters in the larger of both, beyond those of independent partitions.

    max(S - E, 0) / (k - E). S is the sum over matched clusters, of s and t items with m in common, of m / max(s, t),
    for the one-to-one matching with the greatest S; k is the larger number of clusters. E is the sum of min(s, t) / n
    with the clusters of both sides matched in the order of their sizes: what S would be for independent partitions.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        From 0 (no more than for independent partitions) to 1 (the same partition). Higher is more alike.

    Notes
    -----
    Clusters of all sizes weigh the same. E is no mean over relabellings: S, which is the greatest of many sums, is
    above E on average, so that random partitions score above 0. The matching is that of `classification_accuracy`, of
    shares in place of counts, which are rounded at 2**-42; O(n) time plus its time. The mean over relabellings has no
    formula, as for all measures that choose a matching.

    References
    ----------
    .. [1] M. Rezaei, P. Fränti, "Set matching measures for external cluster validity", IEEE Transactions on Knowledge
       and Data Engineering 28 (2016) 2173-2186, doi:10.1109/TKDE.2016.2551240.

    Examples
    --------
    >>> from dendrometry.measures import pair_sets_index
    >>> round(pair_sets_index([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]), 4)
    0.5
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    share = table.count / np.maximum(table.sizes_a[table.row], table.sizes_b[table.column])
    shared = total(share[match_shares(table, share)])
    few = min(table.n_a, table.n_b)
    sizes_a, sizes_b = (np.sort(sizes)[::-1][:few] for sizes in (table.sizes_a, table.sizes_b))
    by_chance = int(np.minimum(sizes_a, sizes_b).sum()) / table.n_items
    above = (shared - by_chance) / (max(table.n_a, table.n_b) - by_chance)
    return inside(above) if above >= LEAST else 0.0


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity; its expectation has no formula."""
    return Score(pair_sets_index(statistics.table))


MEASURE = Measure(
    call=pair_sets_index,
    of="partitions",
    symbol="PSI",
    title="Pair sets index",
    aliases=("PSI",),
    score=score,
    triangle=False,
    default=False,
    expects=False,
    meaning="the shares of matched clusters in the larger of both, beyond those of independent partitions",
    formula=(
        "PSI = max(S - E, 0) / (k - E), k = the larger number of clusters\n"
        "S = the greatest Σ m / max(s, t) over clusters matched one to one\n"
        "E = Σ min(s, t) / n over clusters matched in the order of their sizes"
    ),
    chance="no formula, above 0; expected_by_chance() estimates it",
    source="Rezaei and Fränti 2016",
    bibtex="rezaei2016",
    properties=Properties(normalised=True, join_weighted=False, monotone="weakly"),
)
