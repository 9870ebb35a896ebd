"""Predicted terms of a taxonomy against the true ones: by ancestors, weighted, over thresholds, beside chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import float_column
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._exact import group_sums
from dendrometry._kernels import taxonomy as kernels
from dendrometry._kernels.taxonomy import Graph, Sets
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError
from dendrometry.io.dags import DagLike
from dendrometry.taxonomy.annotations import Labels, Terms, Unknown, match_items
from dendrometry.taxonomy.curves import best, curves, expected_curves
from dendrometry.taxonomy.information import given_weights, information_of, intrinsic_information
from dendrometry.taxonomy.scores import PredictionLevels, PredictionScores, score_of
from dendrometry.taxonomy.sets import bootstrap, counted_terms, expected_sums, graph_of, propagate, totals, truth_sums

_CAFA = np.arange(1, 100) / 100  # thresholds from 0.01 to 0.99
_PERMUTATIONS = ((20_000, 99), (2_000_000, 19))  # by default, up to so many terms of items


class _Case(NamedTuple):
    """True and predicted sets of terms, and what they are measured by."""

    dag: Dag
    graph: Graph
    truth: Sets
    found: Sets
    weight: FloatArray
    own: FloatArray
    thresholds: FloatArray | None
    remainder: dict[str, int]
    single: bool

    @property
    def n_items(self) -> int:
        return len(self.own)

    @property
    def n_thresholds(self) -> int:
        return 1 if self.thresholds is None else self.thresholds.size


def score_predictions(
    truth: Any,
    predicted: Any,
    *,
    taxonomy: DagLike,
    thresholds: ArrayLike | None = None,
    information: str | Mapping[str, float] = "annotations",
    unknown: Unknown = "error",
    n_permutations: int | None = None,
    n_bootstrap: int = 200,
    rng: RandomSource = 0,
) -> PredictionScores:
    """Return how well predicted terms of a taxonomy agree with the true ones.

    A term stands for itself and all terms above it, except for a root that is above all. Hierarchical precision is the
    share of these for the predicted terms that are also such for the true ones, over all items; recall the same for the
    true terms. A prediction that errs by one level loses less than one in another branch. A term may have several
    parents, an item several terms, and each of the predicted ones a score.

    Parameters
    ----------
    truth, predicted : array-like, pandas.Series, mapping or frame
        The true and the predicted terms of each item: one label for each, or a sequence of labels for each, or, for the
        predicted, a mapping from label to score for each. A frame has a row for each label, with the columns ``item``
        (or an index of that name), ``term`` and perhaps ``score``, or the first columns in this order. Labels are
        identifiers, their aliases, or names of one term; in a tree also paths, as in "animal/mammal", or numbers of
        nodes. A name that several nodes of a tree have must be given as a path; "/other" is the node other below the
        root, "/" the root. Two Series, mappings or frames are matched by their index, keys or items; otherwise, by
        position. Empty text beside other labels is no label.
    taxonomy : Dag, Hierarchy, or anything that ``io.as_dag`` takes
        The terms, such as ``io.read_dag``, `from_paths` or `from_levels` return. Items of a tree do not matter.
    thresholds : (n_thresholds,) array of float, optional
        For predicted labels with scores: a label counts at a threshold up to its score; by default 0.01 to 0.99.
    information : {"annotations", "intrinsic"} or mapping from term to number
        The weight of each term: its information accretion in the true labels (as in CAFA), the same if every term were
        the label of one item, or given weights; terms that a mapping leaves out weigh nothing.
    unknown : {"error", "leave_out"}
        What to do about labels that are no terms or obsolete ones, and about predicted items without truth.
    n_permutations : int, optional
        The number of random assignments of predictions to items for those means by chance that have no formula; by
        default 99 up to 20,000 terms of items, 19 up to 2,000,000, none above.
    n_bootstrap : int
        The number of draws of the items for the intervals; 0 for none.
    rng : numpy.random.Generator, int or None
        The source of the permutations and draws.

    Returns
    -------
    PredictionScores
        Precision, recall and F, from 0 to 1, higher is better: over all items (micro), of each item (macro), and
        weighted; F-max and S-min over thresholds; depth of the common term and cost of each item; counts and costs at
        each level.

    Raises
    ------
    InvalidInputError
        If a label is not that of exactly one term.
    ItemMismatchError
        If there are not as many predictions as true nodes, or their indexes or keys name different items.

    Notes
    -----
    O(terms at or above all labels), for each permutation and draw. By chance, the predictions are assigned to the items
    at random: n_v(true) n_v(predicted) / n items then have term v in both, on average. From this, the means of
    precision, recall, weighted ones, ru, mi and of F over all items are exact.

    References
    ----------
    .. [1] S. Kiritchenko, S. Matwin, R. Nock, A. F. Famili, "Learning and evaluation in the presence of class
       hierarchies: application to text categorization", Canadian AI 2006, doi:10.1007/11766247_34.
    .. [2] W. T. Clark, P. Radivojac, "Information-theoretic evaluation of predicted ontological annotations",
       Bioinformatics 29, 2013, doi:10.1093/bioinformatics/btt228.
    .. [3] P. Radivojac et al., "A large-scale evaluation of computational protein function prediction", Nature Methods
       10, 2013, doi:10.1038/nmeth.2340.

    Examples
    --------
    >>> from dendrometry import from_paths
    >>> from dendrometry.taxonomy import score_predictions
    >>> taxonomy = from_paths(["animal/mammal", "animal/bird", "plant"])
    >>> found = score_predictions(["mammal", "bird", "plant"], ["bird", "bird", "animal"], taxonomy=taxonomy)
    >>> found.precision, found.recall, found.common_depth.tolist()
    (0.6, 0.6, [1, 2, 0])
    """
    n_bootstrap = whole_number(n_bootstrap, "n_bootstrap", 0)
    source = random_generator(rng)
    case = _case(truth, predicted, taxonomy, thresholds, information, unknown)
    n = _n_permutations(case) if n_permutations is None else whole_number(n_permutations, "n_permutations", 0)
    return _scored(case, n, n_bootstrap, source)


def hierarchical_prediction_precision(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: DagLike) -> float:
    """Return `PredictionScores.precision`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return _alone(truth, predicted, taxonomy).precision


def hierarchical_prediction_recall(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: DagLike) -> float:
    """Return `PredictionScores.recall`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return _alone(truth, predicted, taxonomy).recall


def hierarchical_prediction_f(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: DagLike) -> float:
    """Return `PredictionScores.f`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return _alone(truth, predicted, taxonomy).f


def _alone(truth: ArrayLike, predicted: ArrayLike, taxonomy: DagLike) -> PredictionScores:
    """Return scores without intervals and permutations."""
    return score_predictions(truth, predicted, taxonomy=taxonomy, n_permutations=0, n_bootstrap=0)


def _case(
    truth: Any, predicted: Any, taxonomy: DagLike, thresholds: ArrayLike | None, information: object, unknown: Unknown
) -> _Case:
    """Return the sets of terms of all items, checked."""
    terms = Terms(taxonomy)
    true, other = terms.read(truth, "true", unknown), terms.read(predicted, "predicted", unknown)
    if true.score is not None:
        raise InvalidInputError("true labels must have no scores; got some with one")
    other, n_extra = match_items(true, other, (truth, predicted), unknown)
    dag = terms.dag
    graph = graph_of(dag, counted_terms(dag))
    steps = _thresholds(thresholds, other)
    single = max(map(_most_labels, (true, other)), default=0) <= 1
    sides = [_labels(side, steps, true.n_items) for side in (true._replace(score=None), other)]
    weight = np.where(graph.counts, _weights(dag, sides[0], information), 0.0)
    held, found = (propagate(graph, side) for side in sides)
    remainder = {
        "unknown true labels": true.n_unknown,
        "unknown predicted labels": other.n_unknown,
        "obsolete true labels": true.n_obsolete,
        "obsolete predicted labels": other.n_obsolete,
        "predicted items without truth": n_extra,
        "items without a true term": int((np.diff(held.start) == 0).sum()),
        "items without a predicted term": int((np.diff(found.start) == 0).sum()),
    }
    return _Case(dag, graph, held, found, weight, truth_sums(held, weight), steps, remainder, single)


def _most_labels(side: Labels) -> int:
    """Return the most labels of an item."""
    return int(np.bincount(side.item).max()) if side.item.size else 0


def _thresholds(given: ArrayLike | None, predicted: Labels) -> FloatArray | None:
    """Return ascending thresholds for labels with scores."""
    if predicted.score is None:
        if given is not None:
            raise InvalidInputError("thresholds are for predicted labels with scores; these have none")
        return None
    if given is None:
        if predicted.score.size and not (0.0 <= predicted.score.min() and predicted.score.max() <= 1.0):
            least, most = predicted.score.min(), predicted.score.max()
            raise InvalidInputError(
                f"scores must be from 0 to 1, or thresholds must be given; got scores from {least:g} to {most:g}"
            )
        return _CAFA
    steps = np.unique(float_column(given, "thresholds"))
    if not steps.size:
        raise InvalidInputError("thresholds must hold at least one number; got none")
    return steps


def _labels(side: Labels, steps: FloatArray | None, n_items: int) -> Sets:
    """Return labels by item, of each item in descending order of the thresholds that they reach."""
    if side.score is None or steps is None:
        reach = np.ones(side.item.size, dtype=np.int64)
    else:
        reach = np.searchsorted(steps, side.score, side="right")
    order = np.lexsort((-reach, side.item))
    start = np.concatenate(([0], np.cumsum(np.bincount(side.item, minlength=n_items))))
    return Sets(start, side.term[order], reach[order])


def _weights(dag: Dag, truth: Sets, information: object) -> FloatArray:
    """Return the weight of each term."""
    if isinstance(information, Mapping):
        return given_weights(dag, information)
    one_of(information, "information", ("annotations", "intrinsic"), also="a mapping from term to number")
    found = information_of(dag, truth.start, truth.term) if information == "annotations" else intrinsic_information(dag)
    return found.accretion


def _n_permutations(case: _Case) -> int:
    """Return how many permutations are made by default."""
    size = case.truth.term.size + case.found.term.size
    return next((n for most, n in _PERMUTATIONS if size <= most), 0)


def _scored(case: _Case, n_permutations: int, n_bootstrap: int, rng: np.random.Generator) -> PredictionScores:
    """Return all scores of a case."""
    n, every = case.n_items, np.arange(case.n_items)
    at = totals(case.truth, case.found, every, case.weight, case.n_thresholds)
    own = case.own.sum(axis=0)
    found = curves(at, own, n)
    k = int(np.argmax(np.where(np.isnan(found["f_of_means"]), -1.0, found["f_of_means"])))
    top = np.append(case.dag.shortest_depths + (case.dag.roots.size > 1), 0)
    cost = kernels.hops(case.graph, case.truth, case.found, every, k + 1, top)
    levels, terms = _levels(case, k + 1)
    depth = _common_depths(case, k + 1, every)
    true_depth = _true_depths(case)
    lost = true_depth - depth
    values = {name: float(column[k]) for name, column in found.items()} | {
        name: float(value) for name, value in best(found).items()
    }
    values |= {"common_depth": depth.mean(), "common_distance": lost.mean(), "cost": cost.mean()}
    mean = expected_sums(case.truth, case.found, case.weight, case.own, case.n_thresholds)
    exact = {name: float(column[k]) for name, column in expected_curves(mean, at, own, n).items()}
    exact |= {"path_accuracy": _same_by_chance(case, k + 1), "coverage": float(found["coverage"][k])}
    if case.single and case.dag.is_tree:
        exact["common_depth"] = float(levels.expected_shared.sum()) / n
        exact["common_distance"] = float(levels.n_true.sum() - levels.expected_shared.sum()) / n
        exact["cost"] = float(levels.expected_cost.sum()) / n
    chance = _permuted(case, k, n_permutations, rng, top, exact | {"true_depth": float(true_depth.mean())})
    intervals = _intervals(case, k, n_bootstrap, rng, {"common_depth": depth, "common_distance": lost, "cost": cost})
    scores = {}
    for name in _ORDER:
        expected, how = (exact[name], "exact") if name in exact else (chance.get(name, np.nan), _made(n_permutations))
        scores[name] = score_of(name, float(values[name]), intervals.get(name, (np.nan, np.nan)), expected, how)
    columns = {name: _none_for_nan(column) for name, column in found.items()}
    steps: dict[str, list[Any]] = {} if case.thresholds is None else {"threshold": case.thresholds.tolist()} | columns
    threshold = None if case.thresholds is None else float(case.thresholds[k])
    return PredictionScores(case.dag, n, scores, threshold, steps, depth, cost, levels, terms, case.remainder)


_ORDER = (
    *("precision", "recall", "f", "macro_precision", "macro_recall", "macro_f"),
    *("weighted_precision", "weighted_recall", "weighted_f", "f_max", "weighted_f_max", "s_min"),
    *("remaining_uncertainty", "misinformation", "path_accuracy", "coverage"),
    *("common_depth", "common_distance", "cost"),
)


def _made(n_permutations: int) -> str:
    """Return how a mean by chance was obtained."""
    return f"{n_permutations:,} permutations" if n_permutations else ""


def _none_for_nan(column: FloatArray) -> list[float | None]:
    """Return numbers with None for nan."""
    return [None if value != value else value for value in column.tolist()]


def _levels(case: _Case, least: int) -> tuple[PredictionLevels, dict[str, list[Any]]]:
    """Return counts at each level, and counts of each term that occurs."""
    n_terms = case.dag.n_terms
    true = np.bincount(case.truth.term, minlength=n_terms)
    other = np.bincount(case.found.term[case.found.reach >= least], minlength=n_terms)
    shared = np.zeros(n_terms, dtype=np.int64)
    kernels.count_shared(case.truth, case.found, least, shared)
    depth = _depth(case.dag)
    n_levels = int(depth.max()) + 1
    expected = true.astype(np.float64) * other / case.n_items
    sums = [group_sums(depth, column, n_levels)[1:] for column in (true, other, shared, expected)]
    held = np.flatnonzero((true > 0) | (other > 0))
    names = case.dag.names or ("",) * n_terms
    terms: dict[str, list[Any]] = {
        "term": [case.dag.terms[v] for v in held.tolist()],
        "name": [names[v] for v in held.tolist()],
        "n_true": true[held].tolist(),
        "n_predicted": other[held].tolist(),
        "n_shared": shared[held].tolist(),
        "expected_shared": expected[held].tolist(),
    }
    return PredictionLevels(np.arange(1, n_levels), *sums), terms


def _depth(dag: Dag) -> IntArray:
    """Return the level of each term: 0 for a sole root, 1 for one of several."""
    return dag.depths + (dag.roots.size > 1)


def _common_depths(case: _Case, least: int, partner: IntArray) -> IntArray:
    """Return the level of the deepest term that each item shares with the prediction of its partner; 0 if none."""
    deepest = np.zeros(case.n_items, dtype=np.int64)
    kernels.deepest_shared(case.truth, case.found, partner, least, _depth(case.dag), deepest)
    return deepest


def _true_depths(case: _Case) -> IntArray:
    """Return the level of the deepest true term of each item; 0 if there is none."""
    deepest = np.zeros(case.n_items, dtype=np.int64)
    held = np.flatnonzero(np.diff(case.truth.start))
    if held.size:
        deepest[held] = np.maximum.reduceat(_depth(case.dag)[case.truth.term], case.truth.start[held])
    return deepest


def _same_by_chance(case: _Case, least: int) -> float:
    """Return the share of pairs of an item and a prediction with the same terms, told apart by 64 random bits."""
    key = np.random.default_rng(0).integers(1 << 63, size=case.dag.n_terms, dtype=np.uint64)
    sums = []
    for side in (case.truth, case.found):
        bits = key[side.term]
        if side is case.found:
            bits[side.reach < least] = 0
        total = np.concatenate((np.zeros(1, np.uint64), np.cumsum(bits, dtype=np.uint64)))
        sums.append(total[side.start[1:]] - total[side.start[:-1]])
    values, counts = np.unique(sums[0], return_counts=True)
    others, times = np.unique(sums[1], return_counts=True)
    _, a, b = np.intersect1d(values, others, assume_unique=True, return_indices=True)
    return float((counts[a].astype(np.float64) * times[b]).sum()) / case.n_items**2


def _permuted(
    case: _Case, k: int, n_permutations: int, rng: np.random.Generator, top: IntArray, exact: dict[str, float]
) -> dict[str, float]:
    """Return the means of scores over random assignments of predictions to items."""
    every: dict[str, list[float]] = {}
    own = case.own.sum(axis=0)
    for _ in range(n_permutations):
        order = rng.permutation(case.n_items)
        found = curves(totals(case.truth, case.found, order, case.weight, case.n_thresholds), own, case.n_items)
        values = {name: float(value) for name, value in best(found).items()} | {"macro_f": float(found["macro_f"][k])}
        if "cost" not in exact:
            values["cost"] = float(kernels.hops(case.graph, case.truth, case.found, order, k + 1, top).mean())
            values["common_depth"] = float(_common_depths(case, k + 1, order).mean())
            values["common_distance"] = exact["true_depth"] - values["common_depth"]
        for name, value in values.items():
            every.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in every.items()}


def _intervals(
    case: _Case, k: int, n_draws: int, rng: np.random.Generator, of_items: Mapping[str, FloatArray | IntArray]
) -> dict[str, tuple[float, float]]:
    """Return 95 % intervals of the scores by drawing items with replacement."""
    if n_draws == 0:
        return {}
    own: FloatArray = np.column_stack((case.own, *of_items.values())).astype(np.float64)
    drawn = bootstrap(case.truth, case.found, case.weight, own, case.n_thresholds, n_draws, rng)
    found = curves(drawn.at, drawn.own, case.n_items)
    values = {name: column[:, k] for name, column in found.items()} | best(found)
    values |= {name: drawn.own[:, 4 + at] / case.n_items for at, name in enumerate(of_items)}
    return {name: _middle(column) for name, column in values.items()}


def _middle(column: FloatArray) -> tuple[float, float]:
    """Return the bounds of the middle 95 % of the values that are defined."""
    known = column[~np.isnan(column)]
    if not known.size:
        return np.nan, np.nan
    low, high = np.quantile(known, (0.025, 0.975))
    return float(low), float(high)
