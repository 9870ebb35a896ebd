"""The trees of a labelled table by eight linkages, how well they show its classes, and how alike they are."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from dendrometry._studies.inputs.data import standardised
from dendrometry._studies.inputs.tables import LabelledTable
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.contingency import Contingency
from dendrometry.cut.count import cut_count
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.labels import from_labels
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.registry import MEASURES
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics

EIGHT: tuple[Linkage, ...] = (
    "single",
    "complete",
    "average",
    "weighted",
    "ward",
    "centroid",
    "median",
    "group_average",
)
PAIRS = tuple(combinations(EIGHT, 2))
OF_TREE = ("dendrogram_purity", "triplet_recall", "hierarchy_agreement")  # the whole tree against the classes
OF_CUT = ("adjusted_rand", "adjusted_mutual_information", "element_centric")  # at the number of classes
RECOVERY = (*OF_TREE, *OF_CUT)
OF_PAIR = (
    "overall_similarity",
    "triplet_agreement",
    "hierarchy_agreement",
    "normalized_robinson_foulds",
    "cophenetic_correlation",
)
AGREEMENT = (*OF_PAIR, "adjusted_rand")  # the last of two cuts at the number of classes


class Draw(NamedTuple):
    """The values of one draw of rows, unscaled and scaled: recovery (2, 8, 6), agreement (2, 28, 6) or None."""

    recovery: FloatArray
    agreement: FloatArray | None


class Scored(NamedTuple):
    """The values of a table: of each draw, and the standard errors of the first from half-samples, in the same shapes.

    ``n_tied`` counts the cuts of the first draw, 16 of them, that go through a tie.
    """

    n_rows: int
    n_classes: int
    n_tied: int
    draws: list[Draw]
    error: Draw


def score_table(table: LabelledTable, seed: int, *, n_draws: int, n_halves: int, most_rows: int) -> Scored:
    """Return the values of a table for several draws, and standard errors from halves of the first.

    A draw takes at most ``most_rows`` rows at random, in random order, which also breaks ties at random. Agreement is
    measured in the first draw alone. A half-sample holds a random half of the rows of the first draw: the standard
    deviation over half-samples estimates the standard error of a value of all these rows, as the jackknife that
    deletes half of them (Shao and Wu 1989).
    """
    draws: list[Draw] = []
    halves: list[Draw] = []
    n_rows, n_classes, n_tied = 0, 0, 0
    for number in range(n_draws):
        rng = np.random.default_rng([seed, number, *table.name.encode()])
        rows = rng.permutation(table.labels.size)[:most_rows]
        values, labels = _with_scaled(table.values[rows]), table.labels[rows]
        draw, tied = _score(values, labels, with_agreement=number == 0)
        draws.append(draw)
        if number == 0:
            n_rows, n_classes, n_tied = labels.size, np.unique(labels).size, tied
            for _ in range(n_halves):
                half = _half(labels, rng)
                halves.append(_score([points[half] for points in values], labels[half], with_agreement=True)[0])
    error = Draw(
        np.std([half.recovery for half in halves], axis=0, ddof=1),
        np.std([half.agreement for half in halves if half.agreement is not None], axis=0, ddof=1),
    )
    return Scored(n_rows, n_classes, n_tied, draws, error)


def _half(labels: IntArray, rng: np.random.Generator) -> IntArray:
    """Return a random half of the rows that holds at least two classes."""
    while True:
        half = rng.permutation(labels.size)[: labels.size // 2]
        if np.ptp(labels[half]) > 0:
            return half


def _with_scaled(values: FloatArray) -> list[FloatArray]:
    """Return the columns that vary, and the same with mean 0 and standard deviation 1."""
    varied = values[:, np.ptp(values, axis=0) > 0.0]
    return [varied, standardised(varied)]


def _score(values: list[FloatArray], labels: IntArray, *, with_agreement: bool) -> tuple[Draw, int]:
    """Return the values of one draw, and how many of the cuts into as many clusters as classes go through a tie."""
    recovery: list[list[list[float]]] = []
    agreement: list[list[list[float]]] = []
    n_tied = 0
    for points in values:
        trees = [agglomerate(points, linkage=linkage).hierarchy for linkage in EIGHT]
        cuts = [cut_count(tree, np.unique(labels).size) for tree in trees]
        n_tied += sum(cut.n_alternatives > 0 for cut in cuts)
        recovery.append([recovered(tree, cut.labels, labels) for tree, cut in zip(trees, cuts, strict=True)])
        if with_agreement:
            both = [(EIGHT.index(a), EIGHT.index(b)) for a, b in PAIRS]
            agreement.append([agreed(trees[i], trees[j], cuts[i].labels, cuts[j].labels) for i, j in both])
    return Draw(np.array(recovery), np.array(agreement) if with_agreement else None), n_tied


def recovered(tree: Hierarchy, cut: IntArray, labels: IntArray) -> list[float]:
    """Return how well a tree and its cut show the classes, by the measures of `RECOVERY`, adjusted for chance."""
    classes = from_labels(labels, tree.items)
    pair = PairStatistics(Pair.of_trees(classes, tree))
    table = PartitionStatistics(Contingency.of(labels, cut))
    return [_adjusted(name, pair) for name in OF_TREE] + [_adjusted(name, table) for name in OF_CUT]


def agreed(a: Hierarchy, b: Hierarchy, cut_a: IntArray, cut_b: IntArray) -> list[float]:
    """Return how alike two trees and their cuts are, by the measures of `AGREEMENT`, adjusted for chance."""
    pair = PairStatistics(Pair.of_trees(a, b))
    table = PartitionStatistics(Contingency.of(cut_a, cut_b))
    return [_adjusted(name, pair) for name in OF_PAIR] + [_adjusted(name, table) for name in AGREEMENT[-1:]]


def _adjusted(name: str, statistics: PairStatistics | PartitionStatistics) -> float:
    """Return a value as a share of the way from its mean by chance to that of identical objects.

    It is 1 where every relabelling gives the value of identical objects, as in `pairwise_matrix`, and 0, as by chance,
    where the measure is undefined: the correlation of heights if all merges of a tree are at one height.
    """
    try:
        score = MEASURES[name].score(statistics)
    except UndefinedMeasureError:
        return 0.0
    return 1.0 if score.adjusted is None else score.adjusted
