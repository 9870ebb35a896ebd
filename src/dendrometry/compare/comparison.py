"""Comparison: everything that was measured between two hierarchies, ready to be read, shown or stored."""

import html
import json
from dataclasses import dataclass
from math import isinf
from typing import Any, ClassVar, Literal, NamedTuple

from dendrometry.compare.item_disagreement import ItemDisagreement
from dendrometry.compare.matches import Matches
from dendrometry.compare.registry import MEASURES, Measure
from dendrometry.compare.score import Score
from dendrometry.compare.stages import Stages
from dendrometry.display import plural, shown

__all__ = ["Comparison", "Line"]


class Line(NamedTuple):
    """One measure of a comparison: its score, or the reason why it has none."""

    name: str
    score: Score | None
    reason: str

    @property
    def measure(self) -> Measure:
        """What is true of the measure in general."""
        return MEASURES[self.name]

    @property
    def value(self) -> float | None:
        """The value, or None where the measure does not apply."""
        return None if self.score is None else self.score.value

    @property
    def expected(self) -> float | None:
        """The mean over all relabellings of the items, or None where there is no formula."""
        return None if self.score is None else self.score.expected

    @property
    def adjusted(self) -> float | None:
        """1 for identical trees, 0 as by chance; None where that has no meaning."""
        return None if self.score is None else self.score.adjusted

    @property
    def sentence(self) -> str:
        """What the value says, in one sentence."""
        if self.score is None:
            return f"Not measured: {self.reason}."
        says = f"{self.measure.says[0].upper()}{self.measure.says[1:]}: {self.score.value:.4g}"
        if self.score.value == self.measure.identical:
            return f"{says}, as for identical trees."
        if self.score.adjusted is None:
            return f"{says}."
        if self.score.adjusted < 0:
            return f"{says}, no more alike than by chance."
        return f"{says}, {self.score.adjusted:.0%} of the way from chance to identical trees."

    def cells(self) -> tuple[str, ...]:
        """Return the line as short text, one cell for each of `Comparison.HEAD`."""
        numbers = ("" if x is None else f"{x:.6g}" for x in (self.value, self.expected, self.adjusted))
        return (self.name, *numbers, f"{self.measure.lower:g} to {self.measure.upper:g}", self.measure.better)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The result of `compare`: print it, show it in a notebook, or turn it into a table or JSON.

    Attributes
    ----------
    n_items : int
        The number of items compared.
    left_out : pair of int
        How many items of the first and of the second tree the other one lacks; (0, 0) unless asked for.
    ties, inversions : pairs of int
        Merges that share their height with another, and nodes that lie lower than a child, in either tree.
    classes : {"occupied", "all"}
        Which nodes of the first tree `hierarchical_f` took as classes.
    lines : tuple of Line
        The measures, in the order of the registry; ``comparison["hierarchy_agreement"]`` picks one.
    stages : Stages or None
        The series over the number of groups (ties merge together), where the trees have heights.
    item_disagreement : ItemDisagreement or None
        The part of every item in ``1 - hierarchy_agreement``, where the items are listed.
    matches : Matches or None
        The best match of every cluster of the first tree, unless that would take very long.
    """

    HEAD: ClassVar[tuple[str, ...]] = ("measure", "value", "by chance", "adjusted", "range", "more alike")

    n_items: int
    left_out: tuple[int, int]
    ties: tuple[int, int]
    inversions: tuple[int, int]
    classes: Literal["occupied", "all"]
    lines: tuple[Line, ...]
    stages: Stages | None
    item_disagreement: ItemDisagreement | None
    matches: Matches | None

    def __getitem__(self, name: str) -> Line:
        """Return the line of one measure."""
        for line in self.lines:
            if line.name == name:
                return line
        raise KeyError(f"no measure {name!r}; there are {', '.join(line.name for line in self.lines)}")

    def facts(self) -> list[str]:
        """Return what the measures stand on: items, those left out, ties, inversions, variants, odd items."""
        facts = [f"{plural(self.n_items, 'item')} compared"]
        if any(self.left_out):
            facts.append(f"left out: {self.left_out[0]:,} of the first tree, {self.left_out[1]:,} of the second")
        facts.append(f"merges tied in height: {self.ties[0]:,} and {self.ties[1]:,}, taken together")
        if any(self.inversions):
            facts.append(f"heights are not monotone: {self.inversions[0]:,} and {self.inversions[1]:,} inversions")
        which = "nodes that own items" if self.classes == "occupied" else "all nodes"
        facts.append(f"classes of hierarchical_f: {which} of the first tree")
        worst = [] if self.item_disagreement is None else self.item_disagreement.worst(5)
        names = [f"{shown(name)} ({value:.2g})" for name, value in worst if value > 0]
        if names:
            facts.append(f"most disagreement about: {', '.join(names)}")
        return facts

    def __str__(self) -> str:
        rows = [self.HEAD, *(line.cells() for line in self.lines if line.score is not None)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        missing = [f"{line.name}: {line.reason}" for line in self.lines if line.score is None]
        return "\n".join([*table, "", *self.facts(), *missing])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in (*self.HEAD, "what it says"))
        rows = ["".join(f"<td>{html.escape(c)}</td>" for c in (*line.cells(), line.sentence)) for line in self.lines]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        under = "".join(f"<li>{html.escape(note)}</li>" for note in self.facts())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><ul>{under}</ul>"

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each measure."""
        import pandas as pd

        return pd.DataFrame([_record(line) for line in self.lines]).set_index("measure")

    def to_json(self) -> str:
        """Return the measures, what they stand on, and the ten items of most disagreement as JSON text."""
        worst = [] if self.item_disagreement is None else self.item_disagreement.worst(10)
        content = {
            "n_items": self.n_items,
            "left_out": list(self.left_out),
            "ties": list(self.ties),
            "inversions": list(self.inversions),
            "classes": self.classes,
            "measures": [_record(line) for line in self.lines],
            "most_disagreement": [{"item": name, "value": value} for name, value in worst],
            "clusters": None if self.matches is None else len(self.matches),
            "clusters_found": None if self.matches is None else int((self.matches.f == 1.0).sum()),
        }
        return json.dumps(content, indent=2, allow_nan=False)


def _record(line: Line) -> dict[str, Any]:
    """Return one measure as plain values."""
    measure = line.measure
    return {
        "measure": line.name,
        "value": line.value,
        "expected": line.expected,
        "adjusted": line.adjusted,
        "lower": measure.lower,
        "upper": None if isinf(measure.upper) else measure.upper,
        "better": measure.better,
        "reason": line.reason or None,
        "sentence": line.sentence,
    }
