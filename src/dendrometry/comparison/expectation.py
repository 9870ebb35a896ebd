"""The mean of a measure by chance: by its formula, or estimated with a standard error."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from dendrometry._check.numbers import RandomSource, count_held, random_generator
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._html import field_table
from dendrometry._jobs import check_n_jobs
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray
from dendrometry.comparison.permutation_test import PERMUTATION_BYTES, permutation_tests
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.duration import refuse_slow
from dendrometry.measures.flat import statistics_of
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, measure_named
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.unrooted import UnrootedTree

_FEWEST = 20  # relabellings, so that enough are left beside the controls
_CONTROLS = {  # measures whose exact means are known, and that vary with those whose means are not
    "partitions": ("rand", "b_cubed_precision", "b_cubed_recall", "mutual_information"),
    "trees": ("hierarchy_agreement", "hierarchical_mutual_information"),
    "unrooted trees": ("quartet_agreement", "robinson_foulds"),
}
_MATCHED = ("classification_accuracy", "matched_kappa", "normalized_clustering_accuracy", "pair_sets_index")
_OWN_CONTROLS = {"goodman_kruskal_gamma": ("kendall_tau_b",)} | dict.fromkeys(_MATCHED, ("purity", "van_dongen"))
_SCALE = 1e-9  # of the values: a control that varies by less is constant
_CASES = 10  # different relabellings for each number that the regression fits


@dataclass(frozen=True, repr=False)
class Expectation(Tabular):
    """The mean of a measure over all relabellings of the items: exact, or an estimate.

    Attributes
    ----------
    measure : str
        The name of the measure.
    value : float
        The mean; for a measure that is a root, the root of the mean of its square.
    standard_error : float
        The standard error of the estimate, 0 if the mean is exact.
    n_relabellings : int
        The number of random relabellings behind the estimate, 0 if the mean is exact.
    """

    measure: str
    value: float
    standard_error: float
    n_relabellings: int

    @property
    def is_exact(self) -> bool:
        """Whether the mean comes from a formula, or from all tables."""
        return self.n_relabellings == 0

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row: value, standard error and number of relabellings."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        columns = {name: [getattr(self, name)] for name in ("value", "standard_error", "n_relabellings")}
        return pd.DataFrame(columns, index=pd.Index([self.measure], name="measure"))

    def _repr_html_(self) -> str:
        return field_table(self)

    def __repr__(self) -> str:
        if self.is_exact:
            return f"Expectation({self.measure}, by chance {self.value:.6g}, exact)"
        return (
            f"Expectation({self.measure}, by chance {self.value:.6g}, standard error {self.standard_error:.1g}"
            f" from {plural(self.n_relabellings, 'relabelling')})"
        )


def expected_by_chance(
    a: HierarchyLike | UnrootedTree,
    b: HierarchyLike | UnrootedTree,
    measure: str = "hierarchy_agreement",
    n_relabellings: int = 199,
    rng: RandomSource = 0,
    *,
    n_jobs: int | None = -1,
    allow_slow: bool = False,
) -> Expectation:
    """Return the mean of a measure over all relabellings of the items of ``b``.

    It is exact if the measure's mean has a formula, or if the trees are flat and small enough that all tables that a
    relabelling can give are computed. Else it is estimated from random relabellings, with control variates: measures
    whose exact means are known are computed for the same relabellings, and the part of the values that a linear
    regression on them explains is replaced by what it is for their exact means [1]_.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items; unrooted ones (see `io.unroot`) for measures whose record has ``unrooted`` set.
    measure : str
        The name of a measure, see `dendrometry.measures.MEASURES`; for one of partitions, both trees must be flat.
    n_relabellings : int
        The number of relabellings of an estimate, at least 20. The standard error falls with its root. Where no more
        tables than these are possible, each is computed instead.
    rng : numpy Generator, int or None
        The source of random numbers.
    n_jobs : int or None
        The number of jobs at a time, as for `permutation_test`.
    allow_slow : bool
        Whether to go on if the relabellings are estimated to take more than 10 minutes of a core.

    Returns
    -------
    Expectation
        The mean, its standard error, and the number of relabellings.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.
    InvalidInputError
        If there is no such measure, there are too few relabellings, or they would take too long.
    UndefinedMeasureError
        If the measure is undefined.

    References
    ----------
    .. [1] S. S. Lavenberg, P. D. Welch, "A perspective on the use of control variables to increase the efficiency of
       Monte Carlo simulations", Management Science 27 (1981) 322-335, doi:10.1287/mnsc.27.3.322.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> from dendrometry.comparison import expected_by_chance
    >>> truth, found = from_labels(list("aaabbbccc") * 3), from_labels(list("aabbbbccc") * 3)
    >>> expected_by_chance(truth, found, "rand")
    Expectation(rand, by chance 0.564103, exact)
    >>> expected_by_chance(truth, found, "jaccard")
    Expectation(jaccard, by chance 0.191025, standard error 5e-05 from 199 relabellings)
    """
    count = count_held(n_relabellings, "n_relabellings", _FEWEST, PERMUTATION_BYTES)
    entry = measure_named(measure)
    jobs, patient = check_n_jobs(n_jobs), flag(allow_slow, "allow_slow")
    streams = random_generator(rng).spawn(count)
    statistics = statistics_of(entry, a, b)
    known = entry.score(statistics).expected
    if known is not None:
        return Expectation(measure, known, 0.0, 0)
    tables = statistics.shuffles(count) if isinstance(statistics, PartitionStatistics) else None
    if tables is not None:
        return Expectation(measure, fsum(chance * entry.score(one).value for chance, one in tables), 0.0, 0)
    if entry.cost is not None:
        refuse_slow(entry, count * entry.cost(statistics), f"for {plural(count, 'relabelling')}", allow_slow=patient)
    controls, means = _controls(entry, statistics)
    tests = permutation_tests(statistics, [entry, *controls], streams, jobs, "")
    values, *others = (test.null for test in tests)
    value, error = _intercept(values, np.array(others).reshape(len(others), count).T - means)
    return Expectation(measure, value, error, count)


def _controls(entry: Measure, statistics: Any) -> tuple[list[Measure], FloatArray]:
    """Return measures that vary with one, and their exact means."""
    is_unrooted = isinstance(statistics, PairStatistics) and statistics.pair.unrooted
    names = _CONTROLS["unrooted trees" if is_unrooted else entry.of] + _OWN_CONTROLS.get(entry.name, ())
    kept = {}
    for name in names:
        with suppress(UndefinedMeasureError):
            mean = MEASURES[name].score(statistics).expected
            if mean is not None:
                kept[name] = mean
    return [MEASURES[name] for name in kept], np.array(list(kept.values()))


def _intercept(values: FloatArray, controls: FloatArray) -> tuple[float, float]:
    """Return where a linear regression on the controls has all of them at 0, and the standard error.

    The error is that of leaving out one value after the other, which holds for any distribution of the values. Where
    the controls take few different values, they would explain all that was seen, and nothing of what was not: as many
    are left out as it takes to have enough cases for each that is kept.
    """
    spread = controls.std(axis=0)
    controls = controls[:, spread > _SCALE] / spread[spread > _SCALE]
    shares = np.unique(controls.round(6), axis=0, return_counts=True)[1] / values.size
    kept = int(1.0 / (shares**2).sum() / _CASES) - 1
    controls = controls[:, : max(kept, 0)]
    design = np.column_stack([np.ones(values.size), controls])
    unit = float(np.abs(values).max()) or 1.0
    inverse = np.linalg.pinv(design)
    found = inverse @ (values / unit)
    rest = values / unit - design @ found
    left_out = rest / np.maximum(1.0 - np.einsum("ij,ji->i", design, inverse), 1.0 / values.size)
    error = np.sqrt(((inverse[0] * left_out) ** 2).sum())
    return float(found[0]) * unit, float(error) * unit
