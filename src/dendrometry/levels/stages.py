"""Stages of two hierarchies: their partitions into k groups compared for every k, and their overall index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.labels import encode_in_order
from dendrometry._check.numbers import real_number
from dendrometry._display import plural
from dendrometry._exact import group_sums
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.levels.blocks import in_blocks
from dendrometry.levels.variance import variance_columns
from dendrometry.measures._shared.pair_counts import PairColumns
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand_columns
from dendrometry.measures.partitions.fowlkes_mallows import fowlkes_mallows_columns
from dendrometry.measures.partitions.rand import rand_columns
from dendrometry.tree_pair.contraction import Contraction, Ties
from dendrometry.tree_pair.ranks import exact_sum, groups_at_stages, need_together, ticks_at_stages, walk_by_rank

_MOST_WHOLE = 2_000_000  # items whose ordered triples fit in 63 bits


@dataclass(frozen=True, eq=False, repr=False)
class Stages(Frozen, Tabular):
    """Counts of pairs at every stage, and the indices computed from them, as arrays with one value for each stage.

    Attributes
    ----------
    n_items : int
        The number of items, n; N = n(n-1)/2 pairs.
    n_clusters : array of int
        The number of clusters requested at each stage, k.
    n_groups : pair of arrays of int
        The number of clusters of the first and of the second tree: k, or the next larger number for which the tree has
        a partition (because of ties, or nodes with more than two parts). `is_reached` says where both are k.
    p, q, t : array of int
        The numbers of pairs of items in one group in the first tree, in the second, and in both.
    triples : pair of arrays
        The numbers of ordered triples of different items in one group, in the first and in the second tree: whole
        numbers, or floats for more than 2,000,000 items, for which they may exceed 2**63.
    ties : {"together", "order"} or None
        The treatment of merges at the same height; None for given partitions.
    """

    n_items: int
    n_clusters: IntArray
    n_groups: tuple[IntArray, IntArray]
    p: IntArray
    q: IntArray
    t: IntArray
    triples: tuple[NDArray[Any], NDArray[Any]]
    ties: Ties | None = None

    def __post_init__(self) -> None:
        """Set every column read-only."""
        for column in (self.n_clusters, *self.n_groups, self.p, self.q, self.t, *self.triples):
            read_only(column)

    @property
    def n_pairs(self) -> int:
        """N, the number of unordered pairs of different items."""
        return self.n_items * (self.n_items - 1) // 2

    @property
    def is_reached(self) -> BoolArray:
        """Whether both trees have exactly k clusters; averages over k should use these stages alone, unlike Z and S."""
        reached: BoolArray = (self.n_groups[0] == self.n_clusters) & (self.n_groups[1] == self.n_clusters)
        return reached

    @cached_property
    def total(self) -> int:
        """The number of pairs together over all stages of both trees, the denominator of z, v and s."""
        return need_together(exact_sum(self.p) + exact_sum(self.q))

    @property
    def apart(self) -> IntArray:
        """The number of pairs together in exactly one of the trees, ``p + q - 2 t``."""
        return (self.p - self.t) + (self.q - self.t)

    @property
    def distance(self) -> float:
        """Z, the sum of `z` [Morlini and Zani, eq. 1], from 0 (the same partition at every stage) to 1."""
        return exact_sum(self.apart) / self.total

    @property
    def similarity(self) -> float:
        """S = 1 - Z, the sum of `v` [eq. 11]."""
        return 2 * exact_sum(self.t) / self.total

    @property
    def expected_distance(self) -> float:
        """The mean of Z over all relabellings of the items."""
        return float(_expected_apart(self).sum() / self.total)

    @property
    def z(self) -> FloatArray:
        """Z_k, the contribution of each stage to Z [eq. 2]."""
        return self.apart / self.total

    @property
    def v(self) -> FloatArray:
        """V_k, the contribution of each stage to S [eq. 12]."""
        return 2 * self.t / self.total

    @property
    def s(self) -> FloatArray:
        """S_k = 1 - Z_k [eq. 13]."""
        return (self.total - self.apart.astype(np.float64)) / self.total

    @property
    def pairs(self) -> PairColumns:
        """The pair counts, in the form used by the measures of partitions."""
        return PairColumns(self.p, self.q, self.t, self.n_pairs)

    @property
    def rand(self) -> FloatArray:
        """The Rand index R_k [eq. 7]: the share of pairs on which the partitions agree."""
        return rand_columns(self.pairs)

    @property
    def adjusted_rand(self) -> FloatArray:
        """The Rand index adjusted for chance, AS_k = AR_k [eq. 20, 21]; 1 if equal, 0 expected by chance."""
        n_pairs = self.n_pairs
        return in_blocks(lambda p, q, t: adjusted_rand_columns(PairColumns(p, q, t, n_pairs)), (self.p, self.q, self.t))

    @property
    def fowlkes_mallows(self) -> FloatArray:
        """B_k = t / sqrt(p q) [eq. 15]; 1 if both partitions are all singletons, 0 if only one is."""
        return fowlkes_mallows_columns(self.pairs)

    @property
    def expected_t(self) -> FloatArray:
        """The mean of t over all relabellings, p q / N [eq. 17]; p and q do not change."""
        return self.p * (self.q / self.n_pairs)

    @property
    def expected_z(self) -> FloatArray:
        """The mean of z over all relabellings."""
        return _expected_apart(self) / self.total

    @property
    def expected_v(self) -> FloatArray:
        """The mean of v over all relabellings."""
        return 2 * self.expected_t / self.total

    @property
    def expected_s(self) -> FloatArray:
        """The mean of s over all relabellings [eq. 18]."""
        return 1.0 - self.expected_z

    @property
    def expected_rand(self) -> FloatArray:
        """The mean of rand over all relabellings."""
        return 1.0 - _expected_apart(self) / self.n_pairs

    @property
    def expected_adjusted_rand(self) -> FloatArray:
        """The mean of adjusted_rand over all relabellings: 0, or 1 if the partitions cannot differ."""
        return np.where(_expected_apart(self) == 0.0, 1.0, 0.0)

    @property
    def expected_fowlkes_mallows(self) -> FloatArray:
        """The mean of fowlkes_mallows over all relabellings, sqrt(p q) / N; 1 if both are all singletons."""
        neither = (self.p == 0) & (self.q == 0)
        return np.where(neither, 1.0, np.sqrt(self.p / self.n_pairs) * np.sqrt(self.q / self.n_pairs))

    @property
    def variance_fowlkes_mallows(self) -> FloatArray:
        """The variance of fowlkes_mallows over all relabellings (Fowlkes and Mallows 1983, section 3)."""
        return in_blocks(partial(variance_columns, self.n_items), (self.p, self.q, *self.triples))

    def fowlkes_mallows_limit(self, alpha: float = 0.05) -> FloatArray:
        """Return the value of B_k that unrelated trees exceed with probability ``alpha``, asymptotically.

        The expectation plus the normal quantile of ``1 - alpha`` times the standard deviation: the upper limit that
        dendextend's ``Bk_plot`` draws.
        """
        level = 1.0 - real_number(alpha, "alpha", above=0.0, below=1.0)
        quantile = NormalDist().inv_cdf(min(level, math.nextafter(1.0, 0.0)))
        return self.expected_fowlkes_mallows + quantile * np.sqrt(self.variance_fowlkes_mallows)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each stage."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        first, second = self.n_groups
        groups = {"n_groups_a": first, "n_groups_b": second, "is_reached": self.is_reached}
        names = ("n_clusters", "p", "q", "t", "z", "v", "s", "rand", "adjusted_rand", "fowlkes_mallows")
        means = tuple(f"expected_{name}" for name in names[3:])
        columns = {name: getattr(self, name) for name in names + means + ("variance_fowlkes_mallows",)}
        return pd.DataFrame(columns | groups)

    def _repr_html_(self) -> str:
        names = ("n_clusters", "adjusted_rand", "fowlkes_mallows", "expected_fowlkes_mallows", "rand", "expected_rand")
        return preview(repr(self), {name: getattr(self, name).tolist() for name in names})

    def __repr__(self) -> str:
        ties = f", ties {self.ties}" if self.ties == "together" else ", ties in order" if self.ties else ""
        count = int(self.is_reached.sum())
        reached = "" if count == self.n_clusters.size else f", {count:,} with exactly k clusters in both"
        return f"Stages({plural(self.n_items, 'item')}, {plural(self.n_clusters.size, 'stage')}{reached}{ties})"


def stages(a: HierarchyLike, b: HierarchyLike, *, ties: Ties = "together") -> Stages:
    """Compare the partitions of two hierarchies at every number of clusters k = 2 .. n-1.

    At each k the partition of a tree is the coarsest one with at least k groups, among those from single items to one
    group; ``n_groups`` says how many groups it has. Items of an inner node are single until that node is formed, which
    is when the last of its parts is; nodes that hold the items of their only child do not count.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items.
    ties : {"together", "order"}
        The treatment of merges at the same height: with "together" they happen at once, so that the result does not
        depend on the order of items or nodes; with "order" they happen in the order of nodes, which is the row order
        of a linkage. In a binary tree without ties, both are the same.

    Returns
    -------
    Stages
        The counts p, q, t and the indices computed from them, as arrays over k, with their expectations.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, or there are fewer than three items.

    Notes
    -----
    O(n log n) time, O(n) space, for all k together. With inversions, a node is formed when its last part is. Items
    that share a leaf are single items up to the leaf's own height.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012,
       doi:10.1007/978-3-642-24466-7_4.
    .. [2] E. B. Fowlkes, C. L. Mallows, "A Method for Comparing Two Hierarchical Clusterings", JASA 78 (1983),
       doi:10.1080/01621459.1983.10478008.

    Examples
    --------
    >>> from dendrometry import from_newick, stages
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> series = stages(a, b)
    >>> series.n_clusters.tolist(), series.t.tolist()
    ([2, 3], [1, 1])
    >>> series.distance
    0.42857142857142855
    """
    a, b = as_hierarchies(a, b)
    return stages_of_walk(walk_by_rank(a, b, ties), ties)


def stages_of_walk(walk: Contraction, ties: Ties) -> Stages:
    """Return the stages from a walk by the rank clock."""
    n = walk.pair.n_items
    k = np.arange(2, n)

    def at_stages(column: NDArray[Any], now: IntArray) -> NDArray[Any]:
        stage = np.zeros(k.size, dtype=column.dtype)
        np.take(column, now, out=stage[: now.size], mode="clip")  # other modes copy
        return stage

    def in_either() -> Any:
        now = ticks_at_stages(walk)
        triples = [walk.frame.sum_together(i, 3, 1 if n <= _MOST_WHOLE else 1.0) for i in range(2)]
        columns = [at_stages(column, now) for column in (walk.p, walk.q, *triples)]
        return now, groups_at_stages(walk), columns

    now, groups, (p, q, *triples) = walk.beside_t(in_either)
    return Stages(n, k, groups, p, q, at_stages(walk.t, now), (triples[0], triples[1]), ties)


def stages_of_partitions(
    parts_a: Sequence[Sequence[Any] | NDArray[Any]], parts_b: Sequence[Sequence[Any] | NDArray[Any]]
) -> Stages:
    """Compare two sequences of partitions, stage by stage.

    The partitions may come from any method, for instance k-means for each k, and need not be nested.

    Parameters
    ----------
    parts_a, parts_b : sequences of (n_items,) arrays of labels
        Two sequences of equally many partitions, all of the same items: in the same order, or with the same index.

    Returns
    -------
    Stages
        The counts and indices; ``n_clusters`` is the number of clusters of each partition of ``parts_a``.

    Raises
    ------
    InvalidInputError
        If there are no partitions, or a label is invalid.
    ItemMismatchError
        If the sequences differ in length, or the partitions in their number of items.

    Notes
    -----
    O(n log n) time for each stage.

    Examples
    --------
    >>> from dendrometry.levels import stages_of_partitions
    >>> a = [[0, 1, 1, 2], [0, 0, 0, 1]]
    >>> b = [[0, 0, 1, 2], [0, 0, 1, 1]]
    >>> stages_of_partitions(a, b).distance
    0.7142857142857143
    """
    for parts in (parts_a, parts_b):
        given: object = parts
        if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or getattr(given, "ndim", 1) == 0:
            raise InvalidInputError(f"the partitions must be a sequence; got {type(parts).__name__}")
    if len(parts_a) != len(parts_b):
        raise ItemMismatchError(
            f"parts_a and parts_b must have the same length; got {len(parts_a)} and {len(parts_b)} partitions"
        )
    if len(parts_a) == 0:
        raise InvalidInputError("there must be at least one partition on each side; got none")
    groups_a, groups_b = (
        [encode_in_order(parts_a[0], labels, f"{which} side's", "the partitions").code for labels in parts]
        for parts, which in ((parts_a, "first"), (parts_b, "second"))
    )
    n = groups_a[0].size
    for i, groups in enumerate((*groups_a, *groups_b)):
        if groups.size != n:
            which, at = ("first", "second")[i >= len(groups_a)], i % len(groups_a)
            raise ItemMismatchError(
                f"all partitions must have {n} items; got {groups.size} in the {which}, position {at}"
            )
    if n < 2:
        raise UndefinedMeasureError("there must be at least two items, since pairs are compared; got a single item")
    return stages_of_groups(groups_a, groups_b, np.ones(n, dtype=np.int64))


def stages_of_groups(groups_a: Sequence[IntArray], groups_b: Sequence[IntArray], count: IntArray) -> Stages:
    """Compare partitions given by the group of each row of ``count`` items; -1 for a row whose items are single."""
    n = int(count.sum())
    (sizes_a, n_a), (sizes_b, n_b) = (
        ([_sizes(group, count) for group in groups], [_n_groups(group, count) for group in groups])
        for groups in (groups_a, groups_b)
    )
    cells = [
        _sizes(np.where((x < 0) | (y < 0), -1, x * (y.max() + 1) + y), count)
        for x, y in zip(groups_a, groups_b, strict=True)
    ]
    p, q, t = (np.array([int((m * (m - 1) // 2).sum()) for m in counts]) for counts in (sizes_a, sizes_b, cells))
    triples = [np.array([_ordered_triples(m, n).sum() for m in counts]) for counts in (sizes_a, sizes_b)]
    return Stages(n, np.array(n_a), (np.array(n_a), np.array(n_b)), p, q, t, (triples[0], triples[1]))


def _sizes(group: IntArray, count: IntArray) -> IntArray:
    """Return the number of items of each group, without single items."""
    held = group >= 0
    found, code = np.unique(group[held], return_inverse=True)
    sizes: IntArray = group_sums(code, count[held], found.size)
    return sizes


def _n_groups(group: IntArray, count: IntArray) -> int:
    """Return the number of groups, each single item among them."""
    return int(np.unique(group[group >= 0]).size + count[group < 0].sum())


def _ordered_triples(size: IntArray, n: int) -> NDArray[Any]:
    """Return size (size - 1) (size - 2) for parts of n items, as floats if it may exceed 2**63."""
    return (size if n <= _MOST_WHOLE else size.astype(np.float64)) * (size - 1) * (size - 2)


def _expected_apart(stages: Stages) -> FloatArray:
    """Return the mean of p + q - 2 t over all relabellings, from E[t] = p q / N."""
    share_apart_a, share_apart_b = ((stages.n_pairs - x) / stages.n_pairs for x in (stages.p, stages.q))
    return stages.p * share_apart_b + stages.q * share_apart_a
