"""Measure: what is true of one measure, in the file that computes it; tests, docs, command line and report read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from dendrometry._kernels._jit import FloatArray
from dendrometry.contingency import Contingency
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures.score import Score
from dendrometry.walk.levels import Levels

__all__ = ["Measure", "Properties"]


@dataclass(frozen=True, kw_only=True)
class Properties:
    """Properties of a measure of partitions in the sense of Xiang et al. (2012).

    Attributes
    ----------
    normalised : bool
        For every n from 2 on, the values lie in [0, 1] and reach both ends.
    conditionally_normalised : bool
        The same against every single first partition; 1 for itself alone, and from n = 3 on something between.
    decomposable : bool
        A weighted sum of its values on the components of the bipartite graph, plus an offset (see `decompose`).
    join_weighted : bool
        That, with each component weighing as its share of the items, and no offset.
    subcomponent_consistent : bool or None
        Gives one cluster against its parts the score that it gives them inside a larger comparison; None for
        measures that are not made of such scores.
    monotone : {"strictly", "weakly"}
        Against one cluster, more parts or more even parts are less alike; or at least not more alike.
    """

    normalised: bool
    conditionally_normalised: bool = False
    decomposable: bool
    join_weighted: bool
    subcomponent_consistent: bool | None = None
    monotone: Literal["strictly", "weakly"]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure of two trees or of two partitions: its function, and what it claims and denies.

    Attributes
    ----------
    call : callable
        The public function; its name is that of the measure. Of two trees, or of two labelings or a `Contingency`.
    of : {"trees", "partitions"}
        What it compares.
    symbol : str
        How the literature writes it.
    score : callable
        The value with its expectation, from the readings of a pair: `dendrometry.walk.readings.Readings` of trees,
        `dendrometry.measures.partitions.readings.readings.PartitionReadings` of partitions.
    kind : {"similarity", "distance", "information"}
        Whether higher is more alike, lower is, or neither.
    identical : float or None
        The value of a tree or partition with itself; None where it depends on the partition.
    lower, upper : float
        Bounds that no value passes.
    reached : str
        The range as text where its ends depend on the number of items n; else it is "lower to upper".
    symmetric : bool
        Whether swapping the two never changes the value.
    triangle : bool
        Whether the distance, or ``identical`` minus the similarity, obeys the triangle inequality; for partitions, it
        is a metric.
    exact : bool
        Whether the value has the same bits whatever the order of items and nodes; else it has so up to rounding.
    headline : bool
        Whether the verdict is taken from it where it was asked for.
    needs_heights : bool
        Whether trees without heights are refused.
    refuses_dendrograms : bool
        Whether two trees with a single item at each leaf, and none elsewhere, have no value.
    needs_bound : bool
        Whether it needs the greatest number of clusters that a partition may have, ``max_clusters``.
    expects : bool
        Whether its mean over all relabellings has a formula.
    cost : callable, optional
        The number of steps that it takes, from the readings; without it the measure is quick, O(n log n).
    slow : str
        What takes so long, where there is a cost, as in "matching the clusters".
    tested_by : {"pairs", "information"} or None
        For partitions: the count that grows with the measure when items are relabelled, and so gives its p-value.
    curve : callable, optional
        For partitions: the value at every tick of a walk over two trees at once.
    says : str
        What the value tells, in plain words.
    formula : str
        The definition in plain text, one equation a line. Capital letters count pairs of items: N all, P those related
        in the first tree or together in the first partition, Q in the second, T in both. An overlap of two clusters has
        m items of a cluster of s and one of t items.
    chance : str
        Its mean over all relabellings of the items, in the letters of the formula.
    source : str
        Where it is defined.
    bibtex : str
        The key of its source in ``references.bib``.
    properties : Properties, optional
        For partitions: what holds of it in the sense of the split-merge framework.
    """

    call: Callable[..., float]
    of: Literal["trees", "partitions"]
    symbol: str
    score: Callable[[Any], Score]
    kind: Literal["similarity", "distance", "information"] = "similarity"
    identical: float | None = 1.0
    lower: float = 0.0
    upper: float = 1.0
    reached: str = ""
    symmetric: bool = True
    triangle: bool
    exact: bool = True
    headline: bool = False
    needs_heights: bool = False
    refuses_dendrograms: bool = False
    needs_bound: bool = False
    expects: bool = True
    cost: Callable[[Any], int] | None = None
    slow: str = ""
    tested_by: Literal["pairs", "information"] | None = None
    curve: Callable[[Levels], FloatArray] | None = None
    says: str
    formula: str
    chance: str
    source: str
    bibtex: str
    properties: Properties | None = None

    @property
    def name(self) -> str:
        """The name of the public function."""
        return self.call.__name__

    def of_table(self, table: Contingency, max_clusters: int | None = None) -> float:
        """Return a measure of partitions; ``max_clusters`` is passed on where it is needed, and ignored elsewhere."""
        return self.call(table, max_clusters=max_clusters) if self.needs_bound else self.call(table)

    def apart(self, values: FloatArray) -> FloatArray:
        """Return how far values are from that of a tree or partition with itself: the measure as a distance."""
        if self.identical is None:
            raise UndefinedMeasureError(f"{self.name} has no one value for the same partition, so it is no distance")
        return values - self.identical if self.kind == "distance" else self.identical - values

    @property
    def better(self) -> str:
        """Which direction is more alike: "higher", "lower" or "neither"."""
        return {"similarity": "higher", "distance": "lower", "information": "neither"}[self.kind]

    @property
    def span(self) -> str:
        """The range as text."""
        return self.reached or f"{self.lower:g} to {self.upper:g}"
