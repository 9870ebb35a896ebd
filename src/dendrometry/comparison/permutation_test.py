"""Permutation test of whether two trees are more alike than by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import RandomSource, count_held, random_generator
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._html import preview
from dendrometry._jobs import check_n_jobs, results_in_parts
from dendrometry._progress import track
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray
from dendrometry._version import __version__
from dendrometry.io.coerce import HierarchyLike
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.duration import refuse_slow
from dendrometry.measures.flat import statistics_of
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, measure_named
from dendrometry.measures.score import adjust
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.unrooted import UnrootedTree

ALPHA = 0.05  # p-values up to this are called significant
PERMUTATION_BYTES = 2_000  # of a random stream and its job
_ROUNDING = 1e-12  # values with a smaller difference count as equal


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest(Frozen, Tabular):
    """The value of a measure, compared with its values for randomly relabelled items.

    Attributes
    ----------
    measure : str
        The name of the measure.
    value : float
        Its value for the observed trees.
    p_value : float
        ``(1 + r) / (1 + n)``, where r of the n relabellings make the trees at least as much alike, up to rounding;
        above 0, at most 1.
    null : (n_permutations,) array of float
        The value for each relabelling.
    """

    measure: str
    value: float
    p_value: float
    null: FloatArray

    @property
    def null_mean(self) -> float:
        """The mean over the relabellings, an estimate of the expectation by chance."""
        return float(self.null.mean())

    @property
    def null_deviation(self) -> float:
        """The standard deviation over the relabellings; 0 for a single relabelling."""
        return float(self.null.std(ddof=1)) if self.null.size > 1 else 0.0

    @property
    def adjusted(self) -> float | None:
        """The value rescaled to 1 for identical trees and 0 for chance, by the mean over the relabellings.

        An estimate; `compare` gives the exact number for a measure whose expectation has a formula. As there, squares
        are rescaled if the measure is the root of a sum of squares. None if identical trees have no one value, or
        every relabelling has theirs.
        """
        measure = MEASURES[self.measure]
        if measure.identical is None:
            return None
        if measure.is_root:
            unit = max(self.value, float(self.null.max())) or 1.0  # so that no square overflows
            return adjust((self.value / unit) ** 2, float(((self.null / unit) ** 2).mean()), 0.0)
        return adjust(self.value, self.null_mean, measure.identical)

    @property
    def methods(self) -> str:
        """How the p-value was obtained, as a sentence for the methods section of a paper."""
        return methods_sentence([MEASURES[self.measure]], self.null.size)

    def _row(self) -> dict[str, Any]:
        """Return the result as one row of a table."""
        return {
            "measure": self.measure,
            "value": self.value,
            "by_chance": self.null_mean,
            "deviation": self.null_deviation,
            "adjusted": self.adjusted,
            "p_value": self.p_value,
            "n_permutations": self.null.size,
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row: value, mean and deviation by chance, adjusted value and p-value."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame([self._row()]).set_index("measure")

    def _repr_html_(self) -> str:
        row = self._row() | {"p_value": p_text(self.p_value, self.null.size)}
        return preview(p_sentence(self.p_value, self.null.size), {name: [cell] for name, cell in row.items()})

    def __repr__(self) -> str:
        return (
            f"PermutationTest({self.measure} {self.value:.6g}, by chance {self.null_mean:.6g}"
            f" ± {self.null_deviation:.2g}, {p_sentence(self.p_value, self.null.size)})"
        )


def p_text(p: float, n_permutations: int) -> str:
    """Return a p-value as text; the minimum for this number of permutations is shown as a bound.

    Examples
    --------
    >>> from dendrometry.comparison.permutation_test import p_text
    >>> p_text(0.024, 999), p_text(0.001, 999), p_text(0.05, 19)
    ('0.024', '≤ 0.001', '≤ 0.05')
    """
    digits = f"{p:.2g}" if p < 0.1 else f"{p:.2f}"
    return f"≤ {digits}" if _is_least(p, n_permutations) else digits


def p_clause(p: float, n_permutations: int) -> str:
    """Return a p-value as an equation, or as a bound if it is the minimum.

    Examples
    --------
    >>> from dendrometry.comparison.permutation_test import p_clause
    >>> p_clause(0.024, 999), p_clause(0.001, 999)
    ('p = 0.024', 'p ≤ 0.001')
    """
    return f"p {'' if _is_least(p, n_permutations) else '= '}{p_text(p, n_permutations)}"


def p_sentence(p: float, n_permutations: int) -> str:
    """Return a p-value with the number of permutations behind it.

    Examples
    --------
    >>> from dendrometry.comparison.permutation_test import p_sentence
    >>> p_sentence(0.024, 999)
    'p = 0.024 from 999 permutations'
    >>> p_sentence(0.05, 19)
    'p ≤ 0.05, the minimum for 19 permutations'
    """
    count = plural(n_permutations, "permutation")
    how = ", the minimum for" if _is_least(p, n_permutations) else " from"
    return f"{p_clause(p, n_permutations)}{how} {count}"


def methods_sentence(measures: Sequence[Measure], n_permutations: int, n_drawn: int = 0) -> str:
    """Return how p-values were obtained, for the methods section of a paper; the first measure is cited.

    If only some items were relabelled, ``n_drawn`` is their number.

    Examples
    --------
    >>> from dendrometry import MEASURES
    >>> from dendrometry.comparison.permutation_test import methods_sentence
    >>> methods_sentence([MEASURES["rand"]], 199)[:99]
    'Whether the two partitions are more alike than by chance was tested by a permutation test: rand (Ra'
    """
    chief, *others = measures
    pair, kept = f"two {chief.of}", {"trees": "shapes of both", "partitions": "sizes of all clusters"}[chief.of]
    drawn = f" on {n_drawn:,} items, drawn at random without replacement" if n_drawn else ""
    also = f" The same relabellings tested {', '.join(measure.name for measure in others)}." if others else ""
    return (
        f"Whether the {pair} are more alike than by chance was tested by a permutation test{drawn}: {chief.name}"
        f" ({chief.source.rstrip('.')}) was computed again after each of {plural(n_permutations, 'random relabelling')}"
        f" of the items of one of them, which keeps the {kept}. The p-value is (1 + r) / (1 + {n_permutations}),"
        f" where r relabellings made the {pair} at least as much alike (Phipson and Smyth, Permutation p-values should"
        f" never be zero, 2010).{also} Computed with dendrometry {__version__}."
    )


def is_out_of_reach(p: float, n_permutations: int, alpha: float = ALPHA) -> bool:
    """Return whether no permutation was as much alike, but there were too few for a p-value of ``alpha``."""
    return p > alpha and _is_least(p, n_permutations)


def _is_least(p: float, n_permutations: int) -> bool:
    """Return whether no permutation was as much alike as what was observed."""
    return p * (1 + n_permutations) < 1.5  # the share is 1, 2, 3 ... of 1 + n


def permutation_test(
    a: HierarchyLike | UnrootedTree,
    b: HierarchyLike | UnrootedTree,
    measure: str = "hierarchy_agreement",
    n_permutations: int = 999,
    rng: RandomSource = 0,
    *,
    n_jobs: int | None = -1,
    allow_slow: bool = False,
    progress: bool = False,
) -> PermutationTest:
    """Test whether two hierarchies are more alike than expected from their shapes alone.

    The items of ``b`` are relabelled at random many times; the p-value is the share of relabellings that make the trees
    at least as much alike as observed, where the observed pair counts as one relabelling.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items; unrooted ones (see `io.unroot`) for measures whose record has ``unrooted`` set.
    measure : str
        The name of a measure, see `dendrometry.measures.MEASURES`; for one of partitions, both trees must be flat.
    n_permutations : int
        The number of relabellings, at least 1.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    n_jobs : int or None
        The number of jobs at a time; by default one for each core. They run on threads unless `joblib.parallel_config`
        chooses another backend; None leaves the number to it, too. The result depends on neither.
    allow_slow : bool
        Whether to go on if the relabellings are estimated to take more than 10 minutes of a core; see
        `Measure.estimate_seconds`.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    PermutationTest
        The value, the p-value, and the mean and standard deviation over the relabellings.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.
    InvalidInputError
        If there is no such measure, the number of relabellings is below 1 or that of jobs 0, the relabellings exceed
        the memory, or they would take more than 10 minutes of a core and ``allow_slow`` is not set.
    UndefinedMeasureError
        If the measure is undefined; relabelling never changes whether it is.

    Notes
    -----
    Each relabelling has its own random stream, spawned from ``rng``, and takes as long as computing the measure once.
    A relabelling counts as equally alike if its value differs by at most 1e-12 or, for a measure without an upper
    bound, by at most 1e-12 of the largest value: sums taken in another order differ in their last bits, which must not
    decide a tie.

    Examples
    --------
    >>> from dendrometry import from_newick, permutation_test
    >>> a = from_newick("((((ape,cat),elk),fox),(owl,(rat,(yak,bee))));")
    >>> permutation_test(a, a, "hierarchy_agreement", 199, rng=0)
    PermutationTest(hierarchy_agreement 1, by chance 0.738772 ± 0.05, p ≤ 0.005, the minimum for 199 permutations)
    """
    n_relabellings = count_held(n_permutations, "n_permutations", 1, PERMUTATION_BYTES)
    entry = measure_named(measure)
    streams = random_generator(rng).spawn(n_relabellings)
    title = f"permutations of {measure}" if flag(progress, "progress") else ""
    statistics, patient = statistics_of(entry, a, b), flag(allow_slow, "allow_slow")
    if entry.cost is not None:
        steps = n_relabellings * entry.cost(statistics)
        refuse_slow(entry, steps, f"for {plural(n_relabellings, 'relabelling')}", allow_slow=patient)
    return permutation_tests(statistics, [entry], streams, check_n_jobs(n_jobs), title)[0]


def permutation_tests(
    statistics: PairStatistics | PartitionStatistics,
    measures: list[Measure],
    streams: list[np.random.Generator],
    n_jobs: int | None,
    title: str,
) -> list[PermutationTest]:
    """Return the significance of several measures of a pair, from the same relabellings, one per random stream."""
    values = [measure.score(statistics).value for measure in measures]

    def relabelled(stream: np.random.Generator) -> list[float]:
        shuffled = statistics.shuffle(stream)
        return [measure.score(shuffled).value for measure in measures]

    found = results_in_parts(relabelled, streams, n_jobs)
    nulls = np.array(list(track(found, title, len(streams), bool(title))))
    return [
        _test_of(measure, value, null.copy()) for measure, value, null in zip(measures, values, nulls.T, strict=True)
    ]


def _test_of(measure: Measure, value: float, null: FloatArray) -> PermutationTest:
    """Return the significance of a value, given the values for the relabellings."""
    largest = 1.0 if np.isfinite(measure.upper) else max(value, float(null.max()))
    ahead = value - null if measure.kind == "distance" else null - value
    n_alike = int((ahead >= -_ROUNDING * largest).sum())
    return PermutationTest(measure.name, value, (1 + n_alike) / (1 + null.size), read_only(null))
