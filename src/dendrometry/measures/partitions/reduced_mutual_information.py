"""Reduced mutual information: the information that partitions share, less that of the table of their overlaps."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures._shared.reduced_information import reduced_information
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score


def reduced_mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Reduced mutual information: how much shorter ``b`` makes a description of ``a``, in nats per item.

    (H(a) - H(a|b)) / n. H(a) is the length of the shortest description of the labels of ``a``: the sizes of its
    clusters, by a Dirichlet-multinomial law, and then the items of each, of which there are n! / (product of s!) ways.
    H(a|b) describes the overlaps of each cluster of ``b`` in the same way, and then their items. Mutual information
    leaves the description of the overlaps out, and so grows with the number of clusters.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the true and in the found partition; or a `Contingency` alone.

    Returns
    -------
    float
        Up to log n; below 0 if ``b`` does not pay for the description of the overlaps. The value of a partition with
        itself varies: see `normalized_reduced_mutual_information`.

    Notes
    -----
    Not symmetric, but nearly so. n / log 2 times the value are the bits that ``clustering_mi.mutual_information(b, a)``
    of the package clustering-mi returns. The concentration of either law is the one with the shortest description
    between 1e-4 and 1e4, found by golden section. O(n) time, plus 35 sums over the different sizes of clusters and
    overlaps. The mean over relabellings has no formula, since each table of overlaps has a concentration of its own.

    References
    ----------
    .. [1] M. E. J. Newman, G. T. Cantwell, J.-G. Young, "Improved mutual information measure for clustering,
       classification, and community detection", Physical Review E 101 (2020) 042304,
       doi:10.1103/PhysRevE.101.042304.
    .. [2] M. Jerdee, A. Kirkley, M. Newman, "Mutual information and the encoding of contingency tables", Physical
       Review E 110 (2024) 064306, doi:10.1103/PhysRevE.110.064306.

    Examples
    --------
    >>> from dendrometry.measures import reduced_mutual_information
    >>> truth = [0] * 10 + [1] * 10
    >>> round(reduced_mutual_information(truth, truth), 4), round(reduced_mutual_information(truth, range(20)), 4)
    (0.6238, 0.0)
    """
    table = as_contingency(a, b)
    return reduced_information(table.sizes_a, table.sizes_b, table.count)


def score(statistics: PartitionStatistics) -> Score:
    """Return the information; its expectation has no formula."""
    return Score(reduced_mutual_information(statistics.table))


MEASURE = Measure(
    call=reduced_mutual_information,
    of="partitions",
    symbol="RMI",
    title="Reduced mutual information",
    aliases=("RMI",),
    score=score,
    kind="information",
    identical=None,
    lower=-math.inf,
    upper=math.inf,
    reached="below 0 to log n",
    symmetric=False,
    triangle=False,
    exact=False,
    default=False,
    expects=False,
    meaning="how much shorter a description of {a} is if {b} is known, in nats per item",
    formula=(
        "RMI = (H(a) - H(a|b)) / n\n"
        "H(a) = min over c of log C(n + kc - 1, n) - Σ log C(s + c - 1, s), plus log n! - Σ log s!\n"
        "H(a|b) = min over c of Σ log C(t + kc - 1, t) - Σ log C(m + c - 1, m), plus Σ log t! - Σ log m!\n"
        "for the k clusters of a"
    ),
    chance="no formula, about 0 or below; expected_by_chance() estimates it",
    source="Jerdee et al. 2024",
    bibtex="jerdee2024",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
