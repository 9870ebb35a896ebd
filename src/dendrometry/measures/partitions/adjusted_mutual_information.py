"""Adjusted mutual information: the information that two partitions share beyond chance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures._shared.expected_information import MOST_STEPS, count_steps, expected_shares
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions.mutual_information import information_curve, mutual_information
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.levels import Levels
from dendrometry.tree_pair.sums import less_children, running_sum

_BELOW_ONE = math.nextafter(1.0, 0.0)
_TOO_LONG = (
    f"the expected mutual information must take at most {MOST_STEPS:,} steps;"
    " the clusters have too many different sizes"
)


def adjusted_mutual_information(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Mutual information adjusted for chance: the information shared beyond that of random relabellings.

    (I - E) / ((H(a) + H(b))/2 - E), where I is the `mutual_information`, E its mean over all relabellings of the items,
    and H the entropy of a partition.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    float
        Up to 1 (the same partition, exact); 0 on average for random relabellings, negative for less information than by
        chance. Higher is more alike.

    Raises
    ------
    UndefinedMeasureError
        If the clusters have so many different sizes that the expectation would take more than 1,000,000,000 steps.

    Notes
    -----
    One cluster, or all singletons, against any other partition: 0, since every relabelling has the same information.
    One cluster against itself, all singletons against themselves, and a single item: 1. O(n) time, and one step for
    each probable overlap of each pair of different sizes of clusters; overlaps of 2,048 items or more on average are
    taken from the moments of their distribution, and of very many sizes most are interpolated. Equal to
    scikit-learn's ``adjusted_mutual_info_score``. Not a metric.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11
       (2010) 2837-2854.

    Examples
    --------
    >>> from dendrometry.measures import adjusted_mutual_information
    >>> round(adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.571429
    """
    return _adjusted_of(PartitionStatistics(as_contingency(a, b)))


def _adjusted_of(statistics: PartitionStatistics) -> float:
    """Return the adjusted information of two partitions."""
    table = statistics.table
    if table.is_identical:
        return 1.0
    if {table.n_a, table.n_b} & {1, table.n_items}:
        return 0.0
    expected = statistics.expected_information
    if expected is None:
        raise UndefinedMeasureError(_TOO_LONG)
    mean = sum(statistics.entropies) / 2.0
    return min((mutual_information(table) - expected) / (mean - expected) + 0.0, _BELOW_ONE)


def label_curve(levels: Levels) -> FloatArray:
    """Return the measure at every tick, if the first partition is always the same.

    The expectation is a sum over the clusters of the second, in which only those that merge change.
    """
    n, tree = levels.n, levels.trees[1]
    classes = levels.trees[0].own[levels.trees[0].n_children == 0]
    size, of_node = np.unique(np.append(1, tree.size), return_inverse=True)
    if count_steps(size, classes, n) > MOST_STEPS:
        raise UndefinedMeasureError(_TOO_LONG)
    share = expected_shares(size, classes, n)[of_node]
    rises = less_children(tree.parent, share[1:]) - tree.own * share[0]
    merges = levels.merges[1]
    expected = (n * share[0] + running_sum(levels.ticks[1][merges], rises[merges], levels.walk.time.size)) / n
    entropies = math.log(n) - (levels.held(0) + levels.held(1)) / (2.0 * n)
    above, below = information_curve(levels) - expected, entropies - expected
    n_a, n_b = (groups[:-1] for groups in levels.groups)
    decided = (n_a > 1) & (n_a < n) & (n_b > 1) & (n_b < n)
    value = np.divide(above, below, out=np.zeros(below.size), where=decided & (below > 0.0))
    return np.where(levels.same, 1.0, np.minimum(value, _BELOW_ONE))


def score(statistics: PartitionStatistics) -> Score:
    """Return the measure; its expectation is 0, so it is its own adjusted form."""
    value = _adjusted_of(statistics)
    expected = 1.0 if statistics.is_fixed else 0.0
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=adjusted_mutual_information,
    of="partitions",
    symbol="AMI",
    title="Adjusted mutual information",
    aliases=("AMI", "adjusted_mutual_info_score", "AVI", "adjusted variation of information"),
    score=score,
    lower=-math.inf,
    reached="below 0 to 1",
    triangle=False,
    exact=False,
    default=False,
    tested_by="information",
    label_curve=label_curve,
    meaning="the information that the partitions share, rescaled so that its expectation by chance is 0",
    formula=("AMI = (I - E(I)) / ((H(a) + H(b))/2 - E(I))\nH = -Σ (s/n) log(s/n), over the clusters of one partition"),
    chance="0, exact",
    source="Vinh et al. 2010",
    bibtex="vinh2010",
    properties=Properties(normalised=False, join_weighted=False, monotone="weakly"),
)
