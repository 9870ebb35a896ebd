"""What is true of every measure of two partitions; the tests hold each claim."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dendrometry.partition.information import (
    bounded_variation_similarity,
    mutual_information,
    normalized_mutual_information,
    variation_of_information,
    variation_similarity,
)
from dendrometry.partition.matching import classification_accuracy, van_dongen
from dendrometry.partition.pairs import adjusted_rand, fowlkes_mallows, rand
from dendrometry.partition.split_merge import split_merge

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
    kind : {"similarity", "distance", "information"}
        Whether higher is more alike, lower is, or neither.
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
    kind: Literal["similarity", "distance", "information"] = "similarity"
    normalised: bool
    conditionally_normalised: bool = False
    decomposable: bool
    join_weighted: bool
    subcomponent_consistent: bool | None = None
    monotone: Literal["strictly", "weakly"]
    metric: bool


_ALL = (
    PartitionMeasure(
        name="rand",
        symbol="R",
        call=rand,
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
