"""Profiles of two hierarchies: a measure of two partitions at every number of clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from dendrometry._check.arrays import Frozen, int_column
from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry._exact import float_or_nan
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.partitions.bounded_variation_similarity import check_bound
from dendrometry.measures.registry import MEASURES, measure_named
from dendrometry.overlap import overlap_of_same_items
from dendrometry.tree_pair.contraction import Ties, contract, rank_clock
from dendrometry.tree_pair.levels import Levels
from dendrometry.tree_pair.pair import Pair

NameOrFunction = str | Callable[[Contingency], float]


@dataclass(frozen=True, eq=False, repr=False)
class Profile(Frozen, Tabular):
    """A measure of two hierarchies at every stage.

    Attributes
    ----------
    measure : str
        The name of the measure.
    n_clusters : array of int
        The requested number of clusters at each stage, k.
    value : array of float
        The measure of the two partitions at each stage.
    n_groups : pair of arrays of int
        The actual numbers of clusters of the first and of the second tree: k, or the next larger number for which the
        tree has a partition (because of ties, or nodes with more than two children).
    """

    measure: str
    n_clusters: IntArray
    value: FloatArray
    n_groups: tuple[IntArray, IntArray]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each stage."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        first, second = self.n_groups
        columns = {"n_clusters": self.n_clusters, "value": self.value, "n_groups_a": first, "n_groups_b": second}
        return pd.DataFrame(columns)

    def _repr_html_(self) -> str:
        groups = {"groups of a": self.n_groups[0].tolist(), "groups of b": self.n_groups[1].tolist()}
        return preview(repr(self), {"clusters": self.n_clusters.tolist(), self.measure: self.value.tolist(), **groups})

    def __repr__(self) -> str:
        k = self.n_clusters
        return f"Profile({self.measure} at {k.size:,} stages, k = {k[0]:,} to {k[-1]:,})"


def profile(
    a: HierarchyLike,
    b: HierarchyLike,
    measure: NameOrFunction = "split_merge",
    *,
    n_clusters: Sequence[int] | IntArray | None = None,
    max_clusters: int | None = None,
    ties: Ties = "together",
) -> Profile:
    """Return a measure of two partitions at every level of two hierarchies.

    At k, the partition of a tree is the coarsest one with at least k groups among those from single items to one
    group, as in `stages`.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items.
    measure : str or callable
        The name of a measure of partitions, or a function of a `Contingency` whose items are in the order of the first
        tree.
    n_clusters : sequence of int, optional
        The numbers of clusters; by default 1 to n. Required for functions, and for measures that cannot be updated
        from stage to stage (`Measure.curve` is None).
    max_clusters : int, optional
        The bound of "bounded_variation_similarity", the same at every stage and at least the number of clusters; by
        default the larger number of clusters at each stage, so that values of different stages have different bounds.
    ties : {"together", "order"}
        Whether merges at the same height happen at once, or in the order of nodes, as in `stages`.

    Returns
    -------
    Profile
        The value at each number of clusters.

    Raises
    ------
    InvalidInputError
        If the measure is unknown or requires ``n_clusters``, or a number of clusters is not between 1 and n.
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights.

    Notes
    -----
    For all k together, O(n log n) time for measures based on pairs or entropies; O(n sqrt(n)) in the worst case for
    "split_merge", which is about as fast as the others on most trees; O(n log n) would multiply matrices of n entries
    in that time. For other measures, O(n) for each k, plus the cost of the measure.

    References
    ----------
    .. [1] Q. Xiang et al., "A split-merge framework for comparing clusterings", ICML 2012.
    .. [2] I. Morlini, S. Zani, "An overall index for comparing hierarchical clusterings", 2012.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.levels import profile
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> series = profile(a, b, "split_merge")
    >>> series
    Profile(split_merge at 4 stages, k = 1 to 4)
    >>> series.value.round(3).tolist()
    [1.0, 0.21, 1.0, 1.0]
    """
    one_of(ties, "ties", get_args(Ties))
    record = None if callable(measure) else measure_named(measure, "partitions")
    a, b = as_hierarchies(a, b)
    overlap = overlap_of_same_items(a, b)
    stage = _check_stages(n_clusters, overlap.n_items)
    levels = Levels(overlap, contract(Pair.of(overlap), rank_clock(ties)))
    tick = levels.tick_of(stage)
    groups = levels.groups[0][tick], levels.groups[1][tick]
    bound = _check_bound(max_clusters, record, int(np.maximum(*groups).max()))
    name = getattr(measure, "__name__", "function") if record is None else record.name
    if record is not None and record.curve is not None:
        curve = record.curve(levels) if bound is None else record.curve(levels, bound)
        start = math.log(overlap.n_items) if record.identical is None else record.identical
        return Profile(name, stage, np.append(curve, start)[tick], groups)
    if n_clusters is None:
        raise InvalidInputError(
            Argument("n_clusters"),
            f" must be given for {name if record else 'a function'}, such as [2, 5, 10]; got none",
        )
    call = measure if callable(measure) else MEASURES[name].call
    return Profile(name, stage, np.array([_call_measure(call, levels.table(i)) for i in tick.tolist()]), groups)


def _call_measure(measure: Callable[[Contingency], float], table: Contingency) -> float:
    """Return the value of a user's function for two partitions, refusing what is not a number."""
    returned = measure(table)
    value = float_or_nan(returned)
    if math.isnan(value):
        raise InvalidInputError(f"the measure must return a number; got {printable(returned)} for {table!r}")
    return value


def _check_bound(max_clusters: object, measure: Measure | None, most: int) -> int | None:
    """Return the bound on the number of clusters, or None, refusing one that the measure does not take."""
    if max_clusters is None:
        return None
    if measure is None or not measure.needs_bound:
        raise InvalidInputError(
            "max_clusters requires bounded_variation_similarity; the numbers of clusters are given by n_clusters"
        )
    return check_bound(most, max_clusters)


def _check_stages(n_clusters: Sequence[int] | IntArray | None, n_items: int) -> IntArray:
    """Return the numbers of clusters, each from 1 to n."""
    if n_clusters is None:
        return np.arange(1, n_items + 1)
    k = int_column(n_clusters, "n_clusters, the numbers of clusters,")
    if k.size == 0:
        raise InvalidInputError(Argument("n_clusters"), " must hold at least one number; got none")
    outside = (k < 1) | (k > n_items)
    if outside.any():
        raise InvalidInputError(
            Argument("n_clusters"), f" must hold numbers from 1 to {n_items:,}; got {k[outside][0]}"
        )
    return k
