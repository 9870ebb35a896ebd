"""Line: one measure of a comparison, with its score or the reason why it is undefined."""

from __future__ import annotations

from math import isinf
from typing import Any, NamedTuple

from dendrometry._display import plain_signature
from dendrometry._html import Bar
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES
from dendrometry.measures.score import Score

__all__ = ["Line", "line_of"]

_SAME = {"trees": "identical trees", "partitions": "the same partition"}


@plain_signature
class Line(NamedTuple):
    """One measure of a comparison: its score, or the reason why it is undefined."""

    name: str
    score: Score | None
    reason: str = ""

    @property
    def measure(self) -> Measure:
        """The general properties of the measure."""
        return MEASURES[self.name]

    @property
    def value(self) -> float | None:
        """The value, or None if the measure does not apply."""
        return None if self.score is None else self.score.value

    @property
    def expected(self) -> float | None:
        """The mean over all relabellings of the items, or None if no formula is known."""
        return None if self.score is None else self.score.expected

    @property
    def adjusted(self) -> float | None:
        """The value rescaled to 1 for identical trees or partitions and 0 for chance; None if that is undefined."""
        return None if self.score is None else self.score.adjusted

    @property
    def sentence(self) -> str:
        """The meaning of the value, in one sentence."""
        if self.score is None:
            return f"Not measured: {self.reason}."
        measure, same = self.measure, _SAME[self.measure.of]
        value, expected, adjusted = self.score
        says = f"{measure.says[0].upper()}{measure.says[1:]}: {value:.4g}"
        if value == measure.identical:
            return f"{says}, as for {same}."
        if adjusted is None:
            return f"{says}." if expected is None else f"{says}, by chance {expected:.4g}."
        if value == expected == measure.lower:  # every relabelling has this value
            return f"{says}, as for any labelling of the items."
        if adjusted < 0:
            return f"{says}, no more alike than by chance."
        return f"{says}, {adjusted:.0%} of the way from chance to {same}."

    def cells(self) -> tuple[str, ...]:
        """Return the line as short text, one cell for each of `Comparison.HEAD`."""
        numbers = ("" if x is None else f"{x:.6g}" for x in (self.value, self.expected, self.adjusted))
        return (self.name, *numbers, self.measure.span, self.measure.better)

    def row(self) -> tuple[str | Bar, ...]:
        """Return the line as a row for a notebook, with fewer cells if there is no value."""
        if self.value is None:
            return self.name, self.sentence
        bar = Bar(self.value, self.measure.lower, self.measure.upper, self.expected)
        return *self.cells()[:4], bar, self.sentence

    def record(self) -> dict[str, Any]:
        """Return the line as plain values."""
        measure = self.measure
        return {
            "measure": self.name,
            "value": self.value,
            "expected": self.expected,
            "adjusted": self.adjusted,
            "lower": measure.lower,
            "upper": None if isinf(measure.upper) else measure.upper,
            "better": measure.better,
            "reason": self.reason or None,
            "sentence": self.sentence,
        }


def line_of(measure: Measure, readings: Any) -> Line:
    """Return the line of one measure, computed from shared intermediate results: its score, or why it is undefined."""
    if measure.cost is not None and not readings.affords(measure.cost(readings)):
        return Line(measure.name, None, f"{measure.slow} would take very long; {measure.name}() does it all the same")
    try:
        return Line(measure.name, measure.score(readings))
    except UndefinedMeasureError as error:
        return Line(measure.name, None, str(error))
