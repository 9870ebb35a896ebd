"""What is true of every measure: one entry each, read by the tests, the docs, the command line and the report."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Literal

from dendrometry._check.choices import one_of
from dendrometry.measures.score import Score
from dendrometry.measures.trees import cophenetic, f_scores, overall
from dendrometry.measures.trees import hierarchy_agreement as agreement
from dendrometry.walk.readings import Readings

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
    formula : str
        The definition in plain text, one equation a line. Capital letters count pairs of items: N all, P those related
        in the first tree, Q in the second, T in both.
    chance : str
        Its mean over all relabellings of the items, in the letters of the formula.
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
    formula: str
    chance: str
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
        formula=(
            "HAI = 1 - (1/n²) Σ_i,j |d_a(i,j) - d_b(i,j)|\n"
            "d(i,j) = size of the smallest cluster with i and j / n; 0 if that is a leaf, and for i = j"
        ),
        chance=(
            "exact: 1 - (1 - 1/n) × the mean of |x - y|, x the d of any pair in the first tree, y of any in the second;"
            " about 0.6 to 0.75 for binary trees"
        ),
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
        formula=(
            "CFM = Σ_c |c| F(c) / Σ_c |c|, over the classes c of the first tree\n"
            "F(c) = the greatest 2 |c ∩ k| / (|c| + |k|) over all clusters k of the second"
        ),
        chance="no formula known; significance() estimates it",
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
        formula="F = 2T / (P + Q)\nrelated: unordered pairs of items that share their node",
        chance="2PQ / (N (P + Q)), exact",
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
        formula="PO-F = 2T / (P + Q)\nrelated: ordered pairs (i, j) with i at the node of j or below it",
        chance="PQ / (N (P + Q)), exact",
        source="Spytkowski et al. 2016",
    ),
    Measure(
        name="overall_distance",
        symbol="Z",
        call=overall.overall_distance,
        score=lambda readings: overall.distance_score(overall.overall_of_walk(readings.by_rank)),
        kind="distance",
        identical=0.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=True,
        says="the share of pairs, over all numbers of groups, that are together in one tree only",
        formula=(
            "Z = Σ_k (P_k + Q_k - 2 T_k) / Σ_k (P_k + Q_k), k = 2 … n - 1\n"
            "related at k: unordered pairs in one group of the partition into k groups"
        ),
        chance="1 - 2 Σ_k P_k Q_k / (N Σ_k (P_k + Q_k)), exact",
        source="Morlini and Zani 2012",
    ),
    Measure(
        name="overall_similarity",
        symbol="S",
        call=overall.overall_similarity,
        score=lambda readings: overall.similarity_score(overall.overall_of_walk(readings.by_rank)),
        kind="similarity",
        identical=1.0,
        lower=0.0,
        upper=1.0,
        symmetric=True,
        triangle=False,
        needs_heights=True,
        says="the share of pairs, over all numbers of groups, that are together in both trees",
        formula=(
            "S = 1 - Z = 2 Σ_k T_k / Σ_k (P_k + Q_k), k = 2 … n - 1\n"
            "related at k: unordered pairs in one group of the partition into k groups"
        ),
        chance="2 Σ_k P_k Q_k / (N Σ_k (P_k + Q_k)), exact",
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
        formula="D = (1/N) Σ_i<j |h_a(i,j) - h_b(i,j)|\nh(i,j) = height of the lowest node with i and j",
        chance="exact: the mean of |x - y|, x the height of any pair in the first tree, y of any in the second",
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
        formula=(
            "r = Σ_i<j x(i,j) y(i,j) / √(Σ_i<j x(i,j)² Σ_i<j y(i,j)²)\n"
            "x, y = h_a, h_b less their means; h(i,j) = height of the lowest node with i and j"
        ),
        chance="0, exact",
        source="Sokal and Rohlf 1962",
    ),
)

MEASURES = {measure.name: measure for measure in _ALL}


def measure_named(name: str) -> Measure:
    """Return the measure of that name, or refuse with the names there are."""
    return MEASURES[one_of(name, "the measure", MEASURES)]
