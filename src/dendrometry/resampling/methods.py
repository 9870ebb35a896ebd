"""Methods beside each other: how stable their clusters are, and how good by internal measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import points_of, require_dense
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.quality.cut_scores import score_cuts
from dendrometry.resampling.agreement import Agreement
from dendrometry.resampling.replicates.builders import Builder
from dendrometry.resampling.stability import Stability, stability

_DEFAULT = ("single", "complete", "average", "ward")
_INTERNAL = ("simplified_silhouette", "calinski_harabasz", "davies_bouldin")
_COLUMNS = ("agreement", "reference", "excess", "p_value", *_INTERNAL)
_ALPHA = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class MethodScores(Frozen, Tabular):
    """Scores of several methods, as arrays with one value for each method and number of clusters.

    Attributes
    ----------
    methods : tuple of str
        The names of the methods.
    chosen : array of int
        The most stable number of clusters of each method, by `Agreement.choose` at the level 0.05 divided by the number
        of methods; 1 if there is none.
    method : array of int
        The number of the method in each row.
    n_clusters : array of int
        The number of clusters in each row.
    agreement, reference : array of float
        The agreement of replicates with each other, as in `stability`, and that of data without clusters.
    excess : array of float
        How far the first stands out from the second, in standard deviations of reference sets; see `Agreement`.
    p_value : array of float
        The p-value of the agreement, adjusted for the numbers of clusters, not for the methods.
    simplified_silhouette, calinski_harabasz, davies_bouldin : array of float
        The internal measures of `score_cuts`; of the last, lower is better.
    """

    methods: tuple[str, ...]
    chosen: IntArray
    method: IntArray
    n_clusters: IntArray
    agreement: FloatArray
    reference: FloatArray
    excess: FloatArray
    p_value: FloatArray
    simplified_silhouette: FloatArray
    calinski_harabasz: FloatArray
    davies_bouldin: FloatArray

    @property
    def best(self) -> dict[str, tuple[str, int]]:
        """The method and number of clusters that each criterion prefers; ``excess`` of chosen numbers, if any."""
        real = self.n_clusters == self.chosen[self.method]
        found = {"excess": np.where(real, self.excess, -np.inf)} if real.any() else {}
        found |= {"simplified_silhouette": self.simplified_silhouette, "calinski_harabasz": self.calinski_harabasz}
        found["davies_bouldin"] = -self.davies_bouldin
        tops = {name: _first_best(values) for name, values in found.items()}
        return {name: (self.methods[self.method[at]], int(self.n_clusters[at])) for name, at in tops.items()}

    @property
    def words(self) -> str:
        """A paragraph that says what speaks for what."""
        chosen = self.best
        if "excess" in chosen:
            method, k = chosen["excess"]
            parts = [
                f"By stability, {method} with {plural(k, 'cluster')} stands out most from data without clusters (level"
                f" {_ALPHA}, corrected for {plural(len(self.methods), 'method')})."
            ]
        else:
            parts = ["No method is more stable than on data without clusters; what follows may describe noise."]
        for name in _INTERNAL:
            method, k = chosen[name]
            parts.append(f"By {name}, {method} with {plural(k, 'cluster')} is best.")
        if len({k for _, k in chosen.values()}) == 1:
            parts.append("All agree on the number of clusters.")
        else:
            parts.append("They disagree on the number of clusters; `recommend` weighs several rules of one tree.")
        parts.append(
            "Internal measures prefer compact, round clusters, and stability what a method repeats, right or wrong:"
            " no procedure proves a number of clusters."
        )
        return " ".join(parts)

    def columns(self) -> dict[str, list[Any]]:
        """Return the scores as columns."""
        columns: dict[str, list[Any]] = {"method": [self.methods[i] for i in self.method.tolist()]}
        return columns | {name: getattr(self, name).tolist() for name in ("n_clusters", *_COLUMNS)}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each method and number of clusters."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        choices = ", ".join(f"{method} with {k:,} by {name}" for name, (method, k) in self.best.items())
        return f"MethodScores({plural(len(self.methods), 'method')}; best {choices})"


def score_methods(
    X: Any,
    methods: Mapping[str, str | Builder] | None = None,
    *,
    max_clusters: int = 10,
    n_replicates: int = 30,
    n_references: int = 99,
    rng: RandomSource = 0,
    n_jobs: int | None = None,
    progress: bool = False,
) -> MethodScores:
    """Return the stability and the internal measures of several methods, at every number of clusters, in one table.

    Parameters
    ----------
    X : (n, d) array of float
        The points; internal measures are of Euclidean distances.
    methods : mapping of names to builders, optional
        What to compare, each as for `stability`: the name of a linkage, or a function of points. By default single,
        complete, average and ward on Euclidean distances.
    max_clusters : int
        The largest number of clusters, from 2 on.
    n_replicates, n_references
        As for `stability`; every method gets the same draws. The least p-value, 1 / (1 + ``n_references``), must be
        below 0.05 divided by the number of methods for anything to be significant.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    n_jobs, progress
        As for `stability`.

    Returns
    -------
    MethodScores
        One row for each method and number of clusters; ``best`` and ``words`` say what speaks for what.

    Raises
    ------
    InvalidInputError
        If the points are not finite, there is no method, or an option is invalid.
    UndefinedMeasureError
        If there are fewer than four points, or a method has no cut into 2 to ``max_clusters`` clusters.

    Notes
    -----
    Takes ``n_replicates`` builds for each method, and 6 or more for each reference set, as `stability`.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.resampling import score_methods
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> found = score_methods(points, {"ward": "ward", "complete": "complete"}, max_clusters=5, n_references=39)
    >>> found.best["excess"][1], found.best["simplified_silhouette"][1]
    (3, 3)
    """
    given: Any = {name: name for name in _DEFAULT} if methods is None else methods
    if not isinstance(given, Mapping) or not given:
        raise InvalidInputError(f"methods must be a mapping of names to builders; got {printable(given)}")
    most = whole_number(max_clusters, "max_clusters", 2)
    whole_number(n_references, "n_references", 1)
    points = points_of(X)
    require_dense(points, "internal measures")
    if points.shape[0] < 4:
        raise UndefinedMeasureError(f"there must be at least 4 points, for 2 to n - 2 clusters; got {points.shape[0]}")
    seed = int(random_generator(rng).integers(2**62))
    columns: dict[str, list[Any]] = {name: [] for name in ("chosen", "method", "n_clusters", *_COLUMNS)}
    for i, build in enumerate(given.values()):
        found = stability(
            X,
            **({"linkage": build} if isinstance(build, str) else {"build": build}),
            n_replicates=n_replicates,
            max_clusters=most,
            n_references=n_references,
            rng=seed,
            n_jobs=n_jobs,
            progress=progress,
        )
        if not found.is_complete:
            raise KeyboardInterrupt
        agreement = _add_rows(columns, i, found, X, most)
        columns["chosen"].append(agreement.choose(_ALPHA / len(given)).n_clusters)
    arrays = {name: read_only(np.array(column)) for name, column in columns.items()}
    return MethodScores(tuple(map(str, given)), **arrays)


def _add_rows(columns: dict[str, list[Any]], i: int, found: Stability, X: Any, most: int) -> Agreement:
    """Add the rows of one method, at the numbers of clusters at which it has all scores; return its agreement."""
    scores, agreement = score_cuts(found.hierarchy, X, max_clusters=most), found.agreement
    if agreement is None or agreement.reference_mean is None or agreement.p_values is None:
        raise UndefinedMeasureError("replicates must be cut and compared with a reference; a method has no heights")
    common, at, where = np.intersect1d(agreement.n_clusters, scores.n_clusters, return_indices=True)
    columns["method"] += [i] * common.size
    columns["n_clusters"] += common.tolist()
    levels = (agreement.mean, agreement.reference_mean, agreement.excess, agreement.p_values)
    for name, column in zip(_COLUMNS, levels, strict=False):
        columns[name] += column[at].tolist()
    for name in _INTERNAL:
        columns[name] += getattr(scores, name)[where].tolist()
    return agreement


def _first_best(values: FloatArray) -> int:
    """Return the first of the largest values; methods with the same clusters differ by rounding alone."""
    top = float(values.max())
    return int(np.argmax(values >= (top - 1e-12 * abs(top) if np.isfinite(top) else top)))
