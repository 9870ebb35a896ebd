"""What is true of every measure: one entry each, read by the tests, the docs, the command line and the report."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Literal

from dendrometry.compare import agreement, cophenetic, f_scores, overall
from dendrometry.compare.readings import Readings
from dendrometry.compare.score import Score
from dendrometry.display import shown
from dendrometry.errors import InvalidInputError

__all__ = ["MEASURES", "Measure", "measure_named"]


@dataclass(frozen=True)
class Measure:
    """A measure of two hierarchies, and what it claims and denies.

    Attributes
    ----------
    name : str
        The name of the public function.
    symbol : str
        How the literature writes it.
    call : callable
        The public function of two hierarchies.
    score : callable
        The value with its expectation, from the readings of a pair.
    kind : {"similarity", "distance"}
        Whether higher or lower is more alike.
    identical : float
        The value of a tree with itself.
    lower, upper : float
        The range.
    symmetric : bool
        Whether swapping the trees never changes the value.
    triangle : bool
        Whether the distance, or ``identical`` minus the similarity, obeys the triangle inequality.
    needs_heights : bool
        Whether trees without heights are refused.
    says : str
        What the value tells, in plain words.
    source : str
        Where it is defined.
    """

    name: str
    symbol: str
    call: Callable[..., float]
    score: Callable[[Readings], Score]
    kind: Literal["similarity", "distance"]
    identical: float
    lower: float
    upper: float
    symmetric: bool
    triangle: bool
    needs_heights: bool
    says: str
    source: str

    @property
    def better(self) -> str:
        """Which direction is more alike: "higher" or "lower"."""
        return "higher" if self.kind == "similarity" else "lower"

    @property
    def span(self) -> str:
        """The range as text."""
        return f"{self.lower:g} to {self.upper:g}"


_ALL = (
    Measure(
        name="hierarchy_agreement",
        symbol="HAI",
        call=agreement.hierarchy_agreement,
        score=lambda readings: agreement.score_of_walk(readings.by_size),
        kind="similarity",
        identical=1.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=True,
        needs_heights=False,
        says="how far pairs of items lie in clusters of the same size in both trees",
        source="Johnson et al. 2013",
    ),
    Measure(
        name="hierarchical_f",
        symbol="CFM",
        call=f_scores.hierarchical_f,
        score=lambda readings: f_scores.hierarchical_score(
            readings.pair, readings.matches, f_scores.classes_of(readings.pair)
        ),
        kind="similarity",
        identical=1.0,
        lower=0.0,
        upper=1.0,
        symmetric=False,
        triangle=False,
        needs_heights=False,
        says="how well the clusters of the first tree are found again in the second",
        source="Larsen and Aone 1999",
    ),
    Measure(
        name="classic_f",
        symbol="F",
        call=f_scores.classic_f,
        score=lambda readings: f_scores.classic_score(readings.pair),
        kind="similarity",
        identical=1.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=False,
        says="how far pairs of items that share a node in one tree share one in the other",
        source="Spytkowski et al. 2016",
    ),
    Measure(
        name="partial_order_f",
        symbol="PO-F",
        call=f_scores.partial_order_f,
        score=lambda readings: f_scores.partial_order_score(readings.pair),
        kind="similarity",
        identical=1.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=False,
        says="how far items that lie at or below the node of another in one tree do so in the other",
        source="Spytkowski et al. 2016",
    ),
    Measure(
        name="overall_distance",
        symbol="Z",
        call=overall.overall_distance,
        score=lambda readings: overall.distance_score(readings.overall),
        kind="distance",
        identical=0.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=True,
        says="the share of pairs, over all numbers of groups, that are together in one tree only",
        source="Morlini and Zani 2012",
    ),
    Measure(
        name="overall_similarity",
        symbol="S",
        call=overall.overall_similarity,
        score=lambda readings: overall.similarity_score(readings.overall),
        kind="similarity",
        identical=1.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=True,
        says="the share of pairs, over all numbers of groups, that are together in both trees",
        source="Morlini and Zani 2012",
    ),
    Measure(
        name="cophenetic_distance",
        symbol="D",
        call=cophenetic.cophenetic_distance,
        score=lambda readings: cophenetic.distance_score(readings.pair),
        kind="distance",
        identical=0.0,
        lower=0.0,
        upper=inf,
        symmetric=True,
        triangle=True,
        needs_heights=True,
        says="how much the heights at which pairs join differ, on average, in the unit of the heights",
        source="Sokal and Rohlf 1962",
    ),
    Measure(
        name="cophenetic_correlation",
        symbol="r",
        call=cophenetic.cophenetic_correlation,
        score=lambda readings: cophenetic.correlation_score(readings.pair),
        kind="similarity",
        identical=1.0,
        lower=-1.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=True,
        says="how closely the heights at which pairs join in one tree follow those in the other",
        source="Sokal and Rohlf 1962",
    ),
)

MEASURES = {measure.name: measure for measure in _ALL}


def measure_named(name: str) -> Measure:
    """Return the measure of that name, or refuse with the names there are."""
    if not isinstance(name, str) or name not in MEASURES:
        raise InvalidInputError(f"the measure must be one of {', '.join(MEASURES)}; got {shown(repr(name))}")
    return MEASURES[name]
