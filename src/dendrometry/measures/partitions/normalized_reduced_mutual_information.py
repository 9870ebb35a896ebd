"""Normalised reduced mutual information: the share of the description of one partition that another one saves."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures._shared.reduced_information import reduced_information
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.score import Score

_ROUNDING = 1e-4  # per item: where the search for the concentration ends, what is less says nothing


def normalized_reduced_mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Reduced mutual information as a share of that of the true partition ``a`` with itself.

    RMI(a, b) / RMI(a, a), with `reduced_mutual_information`. The asymmetric form depends on ``b`` through what it says
    of ``a`` alone; the symmetric forms, which also divide by the information of ``b``, prefer simpler partitions b.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the true and in the found partition; or a `Contingency` alone.

    Returns
    -------
    float
        1 for the same partition, about 0 for an unrelated one; below 0 if ``b`` is worse than nothing. Above 1 for few
        items or very small true clusters, where some other partition says more of ``a``, for its cost, than ``a``
        itself. Higher is more alike.

    Notes
    -----
    Not symmetric. 0 for any other partition if ``a`` says nothing for its cost, ``RMI(a, a) < 0.0001``, as one cluster
    and partitions of very few items do. Equal to ``clustering_mi.normalized_mutual_information(b, a)`` of the package
    clustering-mi, except for partitions without information, which are 1 with themselves here. Costs twice as much as
    `reduced_mutual_information`.

    References
    ----------
    .. [1] M. Jerdee, A. Kirkley, M. Newman, "Normalized mutual information is a biased measure for classification and
       community detection", arXiv:2307.01282 (2023).
    .. [2] M. Jerdee, A. Kirkley, M. Newman, "Mutual information and the encoding of contingency tables", Physical
       Review E 110 (2024) 064306, doi:10.1103/PhysRevE.110.064306.

    Examples
    --------
    >>> from dendrometry.measures import normalized_reduced_mutual_information
    >>> truth = [0] * 10 + [1] * 10
    >>> round(normalized_reduced_mutual_information(truth, [0] * 9 + [1] * 11), 4)
    0.6073
    """
    table = as_contingency(a, b)
    if table.is_identical:
        return 1.0
    most = reduced_information(table.sizes_a, table.sizes_a, table.sizes_a)
    return reduced_information(table.sizes_a, table.sizes_b, table.count) / most + 0.0 if most > _ROUNDING else 0.0


def score(statistics: PartitionStatistics) -> Score:
    """Return the similarity; its expectation has no formula."""
    return Score(normalized_reduced_mutual_information(statistics.table))


MEASURE = Measure(
    call=normalized_reduced_mutual_information,
    of="partitions",
    symbol="NRMI",
    title="Normalised reduced information",
    aliases=("NRMI", "asymmetrically normalised reduced mutual information"),
    score=score,
    lower=-math.inf,
    upper=math.inf,
    reached="below 0 to above 1",
    symmetric=False,
    triangle=False,
    exact=False,
    default=False,
    expects=False,
    meaning="the share of the description of {a} that knowing {b} saves",
    formula="NRMI = RMI(a, b) / RMI(a, a)",
    chance="no formula, about 0 or below; expected_by_chance() estimates it",
    source="Jerdee et al. 2024",
    bibtex="jerdee2024",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
