"""The result of scoring predictions: each score beside chance, with an interval, by level, threshold and term."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._display import percent, plain_signature, plural
from dendrometry._extras import require
from dendrometry._html import note, preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures.score import adjust


@plain_signature
class PredictionScore(NamedTuple):
    """A score: its value, a 95 % interval by bootstrap over the items, and its mean by chance.

    ``chance`` says how the mean was obtained: "exact", the number of permutations, or "" if there is none. ``value``
    is None if the score is undefined, ``adjusted`` if chance or the score is, or if chance is perfect.
    """

    value: float | None
    lower: float | None
    upper: float | None
    expected: float | None
    adjusted: float | None
    chance: str


@dataclass(frozen=True, eq=False, repr=False)
class PredictionLevels(Frozen, Tabular):
    """Counts and costs at each depth below the root, from 1 on.

    Attributes
    ----------
    depth : (n_levels,) array of int
        The depths.
    n_true, n_predicted : (n_levels,) array of int
        The number of items whose true or predicted node is at this depth or deeper.
    n_shared : (n_levels,) array of int
        The number of items whose true and predicted nodes have the same ancestor at this depth.
    expected_shared : (n_levels,) array of float
        The mean of ``n_shared`` over all relabellings of the items, exact.
    """

    depth: IntArray
    n_true: IntArray
    n_predicted: IntArray
    n_shared: IntArray
    expected_shared: FloatArray

    @property
    def precision(self) -> list[float | None]:
        """The share of the predicted ancestors at each depth that are true; None if there are none."""
        return _ratios(self.n_shared, self.n_predicted)

    @property
    def recall(self) -> list[float | None]:
        """The share of the true ancestors at each depth that are predicted; None if there are none."""
        return _ratios(self.n_shared, self.n_true)

    @property
    def f(self) -> list[float | None]:
        """The harmonic mean of precision and recall at each depth; None if there are neither."""
        return _ratios(2 * self.n_shared, self.n_true + self.n_predicted)

    @property
    def expected_f(self) -> list[float | None]:
        """The mean of `f` over all relabellings of the items, exact."""
        return _ratios(2.0 * self.expected_shared, self.n_true + self.n_predicted)

    @property
    def cost(self) -> IntArray:
        """The number of edges from this depth up that lie between true and predicted nodes, over all items."""
        return self.n_true + self.n_predicted - 2 * self.n_shared

    @property
    def expected_cost(self) -> FloatArray:
        """The mean of `cost` over all relabellings of the items, exact."""
        return self.n_true + self.n_predicted - 2.0 * self.expected_shared

    @property
    def adjusted_cost(self) -> list[float | None]:
        """1 - cost / expected cost: 1 without errors, 0 as by chance; None where no relabelling has a cost."""
        return [adjust(x, y, 0.0) for x, y in zip(self.cost.tolist(), self.expected_cost.tolist(), strict=True)]

    def columns(self) -> dict[str, list[Any]]:
        """Return the levels as columns."""
        counts = ("depth", "n_true", "n_predicted", "n_shared", "expected_shared")
        shares = ("precision", "recall", "f", "expected_f")
        return (
            {name: getattr(self, name).tolist() for name in counts}
            | {name: getattr(self, name) for name in shares}
            | {name: getattr(self, name).tolist() for name in ("cost", "expected_cost")}
            | {"adjusted_cost": self.adjusted_cost}
        )

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each depth; undefined values are nan."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        undefined = ("precision", "recall", "f", "expected_f", "adjusted_cost")
        return pd.DataFrame(self.columns()).astype(dict.fromkeys(undefined, float))

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        return f"PredictionLevels({plural(self.depth.size, 'level')}, cost {self.cost.sum():,})"


@dataclass(frozen=True, eq=False, repr=False)
class PredictionScores(Frozen, Tabular):
    """How well predicted terms of a taxonomy agree with the true ones, beside chance.

    Adjusted values are 1 for right predictions and 0 for those of chance; None if every relabelling is right.

    Attributes
    ----------
    dag : Dag
        The taxonomy.
    n_items : int
        The number of items.
    scores : mapping from str to PredictionScore
        The scores by name; `explain` says what each is.
    threshold : float or None
        The threshold at which all scores but the best over thresholds are taken, that of ``f_max``; None if labels have
        no scores.
    thresholds : dict of columns
        Every score at every threshold; `thresholds_to_frame` gives a frame.
    common_depth : (n_items,) array of int
        The level of the deepest term that is above both a true and a predicted one; 0 if there is none.
    cost : (n_items,) array of float
        The number of edges (hops) between the true and the predicted term of each item; of several, the mean over both
        sides of those to the nearest of the other side. An item without a term stands at the top.
    levels : PredictionLevels
        Counts and costs at each level, the most edges from a root.
    terms : dict of columns
        For each term that is true or predicted: in how many items it is true, predicted and both.
    remainder : mapping from str to int
        What was left out or is empty, by what it is; every count is shown.
    """

    dag: Dag
    n_items: int
    scores: Mapping[str, PredictionScore]
    threshold: float | None
    thresholds: dict[str, list[Any]]
    common_depth: IntArray
    cost: FloatArray
    levels: PredictionLevels
    terms: dict[str, list[Any]]
    remainder: Mapping[str, int]

    def __getitem__(self, name: str) -> PredictionScore:
        """Return a score by its name, such as "f_max"."""
        return self.scores[one_of(name, "name", self.scores)]

    @property
    def precision(self) -> float:
        """Hierarchical precision: the share of predicted ancestors that are true."""
        return self._defined("precision")

    @property
    def recall(self) -> float:
        """Hierarchical recall: the share of true ancestors that are predicted."""
        return self._defined("recall")

    @property
    def f(self) -> float:
        """The harmonic mean of hierarchical precision and recall."""
        return self._defined("f")

    @property
    def verdict(self) -> str:
        """What the scores say, in one or two sentences."""
        f = self.scores["f"]
        if f.value is None:
            return "Neither true nor predicted terms lie below the root, so that nothing can be scored."
        at = "" if self.threshold is None else f" at the threshold {self.threshold:g}"
        text = (
            f"The predictions find {_share(self, 'recall')} of the true ancestors, and {_share(self, 'precision')} of"
        )
        text += f" those predicted are true{at}: F {f.value:.3f}"
        text += "" if f.lower is None else f" ({f.lower:.3f} to {f.upper:.3f})"
        if f.expected is not None:
            text += f", {f.expected:.3f} by chance"
        left = ", ".join(_counted(count, what) for what, count in self.remainder.items() if count)
        return f"{text}." + (f" Counted apart: {left}." if left else "")

    def explain(self) -> dict[str, str]:
        """Return what each score is, by its name."""
        return {name: _MEANING[name] for name in self.scores}

    def _defined(self, name: str) -> float:
        value = self.scores[name].value
        if value is None:
            which = {"precision": "predicted", "recall": "true"}.get(name, "true or predicted")
            raise UndefinedMeasureError(f"a {which} node must lie below the root; all are the root itself")
        return value

    def columns(self) -> dict[str, list[Any]]:
        """Return each score as columns; undefined values are None."""
        fields = PredictionScore._fields
        return {"score": list(self.scores)} | {
            name: [getattr(score, name) for score in self.scores.values()] for name in fields
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each score; undefined values are nan."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        numbers = dict.fromkeys(("value", "lower", "upper", "expected", "adjusted"), float)
        return pd.DataFrame(self.columns()).set_index("score").astype(numbers)

    def thresholds_to_frame(self) -> Any:
        """Return a pandas DataFrame with every score at every threshold."""
        pd = require("pandas", extra="tables", for_="thresholds_to_frame()")
        return pd.DataFrame(self.thresholds)

    def terms_to_frame(self) -> Any:
        """Return a pandas DataFrame with the counts of each term that is true or predicted."""
        pd = require("pandas", extra="tables", for_="terms_to_frame()")
        return pd.DataFrame(self.terms).set_index("term")

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns()) + note(self.verdict)

    def __repr__(self) -> str:
        def text(name: str) -> str:
            value = self.scores[name].value
            return "undefined" if value is None else f"{value:.4g}"

        expected = self.scores["f"].expected
        chance = "" if expected is None else f" ({expected:.4g} by chance)"
        values = f"precision {text('precision')}, recall {text('recall')}, F {text('f')}{chance}"
        return f"PredictionScores({plural(self.n_items, 'item')}, {values}, mean cost {self.cost.mean():.4g})"


def score_of(name: str, value: float, interval: tuple[float, float], expected: float, chance: str) -> PredictionScore:
    """Return a score from numbers, of which nan is none."""
    low, high, mean = _number(interval[0]), _number(interval[1]), _number(expected)
    found = _number(value)
    if found is None:
        return PredictionScore(None, None, None, None, None, "")
    adjusted = None if mean is None else adjust(found, mean, 0.0 if name in LEAST_IS_BEST else 1.0)
    unadjusted = name in ("common_depth", "coverage")
    return PredictionScore(found, low, high, mean, None if unadjusted else adjusted, chance if mean is not None else "")


def _ratios(part: IntArray | FloatArray, whole: IntArray) -> list[float | None]:
    """Return part / whole, None where the whole is 0."""
    return [x / y if y else None for x, y in zip(part.tolist(), whole.tolist(), strict=True)]


def _number(value: float) -> float | None:
    """Return a number, or None for nan."""
    return None if math.isnan(value) else float(value) + 0.0


def _share(found: PredictionScores, name: str) -> str:
    """Return a share in percent, or that there is none."""
    value = found.scores[name].value
    return "none" if value is None else percent(value)


LEAST_IS_BEST = frozenset({"remaining_uncertainty", "misinformation", "s_min", "common_distance", "cost"})
_MEANING = {
    "precision": "share of predicted ancestors that are true, over all items (micro)",
    "recall": "share of true ancestors that are predicted, over all items (micro)",
    "f": "harmonic mean of precision and recall (micro)",
    "macro_precision": "mean precision of the items with a prediction",
    "macro_recall": "mean recall of the items with a true term",
    "macro_f": "mean F of the items with a true term",
    "weighted_precision": "precision (micro), each term weighted by its information",
    "weighted_recall": "recall (micro), each term weighted by its information",
    "weighted_f": "harmonic mean of weighted precision and recall",
    "f_max": "greatest harmonic mean of macro precision and recall over the thresholds",
    "weighted_f_max": "the same, each term weighted by its information",
    "s_min": "least distance sqrt(ru² + mi²) over the thresholds, in bits per item",
    "remaining_uncertainty": "ru: information of true terms that are not predicted, in bits per item",
    "misinformation": "mi: information of predicted terms that are not true, in bits per item",
    "path_accuracy": "share of items whose predicted ancestors are exactly the true ones",
    "coverage": "share of items with a prediction",
    "common_depth": "mean level of the deepest term above both a true and a predicted one",
    "common_distance": "mean levels from the deepest true term up to that term",
    "cost": "mean edges (hops) between true and predicted terms",
}


def _counted(count: int, what: str) -> str:
    """Return a count of what is left, such as "1 item without a true term" or "2 unknown true labels"."""
    one = what.replace("items", "item").replace("labels", "label")
    return f"{count:,} {one if count == 1 else what}"
