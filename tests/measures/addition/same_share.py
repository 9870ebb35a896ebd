"""Same share: a measure of partitions that exists for a test alone."""

from numpy.typing import ArrayLike

from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.components import Components, Parts
from dendrometry.measures.measure import Measure, Properties
from dendrometry.measures.partitions import rand
from dendrometry.measures.score import Score
from dendrometry.tree_pair.levels import Levels


def same_share(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> float:
    """Share of pairs on which both partitions agree: the Rand index under another name."""
    return rand.rand(as_contingency(a, b))


def score(statistics: PartitionStatistics) -> Score:
    """Return the index with its expectation."""
    return rand.score(statistics)


def curve(levels: Levels) -> FloatArray:
    """Return the index at every tick."""
    return rand.curve(levels)


def decompose(graph: Components) -> Parts:
    """Return the index as a sum over components."""
    return rand.decompose(graph)


MEASURE = Measure(
    call=same_share,
    of="partitions",
    symbol="SS",
    title="Same share",
    score=score,
    triangle=True,
    tested_by="pairs",
    curve=curve,
    decompose=decompose,
    meaning="a dummy of a share",
    formula="SS = 1",
    chance="0, exact",
    source="nowhere, 1971",
    bibtex="rand1971",
    properties=Properties(normalised=True, join_weighted=False, monotone="strictly"),
)
