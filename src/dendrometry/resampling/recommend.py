"""One recommendation of how many clusters points have: by the votes of four rules, with what each of them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import RandomSource, random_generator
from dendrometry._check.points import finite_points, points_of, require_dense
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.cut.count import cut_count
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.quality.cut_scores import CutScores, score_cuts
from dendrometry.quality.gap_statistic import GapStatistic, gap_statistic
from dendrometry.resampling.agreement import Agreement
from dendrometry.resampling.stability import stability

_INDICES = ("calinski_harabasz", "simplified_silhouette")


@dataclass(frozen=True, eq=False, repr=False)
class Recommendation(Frozen, Tabular):
    """A number of clusters, what each rule chooses, and their evidence.

    Attributes
    ----------
    linkage : str
        The linkage that built the tree.
    n_clusters : int
        The recommended number of clusters: of those that a rule chooses, the one with the most votes, where a rule that
        chooses one cluster more or less has half a vote, and two clusters have half a vote more; of several such, the
        nearest to the median of all, but 1 only if more rules say so than any other number.
    rules : dict of str to int
        The number of clusters that each rule chooses: ``stability`` (`Agreement.choose`), ``calinski_harabasz`` and
        ``simplified_silhouette`` (`CutScores.best`), and ``gap_first`` (`GapStatistic.first_best`). A rule that is
        undefined for the points is left out.
    hierarchy : Hierarchy
        The tree.
    agreement, scores, gap
        What the rules are based on; ``gap`` is None if it is undefined.
    """

    linkage: str
    n_clusters: int
    rules: dict[str, int]
    hierarchy: Hierarchy
    agreement: Agreement
    scores: CutScores
    gap: GapStatistic | None

    @property
    def labels(self) -> IntArray:
        """The cluster of each item in the cut into the recommended number, from 0 on."""
        return cut_count(self.hierarchy, self.n_clusters).labels

    @property
    def agreeing(self) -> tuple[str, ...]:
        """The rules that choose the recommended number."""
        return tuple(name for name, k in self.rules.items() if k == self.n_clusters)

    @property
    def disagreeing(self) -> dict[str, int]:
        """The rules that choose another number, and which."""
        return {name: k for name, k in self.rules.items() if k != self.n_clusters}

    @property
    def verdict(self) -> str:
        """The recommendation in words, with the rules that disagree."""
        n, count = len(self.rules), len(self.agreeing)
        said = f"{'all' if count == n else f'{count} of'} {n} rules {'says' if count == 1 else 'say'}"
        other = _most_named(self.rules.values(), own_of_two=0)
        near = sum(abs(k - self.n_clusters) == 1 for k in self.rules.values())
        if near:
            said += f", and {near} {'names' if near == 1 else 'name'} one cluster more or less"
        if self.n_clusters == 1:
            first = f"No clusters are recommended, as {said}."
        else:
            clusters = plural(self.n_clusters, "cluster")
            first = f"{self.linkage} with {clusters} is recommended, as {said}."
        if count == n:
            return f"{first} No rule proves a number of clusters."
        others = ", ".join(f"{name} {k:,}" for name, k in self.disagreeing.items())
        spread = f"{min(self.rules.values()):,} to {max(self.rules.values()):,}"
        half = f" Two has half a vote more, without which it would be {other:,}." if other != self.n_clusters else ""
        weak = f" They range over {spread}: take the number as a suggestion." if 2 * count < n else ""
        agree = f"{_and(self.agreeing)} {'says' if count == 1 else 'say'} so"
        return f"{first} {agree}; others disagree: {others}.{half}{weak}"

    def columns(self) -> dict[str, list[Any]]:
        """Return the rules as columns."""
        return {
            "rule": list(self.rules),
            "n_clusters": list(self.rules.values()),
            "agrees": [k == self.n_clusters for k in self.rules.values()],
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each rule."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        columns = self.columns()
        columns["agrees"] = ["yes" if agrees else "" for agrees in columns["agrees"]]
        return preview(repr(self), columns)

    def __repr__(self) -> str:
        chosen = ", ".join(f"{k:,} by {name}" for name, k in self.rules.items())
        items, clusters = plural(self.hierarchy.n_items, "item"), plural(self.n_clusters, "cluster")
        return f"Recommendation({items}, {self.linkage} with {clusters}; {chosen})"


def recommendation_of(
    linkage: str, tree: Hierarchy, agreement: Agreement, scores: CutScores, gap: GapStatistic | None
) -> Recommendation:
    """Return what the rules choose together, from their evidence on one tree."""
    rules = {"stability": agreement.choose().n_clusters}
    rules |= {name: scores.best[name] for name in _INDICES if name in scores.best}
    if gap is not None:
        rules |= {"gap_first": gap.first_best}
    return Recommendation(linkage, _most_named(rules.values()), rules, tree, agreement, scores, gap)


def recommend(
    X: Any,
    *,
    linkage: Linkage = "ward",
    max_clusters: int = 10,
    n_replicates: int = 30,
    n_references: int = 39,
    rng: RandomSource = 0,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Recommendation:
    """Return one recommendation of a number of clusters, with the rules that agree and those that do not.

    One tree is judged by four rules: the stability of its clusters, the index of Calinski and Harabasz, the simplified
    silhouette, and the rule of Tibshirani and others for the gap statistic. The number with the most votes is
    recommended, where a rule that chooses one cluster more or less has half a vote, and two, if a rule chooses it, has
    half a vote more, as the most frequent number; of several such, the nearest to the median of all, but 1 only if more
    rules say so than any other number. Each rule fails on other data, and those that fail seldom choose the same
    number.

    Parameters
    ----------
    X : (n, d) array of float
        The points, on comparable scales: standardise columns of different units before. Distances are Euclidean.
    linkage : str
        As for `agglomerate`. The default, Ward, agreed best with known classes, of planted data and of real tables.
    max_clusters : int
        The largest number of clusters, from 2 on.
    n_replicates, n_references
        As for `stability`. The gap statistic has 20 reference sets.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    n_jobs, progress
        As for `stability`.

    Returns
    -------
    Recommendation
        The number of clusters, the ``labels`` of that cut, what each rule chooses, and the ``verdict`` in words.

    Raises
    ------
    InvalidInputError
        If the points are not finite, or an option is invalid.
    UndefinedMeasureError
        If there are fewer than four points, or all are equal.

    Notes
    -----
    How often each rule was right, on planted data and on tables with known classes, is on the page about quality; the
    numbers are printed by ``benchmarks/recommend.py``.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import recommend
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> found = recommend(points)
    >>> found.n_clusters, np.bincount(found.labels).tolist()
    (3, [20, 20, 20])
    """
    points = points_of(X)
    require_dense(points, "reference data")
    if points.shape[0] < 4:
        raise UndefinedMeasureError(f"there must be at least 4 points, for 2 to n - 2 clusters; got {points.shape[0]}")
    source = random_generator(rng)
    found = stability(
        X,
        linkage=linkage,
        n_replicates=n_replicates,
        max_clusters=max_clusters,
        reference="normal",  # with which the rule was measured
        n_references=n_references,
        rng=source,
        n_jobs=n_jobs,
        progress=progress,
    )
    if not found.is_complete:
        raise KeyboardInterrupt
    tree, agreement = found.hierarchy, found.agreement
    if agreement is None:
        raise UndefinedMeasureError("replicates must share items to be compared; there are too few points")
    scores = score_cuts(tree, X, max_clusters=max_clusters)
    gap = _gap(finite_points(points), linkage, max_clusters, source, progress)
    return recommendation_of(linkage, tree, agreement, scores, gap)


def _most_named(numbers: Iterable[int], own_of_two: int = 1) -> int:
    """Return the number with the most votes, where each number has half a vote from those that name one next to it.

    Two, if it is named, has some halves of a vote of its own. Of several, the one nearest to the median, and of two
    such the lower; but one only if more name it than any other.
    """
    numbers = list(numbers)
    counts, middle = Counter(numbers), median_low(numbers)
    halves = {number: 2 * counts[number] + counts[number - 1] + counts[number + 1] for number in counts}
    if 2 in halves:
        halves[2] += own_of_two
    others = max((count for number, count in counts.items() if number > 1), default=0)

    def rank(number: int) -> tuple[int, bool, int, int]:
        return -halves[number], number == 1 and counts[1] <= others, abs(number - middle), number

    return min(counts, key=rank)


def _gap(
    points: Any, linkage: Linkage, max_clusters: int, source: np.random.Generator, progress: bool
) -> GapStatistic | None:
    """Return the gap statistic; None if clusters of equal points make it undefined."""
    try:
        return gap_statistic(
            points,
            lambda rows: agglomerate(rows, linkage=linkage).hierarchy,
            max_clusters=max_clusters,
            rng=source,
            progress=progress,
        )
    except UndefinedMeasureError:
        return None


def _and(names: tuple[str, ...]) -> str:
    """Return names as a list in words."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
