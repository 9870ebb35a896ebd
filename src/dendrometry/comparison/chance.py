"""P-values by measure name, from a number of relabellings that depends on how large they are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dendrometry._flags import flag
from dendrometry._kernels.tree import accumulate_sum
from dendrometry._typing import IntArray
from dendrometry.comparison.permutation_test import permutation_tests
from dendrometry.contingency import Contingency
from dendrometry.measures._shared.partition_statistics import shuffle_table
from dendrometry.measures.duration import MOST_SECONDS, duration_text
from dendrometry.measures.measure import Measure
from dendrometry.overlap import Overlap, Side
from dendrometry.tree_pair.statistics import MOST_STEPS, STEPS_PER_SECOND, PairStatistics

_AFFORDED = ((2_000, 199), (20_000, 99))  # maximum number of rows, number of relabellings
DRAWN = 10_000  # items that are drawn and relabelled where there are too many rows
_ROUNDING = 1e-12  # sums with a smaller relative difference count as equal
_MOST_IN_ALL = 90_000_000  # for all measures over the usual number of relabellings


class Chance(NamedTuple):
    """The p-value of each tested measure, from ``n`` relabellings, and the reason why each other one was not tested.

    ``n_drawn`` is the number of items drawn at random that were relabelled, 0 if all were.
    """

    n: int
    p_value: dict[str, float]
    reason: dict[str, str]
    n_drawn: int = 0

    @classmethod
    def untested(cls, measures: Sequence[Measure], reason: str) -> "Chance":
        """Return that no measure was tested, for one reason."""
        return cls(0, {}, {measure.name: f"not tested: {reason}" for measure in measures})


def n_relabellings(n_rows: int) -> int:
    """Return the number of relabellings unless another is asked for, for up to this many rows in each.

    A row is a pair of nodes that share items; there are at most as many as items, and as pairs of nodes with items.

    Examples
    --------
    >>> from dendrometry.comparison.chance import n_relabellings
    >>> [n_relabellings(n) for n in (101, 5_000, 100_000)]
    [199, 99, 0]
    """
    return next((count for most, count in _AFFORDED if n_rows <= most), 0)


def drawn_overlap(overlap: Overlap, n_items: int) -> Overlap:
    """Return the overlap of some items of both trees, drawn at random without replacement, always the same ones.

    Nodes without these items are left out. The items have independent places in two independent trees, drawn or not, so
    a permutation test of them is exact.
    """
    rows, count = _drawn(overlap.count, n_items)
    a, b = (_side_of(side, rows) for side in (overlap.a, overlap.b))
    return Overlap(a, b, count, (), np.zeros(0, dtype=np.int64))


def drawn_table(table: Contingency, n_items: int) -> Contingency:
    """Return the contingency table of some items, drawn at random as by `drawn_overlap`."""
    rows, count = _drawn(table.count, n_items)
    codes = table.row[rows].tolist(), table.column[rows].tolist()
    return Contingency.from_triples(zip(*codes, count.tolist(), strict=True))


def _drawn(count: IntArray, n_items: int) -> tuple[IntArray, IntArray]:
    """Return the rows of items drawn without replacement, and how many of each row."""
    drawn = np.random.default_rng(0).multivariate_hypergeometric(count, n_items, method="marginals")
    rows = np.flatnonzero(drawn)
    return rows, drawn[rows]


def _side_of(side: Side, rows: IntArray) -> Side:
    """Return one tree with the nodes of some rows alone, and those above them."""
    held = np.zeros(side.parent.size, dtype=np.int64)
    held[side.node[rows]] = 1
    kept = np.flatnonzero(accumulate_sum(side.parent.copy(), held) > 0)
    number = np.full(side.parent.size + 1, -1, dtype=np.int64)  # the last one is that of the parent of the root
    number[kept] = np.arange(kept.size)
    height = None if side.height is None else side.height[kept]
    return Side(number[side.parent[kept]], height, number[side.node[rows]])


def tree_chance(statistics: PairStatistics, measures: Sequence[Measure], n: int, *, progress: bool = False) -> Chance:
    """Return the p-values of measures of trees, from the ``n`` relabellings of ``permutation_test(..., rng=0)``.

    Measures are tested from the quickest on, as many as take a few seconds together for the usual number of
    relabellings; a slow one only if all ``n`` take no longer than a single measure may: 20 seconds.
    """
    costly, left = {}, _MOST_IN_ALL
    usual = min(n, n_relabellings(statistics.pair.most_rows))
    once = {measure.name: statistics.count_steps(measure.cost) for measure in measures}
    for measure in sorted(measures, key=lambda measure: once[measure.name]):
        steps = once[measure.name]
        if usual * steps > left or (measure.cost is not None and n * steps > MOST_STEPS):
            costly[measure.name] = (
                f"not tested: {measure.slow or 'computing it'} again for {n} relabellings would take"
                f" {duration_text(n * steps)}; {_patient_call(n * steps)} does it all the same"
            )
        else:
            left -= usual * steps
    tested = [measure for measure in measures if measure.name not in costly]
    if not tested:
        return Chance(0, {}, costly)
    title = f"{n} relabellings" if flag(progress, "progress") else ""
    streams = np.random.default_rng(0).spawn(n)
    found = permutation_tests(statistics, tested, streams, -1, title)
    return Chance(n, {test.measure: test.p_value for test in found}, costly)


def _patient_call(steps: int) -> str:
    """Return the call that tests a measure in this number of steps."""
    return f"permutation_test({'..., allow_slow=True' if steps > MOST_SECONDS * STEPS_PER_SECOND else ''})"


def partition_chance(table: Contingency, measures: Sequence[Measure], n: int) -> Chance:
    """Return the p-values of measures of partitions: of the pair-counting and the information-theoretic ones."""
    found = p_values(table, measures, n, np.random.default_rng(0))
    reason = "not tested: only measures of pairs and of information share one count; permutation_test() tests it"
    return Chance(n, found, {measure.name: reason for measure in measures if measure.name not in found})


def p_values(
    table: Contingency, measures: Sequence[Measure], n_relabellings: int, rng: np.random.Generator
) -> dict[str, float]:
    """Return, for each pair-counting or information-theoretic measure, the p-value of a permutation test.

    Relabelling preserves the cluster sizes. All pair-counting measures therefore increase with the number of pairs
    that are together in both partitions, and all information-theoretic ones with the sum of m log m over the overlaps
    of m items, so that one count serves each kind. Where r relabellings are at least as much alike as the observed
    partitions, the p-value is ``(1 + r) / (1 + n_relabellings)``: the observed partitions count as one relabelling.
    O(n) time for each relabelling, or O(n_a n_b) for n_a and n_b clusters if that is less.
    """
    found = np.array([_alike(table.count)])
    null = np.array([_alike(shuffle_table(table, stream).count) for stream in rng.spawn(n_relabellings)])
    n_alike = (null >= found * (1.0 - _ROUNDING)).sum(axis=0)
    shares = dict(zip(("pairs", "information"), ((1 + n_alike) / (1 + n_relabellings)).tolist(), strict=True))
    return {measure.name: shares[measure.tested_by] for measure in measures if measure.tested_by is not None}


def _alike(count: IntArray) -> tuple[float, float]:
    """Return the number of pairs that are together in both partitions, and the sum of m log m over the overlaps."""
    held = count[count > 1].astype(np.float64)
    return float(held @ (held - 1.0)), float(held @ np.log(held))
