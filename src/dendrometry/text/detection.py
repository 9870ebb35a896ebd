"""Detection: how often first stories are missed, and how often others are taken for first, at every threshold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, float_column
from dendrometry._check.choices import elements
from dendrometry._check.numbers import real_number
from dendrometry._display import plain_signature
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray
from dendrometry.errors import InvalidInputError


@plain_signature
class DetectionPoint(NamedTuple):
    """The errors at one threshold.

    Attributes
    ----------
    threshold : float
        The least score that counts as a detection.
    miss : float
        The share of targets below the threshold.
    false_alarm : float
        The share of others that reach the threshold.
    cost : float
        The normalised cost of both.
    """

    threshold: float
    miss: float
    false_alarm: float
    cost: float


@dataclass(frozen=True, eq=False, repr=False)
class DetectionCurve(Frozen, Tabular):
    """The errors at every threshold, from infinity, where nothing is detected, down to the least score.

    Attributes
    ----------
    threshold : (n,) array of float
        Infinity, then the distinct scores, descending.
    miss : (n,) array of float
        The share of targets below each threshold, from 1 to 0.
    false_alarm : (n,) array of float
        The share of others that reach each threshold, from 0 to 1.
    cost : (n,) array of float
        The normalised cost at each threshold; see `detection_curve`.
    """

    threshold: FloatArray
    miss: FloatArray
    false_alarm: FloatArray
    cost: FloatArray

    @property
    def least(self) -> DetectionPoint:
        """The threshold of least cost, the highest of equal ones; a cost of 1 is that of detecting nothing."""
        return self._point(int(np.argmin(self.cost)))

    def at(self, threshold: float) -> DetectionPoint:
        """Return the errors at a threshold, which need not be one of the scores."""
        least = real_number(threshold, "threshold", finite=False)
        found = self._point(int(np.searchsorted(-self.threshold, -least, side="right")) - 1)
        return found._replace(threshold=least)

    def columns(self) -> dict[str, list[Any]]:
        """Return the curve as columns, a row for each threshold."""
        return {name: getattr(self, name).tolist() for name in ("threshold", "miss", "false_alarm", "cost")}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each threshold."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        least = self.least
        return f"DetectionCurve(least cost {least.cost:.3f} at {least.threshold:.3g})"

    def _point(self, at: int) -> DetectionPoint:
        columns = (self.threshold, self.miss, self.false_alarm, self.cost)
        return DetectionPoint(*(float(column[at]) for column in columns))


def detection_curve(
    scores: Iterable[float],
    is_target: Iterable[bool],
    *,
    weights: Iterable[float] | None = None,
    miss_cost: float = 1.0,
    false_alarm_cost: float = 0.1,
    target_share: float = 0.02,
) -> DetectionCurve:
    """Return how often targets are missed and others are detected, at every threshold of a score.

    For first stories, the score is the novelty and the targets are the first stories of known topics. The cost is that
    of the evaluations of topic detection and tracking [1]_: ``miss_cost * miss * target_share + false_alarm_cost *
    false_alarm * (1 - target_share)``, divided by the cost of the better of two detectors that do not look: one that
    detects nothing, and one that detects everything. With the constants of these evaluations, which are the defaults,
    that is ``miss + 4.9 * false_alarm``.

    Parameters
    ----------
    scores : (n,) array-like of float
        The score of each document; higher for what is more likely a target.
    is_target : (n,) array-like of bool
        Whether each is a target; there must be both kinds.
    weights : (n,) array-like of float, optional
        How much each counts among its kind, by default all the same. To weight topics equally, as in the evaluations, a
        document of a topic with m others has the weight 1 / m.
    miss_cost, false_alarm_cost : float
        The cost of a miss and of a false alarm, above 0.
    target_share : float
        The share of targets that is expected where the detector is used, between 0 and 1.

    Returns
    -------
    DetectionCurve
        0 is the least cost, of a detector without errors; the one of least cost is at most 1.

    Raises
    ------
    InvalidInputError
        If the columns differ in length, there are no targets or no others, or a number is out of range.

    References
    ----------
    .. [1] J. G. Fiscus and G. R. Doddington, "Topic detection and tracking evaluation overview", in J. Allan (ed.),
       Topic Detection and Tracking, Kluwer, 2002. doi:10.1007/978-1-4615-0933-2_2
    .. [2] A. Martin et al., "The DET curve in assessment of detection task performance", Eurospeech, 1997.

    Examples
    --------
    >>> from dendrometry.text import detection_curve
    >>> curve = detection_curve([0.9, 0.8, 0.3, 0.2], [True, False, True, False])
    >>> curve.miss, curve.false_alarm
    (array([1. , 0.5, 0.5, 0. , 0. ]), array([0. , 0. , 0.5, 0.5, 1. ]))
    >>> curve.least
    DetectionPoint(threshold=0.9, miss=0.5, false_alarm=0.0, cost=0.5)
    """
    score = float_column(scores, "scores")
    target = _targets(is_target, score.size)
    weight = np.ones(score.size) if weights is None else _weights(weights, target)
    ratio = _ratio(miss_cost, false_alarm_cost, target_share)
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(score[order][1:] != score[order][:-1]), score.size - 1)
    found = [np.cumsum(np.where(kind, weight, 0.0)[order])[ends] for kind in (target, ~target)]
    hit, alarm = (np.concatenate([[0.0], total / total[-1]]) for total in found)
    cost = ((1.0 - hit) + ratio * alarm) / min(1.0, ratio)
    return DetectionCurve(np.concatenate([[np.inf], score[order][ends]]), 1.0 - hit, alarm, cost)


def _targets(values: Iterable[Any], n: int) -> BoolArray:
    """Return which documents are targets, refusing all or none of them."""
    given = [int(value) if isinstance(value, bool | np.bool_) else value for value in elements(values, "is_target")]
    column = float_column(given, "is_target")
    if column.size != n:
        raise InvalidInputError(f"is_target must be one for each of {n:,} scores; got {column.size:,}")
    if not np.isin(column, (0.0, 1.0)).all():
        raise InvalidInputError("is_target must hold booleans, or 0 and 1")
    target: BoolArray = column == 1.0
    if target.all() or not target.any():
        raise InvalidInputError(f"there must be targets and others; got {target.sum():,} targets of {n:,}")
    return target


def _weights(values: Iterable[float], target: BoolArray) -> FloatArray:
    """Return how much each document counts, the largest 1, refusing weights below 0 and kinds without any."""
    weight = float_column(values, "weights")
    if weight.size != target.size:
        raise InvalidInputError(f"weights must be one for each of {target.size:,} scores; got {weight.size:,}")
    if (weight < 0.0).any() or not weight[target].any() or not weight[~target].any():
        raise InvalidInputError("weights must be at least 0, and some of targets and of others above 0")
    scaled: FloatArray = weight / weight.max()
    return scaled


def _ratio(miss_cost: float, false_alarm_cost: float, target_share: float) -> float:
    """Return what false alarms cost if all others are detected, in units of what misses cost if all are missed."""
    for_miss = real_number(miss_cost, "miss_cost", above=0.0)
    for_alarm = real_number(false_alarm_cost, "false_alarm_cost", above=0.0)
    share = real_number(target_share, "target_share", above=0.0, below=1.0)
    ratio = (for_alarm / for_miss) * ((1.0 - share) / share)
    if not 1e-100 < ratio < 1e100:
        raise InvalidInputError(
            f"misses and false alarms must have costs that can be compared; their ratio is {ratio:g}"
        )
    return ratio
