"""The overall distance Z of Morlini and Zani: one number for the partitions of two trees at all stages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.contraction import Contraction, Ties, exact_dot
from dendrometry.tree_pair.ranks import need_together, walk_by_rank
from dendrometry.tree_pair.statistics import PairStatistics


def overall_distance(a: HierarchyLike, b: HierarchyLike, *, ties: Ties = "together") -> float:
    """Overall distance Z of two hierarchies.

    ``sum over k (P_k + Q_k - 2 T_k) / sum over k (P_k + Q_k)`` for k = 2 .. n-1: of the pairs of items together in the
    partitions into k groups of either tree, the share together in one tree only. See `stages` for the counts.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items.
    ties : {"together", "order"}
        The treatment of merges at the same height, see `stages`.

    Returns
    -------
    float
        From 0 to 1. Lower is more alike; 0 for the same partition at every stage. Symmetric. Two binary dendrograms
        without ties reach 1 with 3 or 4 items only, see Notes.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, there are fewer than three items, or no pair is together at any stage.

    Notes
    -----
    O(n log n) time, O(n) space, exact up to the final division. It does **not** obey the triangle inequality, although
    [1]_ states that it does: it is a distance of the Bray-Curtis kind, whose denominator depends on the two trees.

    [1]_ says that Z = 1 for the greatest dissimilarity. Two partitions into two groups have only four intersections, so
    that of five or more items two are together in both, and Z is below 1 if both trees have two groups at k = 2. For
    binary dendrograms of five items the maximum is 13/15. Trees with ties or nodes of more than two children may lack
    that stage, and can reach 1 with any number of items.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry import from_newick, overall_distance
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> overall_distance(a, b)
    0.42857142857142855
    """
    a, b = as_hierarchies(a, b)
    return overall_of_walk(walk_by_rank(a, b, ties)).distance


class Overall(NamedTuple):
    """Pairs over all stages: together in exactly one tree, their expectation, in both, in the first and second."""

    apart: int
    expected_apart: float
    both: int
    total: int

    @property
    def distance(self) -> float:
        """Z."""
        return self.apart / self.total

    @property
    def expected_distance(self) -> float:
        """The mean of Z over all relabellings of the items."""
        return self.expected_apart / self.total

    @property
    def similarity(self) -> float:
        """S = 1 - Z."""
        return 2 * self.both / self.total


def overall_of_walk(walk: Contraction) -> Overall:
    """Return the sums over k = 2 .. n-1 from a walk by the rank clock; each tick lasts until the next."""
    frame = walk.frame
    lasts = np.diff(np.minimum(walk.time, walk.pair.n_items - 1), append=walk.pair.n_items - 1)
    both, total = exact_dot(lasts, walk.t), need_together(exact_dot(lasts, walk.p) + exact_dot(lasts, walk.q))
    apart = total - 2 * both
    expected = float(apart) if frame.is_fixed else float((lasts * frame.expected_apart).sum() * frame.n_pairs)
    return Overall(apart, expected, both, total)


def score(statistics: PairStatistics) -> Score:
    """Return Z with its expectation."""
    overall = overall_of_walk(statistics.by_rank)
    expected = overall.expected_distance
    return Score(overall.distance, expected, adjust(overall.distance, expected, 0.0))


MEASURE = Measure(
    call=overall_distance,
    of="trees",
    symbol="Z",
    title="Overall distance",
    aliases=("Morlini-Zani distance", "Z index"),
    score=score,
    kind="distance",
    identical=0.0,
    triangle=False,
    needs_heights=True,
    meaning="the share of pairs, over all numbers of clusters, that are together in one tree only",
    formula=(
        "Z = Σ_k (P_k + Q_k - 2 T_k) / Σ_k (P_k + Q_k), k = 2 … n - 1\n"
        "related at k: unordered pairs in one group of the partition into k groups"
    ),
    chance="1 - 2 Σ_k P_k Q_k / (N Σ_k (P_k + Q_k)), exact",
    source="Morlini and Zani 2012",
    bibtex="morlini2012",
)
