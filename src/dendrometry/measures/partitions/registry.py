"""What is true of every measure of two partitions; the tests hold each claim."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dendrometry.contingency import Contingency
from dendrometry.measures.partitions.information import (
    bounded_variation_similarity,
    mutual_information,
    normalized_mutual_information,
    variation_of_information,
    variation_similarity,
)
from dendrometry.measures.partitions.matching import classification_accuracy, van_dongen
from dendrometry.measures.partitions.pairs import adjusted_rand, fowlkes_mallows, rand
from dendrometry.measures.partitions.split_merge import split_merge

__all__ = ["PARTITION_MEASURES", "PartitionMeasure"]


@dataclass(frozen=True, kw_only=True)
class PartitionMeasure:
    """One measure of two partitions, and its properties in the sense of Xiang et al. (2012).

    Attributes
    ----------
    name, symbol : str
        The name of the function, and the letter of the paper.
    call : callable
        The function: two labelings or a `Contingency`, and for some measures options.
    needs_bound : bool
        The function needs the most clusters of a partition, ``k``.
    kind : {"similarity", "distance", "information"}
        Whether higher is more alike, lower is, or neither.
    identical : float or None
        The value of a partition and itself; None where it depends on the partition.
    lower, upper : float
        Bounds that no value passes.
    span : str
        The range as text: the ends that are reached, where they depend on the number of items n.
    symmetric : bool
        Exchanging the partitions changes nothing.
    says : str
        What the value tells, in plain words.
    formula : str
        The definition in plain text, one equation a line. N counts all pairs of items, P those together in the first
        partition, Q in the second, T in both; an overlap has m items of a cluster of s and one of t items.
    chance : str
        Its mean over all relabellings of the items, in the letters of the formula.
    source : str
        Where the measure was published.
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
    metric : bool
        The distance, or 1 - similarity, is a metric on the partitions of n items.
    """

    name: str
    symbol: str
    call: Callable[..., float]
    needs_bound: bool = False
    kind: Literal["similarity", "distance", "information"] = "similarity"
    identical: float | None = 1.0
    lower: float = 0.0
    upper: float = 1.0
    span: str = "0 to 1"
    symmetric: bool = True
    says: str
    formula: str
    chance: str
    source: str
    normalised: bool
    conditionally_normalised: bool = False
    decomposable: bool
    join_weighted: bool
    subcomponent_consistent: bool | None = None
    monotone: Literal["strictly", "weakly"]
    metric: bool

    @property
    def better(self) -> str:
        """Which direction is more alike: "higher", "lower" or "neither"."""
        return {"similarity": "higher", "distance": "lower", "information": "neither"}[self.kind]

    def of(self, table: Contingency, k: int | None = None) -> float:
        """Return the measure of two partitions; ``k`` is passed on where it is needed, and ignored elsewhere."""
        return self.call(table, k=k) if self.needs_bound else self.call(table)


_ALL = (
    PartitionMeasure(
        name="rand",
        symbol="R",
        call=rand,
        says="the share of pairs of items that both partitions treat alike; near 1 for many clusters",
        formula="R = (N - P - Q + 2T) / N",
        chance="1 - (P + Q)/N + 2PQ/N², exact",
        source="W. M. Rand, JASA 66 (1971) 846-850",
        normalised=True,
        decomposable=True,
        join_weighted=False,
        monotone="strictly",
        metric=True,
    ),
    PartitionMeasure(
        name="adjusted_rand",
        symbol="AR",
        call=adjusted_rand,
        lower=-0.5,
        span="-1/2 to 1",
        says="the Rand index, moved so that chance gives 0",
        formula="AR = (T - PQ/N) / ((P + Q)/2 - PQ/N)",
        chance="0, exact",
        source="doi:10.1007/BF01908075",
        normalised=False,
        decomposable=False,
        join_weighted=False,
        monotone="weakly",
        metric=False,
    ),
    PartitionMeasure(
        name="fowlkes_mallows",
        symbol="B",
        call=fowlkes_mallows,
        says="the share of pairs kept together, geometric mean of both directions",
        formula="B = T / √(PQ)",
        chance="√(PQ) / N, exact",
        source="E. B. Fowlkes, C. L. Mallows, JASA 78 (1983) 553-569",
        normalised=True,
        decomposable=False,
        join_weighted=False,
        monotone="strictly",
        metric=False,
    ),
    PartitionMeasure(
        name="van_dongen",
        symbol="N",
        call=van_dongen,
        span="⌈2√n⌉/2n to 1",
        says="the share of items in the best partner of their cluster",
        formula="N = (Σ over the clusters of both sides of their greatest m) / 2n",
        chance="no short formula; above 0",
        source="S. van Dongen, CWI report INS-R0012 (2000)",
        normalised=False,
        decomposable=True,
        join_weighted=True,
        subcomponent_consistent=False,
        monotone="weakly",
        metric=True,
    ),
    PartitionMeasure(
        name="classification_accuracy",
        symbol="A",
        call=classification_accuracy,
        span="1/n to 1",
        says="the share of items in matched clusters, one to one",
        formula="A = (the greatest Σ m over overlaps that share no cluster) / n",
        chance="no short formula; above 0",
        source="doi:10.1023/A:1007648401407",
        normalised=False,
        decomposable=True,
        join_weighted=True,
        subcomponent_consistent=True,
        monotone="weakly",
        metric=True,
    ),
    PartitionMeasure(
        name="mutual_information",
        symbol="I",
        call=mutual_information,
        kind="information",
        identical=None,
        upper=math.inf,
        span="0 to log n",
        says="what one partition tells of the other, in nats",
        formula="I = Σ (m/n) log(mn / st)",
        chance="no short formula; above 0, and greater the more clusters there are",
        source="doi:10.1016/j.jmva.2006.11.013",
        normalised=False,
        decomposable=True,
        join_weighted=False,
        monotone="weakly",
        metric=False,
    ),
    PartitionMeasure(
        name="normalized_mutual_information",
        symbol="NMI",
        call=normalized_mutual_information,
        says="the mutual information over the larger of the two entropies",
        formula=("NMI = I / max(H(a), H(b))\nH = -Σ (s/n) log(s/n), over the clusters of one partition"),
        chance="no short formula; above 0, and greater the more clusters there are",
        source="N. X. Vinh, J. Epps, J. Bailey, JMLR 11 (2010) 2837-2854",
        normalised=True,
        decomposable=False,
        join_weighted=False,
        monotone="weakly",
        metric=True,
    ),
    PartitionMeasure(
        name="variation_of_information",
        symbol="VI",
        call=variation_of_information,
        kind="distance",
        identical=0.0,
        upper=math.inf,
        span="0 to log n",
        says="what each partition leaves unknown of the other, in nats",
        formula="VI = Σ (m/n) (log(s/m) + log(t/m))",
        chance="no short formula; H(a) + H(b) less twice that of I",
        source="doi:10.1016/j.jmva.2006.11.013",
        normalised=False,
        decomposable=True,
        join_weighted=True,
        monotone="strictly",
        metric=True,
    ),
    PartitionMeasure(
        name="variation_similarity",
        symbol="V",
        call=variation_similarity,
        says="the variation of information as a similarity, over log n",
        formula="V = 1 - VI / log n",
        chance="no short formula; above 0",
        source="doi:10.1016/j.jmva.2006.11.013",
        normalised=True,
        decomposable=True,
        join_weighted=False,
        monotone="strictly",
        metric=True,
    ),
    PartitionMeasure(
        name="bounded_variation_similarity",
        symbol="K",
        call=bounded_variation_similarity,
        needs_bound=True,
        says="the variation of information as a similarity, over 2 log k for at most k clusters",
        formula="K = 1 - VI / (2 log k)",
        chance="no short formula; above 0",
        source="doi:10.1016/j.jmva.2006.11.013",
        normalised=False,
        decomposable=True,
        join_weighted=True,
        subcomponent_consistent=False,
        monotone="strictly",
        metric=True,
    ),
    PartitionMeasure(
        name="split_merge",
        symbol="S_H",
        call=split_merge,
        says="how far clusters are split and merged, overlap by overlap",
        formula=(
            "S_H = Σ (m/n) s_H(L) s_H(C), over the overlaps of clusters L and C\n"
            "s_H(L) = 1 - H(parts of L) / log |L|; 1 for a single item"
        ),
        chance="no short formula; above 0",
        source="Q. Xiang et al., ICML 2012",
        normalised=True,
        conditionally_normalised=True,
        decomposable=True,
        join_weighted=True,
        subcomponent_consistent=True,
        monotone="strictly",
        metric=False,
    ),
)

PARTITION_MEASURES = {measure.name: measure for measure in _ALL}
