"""P-values for a report: as many relabellings as the number of items affords."""

from typing import NamedTuple

import numpy as np

from dendrometry._threads import n_cores
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.partition_comparison import PartitionComparison
from dendrometry.comparison.permutation_test import significances
from dendrometry.measures.partitions.chance import p_values
from dendrometry.walk.matches import steps_to_match

__all__ = ["UNTESTED", "Chance", "against_chance", "against_relabelling", "n_relabellings"]

_AFFORDED = ((300, 999), (2_000, 199), (20_000, 99), (200_000, 19))  # items up to, relabellings
_MOST_STEPS = 20_000_000  # of matching clusters, over all relabellings: about a second
_MOST_CORRELATED = 2_000  # items


class Chance(NamedTuple):
    """The p-value of each measure that was tested, from ``n`` relabellings; and why others were not."""

    n: int
    p_value: dict[str, float]
    reason: dict[str, str]


UNTESTED = Chance(0, {}, {})


def n_relabellings(n_items: int) -> int:
    """Return how many relabellings a report makes: a rule by the number of items alone, so that it is always the same.

    Examples
    --------
    >>> from dendrometry.comparison.chance import n_relabellings
    >>> [n_relabellings(n) for n in (101, 5_000, 100_000, 1_000_000)]
    [999, 99, 19, 0]
    """
    return next((count for most, count in _AFFORDED if n_items <= most), 0)


def against_chance(comparison: Comparison, *, progress: bool = False) -> Chance:
    """Return the p-values of a comparison, from the relabellings that ``permutation_test(..., rng=0)`` makes."""
    n = n_relabellings(comparison.n_items)
    scored = [line.name for line in comparison.lines if line.score is not None]
    if n == 0:
        return Chance(0, {}, dict.fromkeys(scored, "not tested: too many items to relabel them often"))
    costly = _costly(comparison, n)
    measures = [line.measure for line in comparison.lines if line.name in scored and line.name not in costly]
    if not measures:
        return Chance(0, {}, costly)
    title = f"{n} relabellings" if progress else ""
    streams = np.random.default_rng(0).spawn(n)
    found = significances(comparison.readings.pair, measures, streams, n_cores(), title)
    return Chance(n, {test.measure: test.p_value for test in found}, costly)


def against_relabelling(result: PartitionComparison) -> Chance:
    """Return the p-values of two flat clusterings: of the measures of pairs and of information, by the same rule."""
    n = n_relabellings(result.n_items)
    names = [line.name for line in result.lines]
    if n == 0:
        return Chance(0, {}, dict.fromkeys(names, "not tested: too many items to relabel them often"))
    found = p_values(result.table, n, np.random.default_rng(0))
    reason = "not tested: only measures of pairs and of information are counted again for every relabelling"
    return Chance(
        n,
        {name: found[name] for name in names if name in found},
        {name: reason for name in names if name not in found},
    )


def _costly(comparison: Comparison, n: int) -> dict[str, str]:
    """Return the measures that take too long to be measured again and again, and that they do."""
    reason = {}
    if n * steps_to_match(comparison.readings.pair) > _MOST_STEPS:
        reason["hierarchical_f"] = "not tested: matching clusters again for every relabelling would take too long"
    if comparison.n_items > _MOST_CORRELATED:
        reason["cophenetic_correlation"] = "not tested: correlating again for every relabelling would take too long"
    return reason
