"""Line: one measure of a comparison, with its score or the reason why it is undefined; MeasureTable: all of them."""

from __future__ import annotations

from math import isinf
from typing import Any, NamedTuple

from dendrometry._display import name_trees, percent, plain_signature
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.permutation_test import p_text
from dendrometry.errors import UndefinedMeasureError, phrase
from dendrometry.measures.duration import duration_text
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES
from dendrometry.measures.score import Score

NO_FORMULA = "no formula for chance, comparison.expected_by_chance() estimates it"
_SAME = {"trees": "identical trees", "partitions": "the same partition"}


@plain_signature
class Line(NamedTuple):
    """One measure of a comparison, of trees that may be unrooted: its score, or the reason why it is undefined."""

    name: str
    score: Score | None
    reason: str = ""
    unrooted: bool = False

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
        """The mean over all relabellings of the items, for a root the root mean square; None if no formula is known."""
        return None if self.score is None else self.score.expected

    @property
    def adjusted(self) -> float | None:
        """The value rescaled to 1 for identical trees or partitions and 0 for chance; None if that is undefined."""
        return None if self.score is None else self.score.adjusted

    @property
    def caveat(self) -> str:
        """Why the value is not informative for these trees: it is undefined, or the same for any labelling; else ""."""
        if self.score is None:
            return self.reason
        value, expected, _ = self.score
        ends = {self.measure.lower, self.measure.upper} - {self.measure.identical}
        if value == expected and value in ends:  # the mean lies at an end only if every relabelling does
            return f"{value:.4g} for any labelling of the items"
        return ""

    @property
    def sentence(self) -> str:
        """The meaning of the value, in one sentence."""
        return self.tell("the first tree", "the second tree")

    def tell(self, a: str, b: str) -> str:
        """Return the meaning of the value in one sentence, with the names of the two trees."""
        if self.score is None:
            return f"Not measured: {self.reason}."
        measure, same = self.measure, _SAME[self.measure.of]
        value, expected, adjusted = self.score
        meaning = measure.describe(a, b, unrooted=self.unrooted)
        text = f"{meaning[0].upper()}{meaning[1:]}: {value:.4g}"
        if value == measure.identical:
            return f"{text}, as for {same}."
        if adjusted is None:
            return f"{text}." if expected is None else f"{text}, by chance {expected:.4g}."
        if self.caveat:
            return f"{text}, as for any labelling of the items."
        if adjusted < 0:
            return f"{text}, no more alike than by chance."
        return f"{text}, {percent(adjusted)} of the way from chance to {same}."

    def numbers(self) -> tuple[str, ...]:
        """Return the name, the value, its expectation by chance and the adjusted value as short text."""
        return (self.name, *("" if x is None else f"{x:.6g}" for x in (self.value, self.expected, self.adjusted)))

    def scale(self) -> tuple[str, str]:
        """Return the range of the measure, and the direction of greater similarity."""
        measure = self.measure
        reached = measure.unrooted.reached if self.unrooted and measure.unrooted else ""
        return reached or measure.span, measure.better

    def record(self, a: str, b: str) -> dict[str, Any]:
        """Return the line as plain values; its sentence names the two trees."""
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
            "sentence": self.tell(a, b),
        }


def line_of(measure: Measure, statistics: Any, names: tuple[str, str]) -> Line:
    """Return the line of one measure, computed from shared intermediate results: its score, or why it is undefined.

    ``names`` are those of the two trees in the reason.
    """
    try:
        exceeded = "" if measure.limit is None else measure.limit(statistics)
        return Line(measure.name, None, exceeded) if exceeded else _affordable_line(measure, statistics)
    except UndefinedMeasureError as error:
        return Line(measure.name, None, phrase(name_trees(error.args, names)))


def _affordable_line(measure: Measure, statistics: Any) -> Line:
    """Return the line of a measure within its limits, or that it would take too long."""
    steps = 0 if measure.cost is None else measure.cost(statistics)
    if steps and not statistics.affords(steps):
        text = f"{measure.slow} would take {duration_text(steps)}; {measure.name}() does it all the same"
        return Line(measure.name, None, text)
    return Line(measure.name, measure.score(statistics))


class MeasureTable(NamedTuple):
    """The lines of a comparison for display, and the p-values known; ``shows_p`` gives them a column in `rows`."""

    lines: tuple[Line, ...]
    names: tuple[str, str]
    chance: Chance
    shows_p: bool

    @property
    def informative(self) -> list[Line]:
        """The measures that are informative for the two trees."""
        return [line for line in self.lines if not line.caveat]

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns of `rows`."""
        return ("measure", "value", "by chance", "adjusted", *self.p_column("p"), "range", "more alike")

    def rows(self) -> list[tuple[str, ...]]:
        """Return the informative measures as short text, one row for each."""
        return [(*line.numbers(), *self.p_cell(line), *line.scale()) for line in self.informative]

    @property
    def footnote(self) -> str:
        """How to get the means by chance that have no formula, "" if all that are informative have one."""
        names = ", ".join(line.name for line in self.informative if line.expected is None)
        return f"{NO_FORMULA}: {names}" if names else ""

    def uninformative(self) -> list[str]:
        """Return the measures that are not informative here, with the reason; those of one reason together."""
        reasons = dict.fromkeys(line.caveat for line in self.lines if line.caveat)
        together = {reason: [line.name for line in self.lines if line.caveat == reason] for reason in reasons}
        return [f"{', '.join(names)}: {reason}" for reason, names in together.items()]

    def p_column(self, cell: str) -> tuple[str, ...]:
        """Return a cell of the column of p-values, or nothing if there is no such column."""
        return (cell,) if self.shows_p else ()

    def p_cell(self, line: Line) -> tuple[str, ...]:
        """Return the p-value of a line as text, empty if it was not tested, or nothing if there is no such column."""
        p = self.chance.p_value.get(line.name)
        return self.p_column("" if p is None else p_text(p, self.chance.n))

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary of plain values for each measure, with its p-value, or None if it was not tested."""
        p_value = self.chance.p_value
        return [line.record(*self.names) | {"p_value": p_value.get(line.name)} for line in self.lines]
