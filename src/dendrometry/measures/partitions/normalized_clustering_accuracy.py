"""Normalised clustering accuracy: the mean share of a true cluster in its matched one, beyond an even spread."""

from __future__ import annotations

from numpy.typing import ArrayLike

from dendrometry._exact import inside, total
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.matching import match_shares
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score


def normalized_clustering_accuracy(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Normalised clustering accuracy: the mean share of a cluster of ``a`` in its match, beyond an even spread.

    (A - 1/k) / (1 - 1/k), where A is the mean over the k clusters of ``a``, the true ones, of the share of their items
    in their match in ``b``, for the one-to-one matching with the greatest A. Every true cluster weighs the same,
    however small.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the true and in the found partition; or a `Contingency` alone.

    Returns
    -------
    float
        Above -1, up to 1 (the same partition); 0 if every true cluster is spread evenly over k found ones, and negative
        only if there are more found clusters than true ones. Higher is more alike.

    Notes
    -----
    Not symmetric. A true cluster without a match adds a share of 0. A single true cluster has nothing to be spread
    over: 0, or 1 for the same partition. The matching is that of `classification_accuracy`, of shares in place of
    counts, which are rounded at 2**-42; O(n) time plus its time. The mean over relabellings has no formula, as for all
    measures that choose a matching.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity measure", Journal of
       Classification 42 (2025) 2-30, doi:10.1007/s00357-024-09482-2.

    Examples
    --------
    >>> from dendrometry.measures import normalized_clustering_accuracy
    >>> normalized_clustering_accuracy([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    0.75
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    share = table.count / table.sizes_a[table.row]
    shared = total(share[match_shares(table, share)])
    return min((shared - 1.0) / (table.n_a - 1), inside(1.0)) if table.n_a > 1 else 0.0


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity; its expectation has no formula."""
    return Score(normalized_clustering_accuracy(statistics.table))


MEASURE = Measure(
    call=normalized_clustering_accuracy,
    of="partitions",
    symbol="NCA",
    title="Normalised accuracy",
    aliases=("NCA",),
    score=score,
    lower=-1.0,
    reached="above -1 to 1",
    symmetric=False,
    triangle=False,
    default=False,
    expects=False,
    meaning="the mean share of a cluster of {a} in its match in {b}, beyond an even spread",
    formula=("NCA = (A - 1/k) / (1 - 1/k)\nA = the greatest mean of m/s over the k clusters of a, matched one to one"),
    chance="no formula, above 0; expected_by_chance() estimates it",
    source="Gagolewski 2025",
    bibtex="gagolewski2025",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
