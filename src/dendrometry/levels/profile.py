"""Two hierarchies level by level: a measure of two partitions at every number of groups."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from dendrometry._check.arrays import int_column
from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry._exact import LEAST, float_or_nan, within
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.levels import profile as kernels
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.levels.levels import Levels
from dendrometry.measures.partitions.information import (
    bounded_variation_similarity,
    checked_bound,
    mutual_information,
    normalized_mutual_information,
)
from dendrometry.measures.partitions.pairs import PairCounts, adjusted_rand_of, fowlkes_mallows_of, rand_of
from dendrometry.measures.partitions.registry import PARTITION_MEASURES
from dendrometry.overlap import Overlap
from dendrometry.walk.contraction import Ties, contract, rank_clock
from dendrometry.walk.pair import Pair

__all__ = ["Profile", "profile"]

Measure = str | Callable[[Contingency], float]

_DOUBTFUL = 1e-9  # far above the rounding of the running sums, far below what partitions by chance have


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A measure of two hierarchies at every stage.

    Attributes
    ----------
    measure : str
        The name of the measure.
    k : array of int
        The number of groups asked for at each stage.
    value : array of float
        The measure of the two partitions there.
    n_groups : pair of arrays of int
        How many groups the partitions of the first and of the second tree have: k, or the next larger number at
        which the tree has a partition (ties, nodes with more than two children).
    """

    measure: str
    k: IntArray
    value: FloatArray
    n_groups: tuple[IntArray, IntArray]

    def __repr__(self) -> str:
        return f"Profile({self.measure} at {self.k.size:,} stages, k = {self.k[0]:,} to {self.k[-1]:,})"


def profile(
    a: Hierarchy,
    b: Hierarchy,
    measure: Measure = "split_merge",
    *,
    at: Sequence[int] | IntArray | None = None,
    k: int | None = None,
    ties: Ties = "together",
) -> Profile:
    """Return a measure of two partitions at every level of two hierarchies.

    At k, the partition of a tree is the coarsest one with at least k groups on its way from single items to one
    group, as in `stages`.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees with heights over the same items.
    measure : str or callable
        The name of a measure (see ``PARTITION_MEASURES``), or a function of a `Contingency`, whose items are those of
        the first tree in its order.
    at : sequence of int, optional
        The numbers of groups; 1 to n if not given. Needed for measures that are not carried from stage to stage:
        "van_dongen", "classification_accuracy" and callables.
    k : int, optional
        For "bounded_variation_similarity" alone: its bound, the same at every stage, at least as many as there are
        groups; if not given, the larger number of groups at each stage, so that values of different stages have
        different bounds.
    ties : {"together", "order"}
        Whether merges at the same height happen at once, or in the order of nodes, as in `stages`.

    Returns
    -------
    Profile
        The value at each number of groups.

    Raises
    ------
    InvalidInputError
        If the measure is not known, needs ``at``, or a number of groups is not between 1 and n.
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights.

    Notes
    -----
    All k together: O(n log n) for measures made of pairs or entropies; O(n sqrt(n)) at worst for "split_merge",
    and about as fast as the others on most trees. Others: O(n) for each k, and what the measure itself costs.

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
    if not callable(measure):
        one_of(measure, "measure", PARTITION_MEASURES, also="a function")
    overlap = Overlap.of(a, b)
    stage = _checked_stages(at, overlap.n_items)
    levels = Levels(overlap, contract(Pair.of(overlap), rank_clock(ties)))
    tick = levels.tick_of(stage)
    groups = levels.groups[0][tick], levels.groups[1][tick]
    bound = _checked_bound(k, measure, int(np.maximum(*groups).max()))
    if isinstance(measure, str) and measure in _CARRIED:
        curve = _CARRIED[measure](levels) if bound is None else _bounded(levels, bound)
        start = PARTITION_MEASURES[measure].identical
        value = np.append(curve, math.log(overlap.n_items) if start is None else start)[tick]
    elif at is None:
        raise InvalidInputError(
            f"{measure if isinstance(measure, str) else 'a function'} is not carried from stage to stage;"
            " give the numbers of groups, as in at=[2, 5, 10]"
        )
    else:
        call = PARTITION_MEASURES[measure].call if isinstance(measure, str) else measure
        value = np.array([_asked(call, levels.table(i)) for i in tick.tolist()])
    name = measure if isinstance(measure, str) else getattr(measure, "__name__", "function")
    return Profile(name, stage, value, groups)


def _asked(measure: Callable[[Contingency], float], table: Contingency) -> float:
    """Return what a function says of two partitions, if it is a number."""
    said = measure(table)
    value = float_or_nan(said)
    if math.isnan(value):
        raise InvalidInputError(f"the measure must return a number; got {printable(said)} for {table!r}")
    return value


def _checked_bound(k: object, measure: Measure, most: int) -> int | None:
    """Return the bound of the number of groups, None where there is none, if the measure takes one and it holds."""
    if k is None:
        return None
    if callable(measure) or not PARTITION_MEASURES[measure].needs_bound:
        raise InvalidInputError("k is for bounded_variation_similarity alone; the numbers of groups are at=")
    return checked_bound(most, k)


def _checked_stages(at: Sequence[int] | IntArray | None, n_items: int) -> IntArray:
    """Return the numbers of groups, each from 1 to n."""
    if at is None:
        return np.arange(1, n_items + 1)
    k = int_column(at, "at, the numbers of groups,")
    if k.size == 0:
        raise InvalidInputError("at must hold at least one number of groups; got none")
    outside = (k < 1) | (k > n_items)
    if outside.any():
        raise InvalidInputError(f"at must hold numbers of groups from 1 to {n_items:,}; got {k[outside][0]}")
    return k


def _pairs(index: Callable[[PairCounts], float]) -> Callable[[Levels], FloatArray]:
    """Return the curve of an index of pair counts, in whole numbers up to its last division."""

    def curve(levels: Levels) -> FloatArray:
        walk, n_pairs = levels.walk, levels.walk.pair.n_pairs
        columns = zip(walk.p.tolist(), walk.q.tolist(), walk.t.tolist(), strict=True)
        return np.array([index(PairCounts(p, q, t, n_pairs)) for p, q, t in columns])

    return curve


def _variation(levels: Levels) -> FloatArray:
    """Return the variation of information at each tick."""
    value = (levels.held(0) + levels.held(1) - 2.0 * levels.held_in_both()) / levels.n
    return np.where(levels.same, 0.0, np.maximum(value, LEAST))


def _variation_similarity(levels: Levels) -> FloatArray:
    grid = levels.groups[0][:-1] * levels.groups[1][:-1] == levels.n
    value = 1.0 - _variation(levels) / math.log(max(levels.n, 2))
    return within(value, grid & (levels.walk.t == 0), levels.same)


def _decided(levels: Levels, value: FloatArray, measure: Callable[[Contingency], float]) -> FloatArray:
    """Return values that are too small to be told from 0 as the partitions themselves decide, in whole numbers."""
    for tick in np.flatnonzero((value < _DOUBTFUL) & ~levels.same).tolist():
        value[tick] = measure(levels.table(tick))
    return value


def _bounded(levels: Levels, k: int | None = None) -> FloatArray:
    """Stages with more groups than a given bound are not asked for, and have any value."""
    groups = np.maximum(levels.groups[0], levels.groups[1])[:-1]
    logs = np.log(np.maximum(groups, 2)) if k is None else np.full(groups.size, math.log(max(k, 2)))

    def measure(table: Contingency) -> float:
        most = max(table.n_a, table.n_b)
        return bounded_variation_similarity(table, k=most if k is None else max(k, most))

    value = _decided(levels, 1.0 - _variation(levels) / (2.0 * logs), measure)
    return within(value, value == 0.0, levels.same)


def _information(levels: Levels) -> FloatArray:
    """Return the mutual information at each tick, as it comes."""
    told: FloatArray = math.log(levels.n) - (levels.held(0) + levels.held(1) - levels.held_in_both()) / levels.n
    return told


def _mutual_information(levels: Levels) -> FloatArray:
    value = _decided(levels, _information(levels), mutual_information)
    return np.where(np.maximum(levels.groups[0], levels.groups[1])[:-1] == 1, 0.0, value)


def _normalized_mutual_information(levels: Levels) -> FloatArray:
    entropy = math.log(levels.n) - np.minimum(levels.held(0), levels.held(1)) / levels.n
    value = np.divide(_information(levels), entropy, out=np.zeros(entropy.size), where=entropy > 0.0)
    value = _decided(levels, value, normalized_mutual_information)
    return within(value, value == 0.0, levels.same)


def _split_merge(levels: Levels) -> FloatArray:
    """Where no two items are together in both trees, n S_H counts the singletons that both share: a whole number."""
    count = levels.walk.pair.count
    many = max(32, math.isqrt(count.size))
    total = kernels.split_merge_curve(count, levels.joins(), levels.rises, levels.walk.time.size, many)
    apart = levels.walk.t == 0
    total[apart] = np.rint(total[apart])
    return within(total / levels.n, apart & (total == 0.0), levels.same)


_CARRIED: dict[str, Callable[[Levels], FloatArray]] = {
    "rand": _pairs(rand_of),
    "adjusted_rand": _pairs(adjusted_rand_of),
    "fowlkes_mallows": _pairs(fowlkes_mallows_of),
    "mutual_information": _mutual_information,
    "normalized_mutual_information": _normalized_mutual_information,
    "variation_of_information": _variation,
    "variation_similarity": _variation_similarity,
    "bounded_variation_similarity": _bounded,
    "split_merge": _split_merge,
}
