"""Comparison: everything that was measured between two hierarchies, ready to be read, shown or stored."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import isinf
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._display import plural, printable
from dendrometry.comparison.item_disagreement import ItemDisagreement, disagreement_by_size
from dendrometry.errors import UndefinedMeasureError
from dendrometry.levels.stages import Stages, stages_of_walk
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES
from dendrometry.measures.score import Score
from dendrometry.measures.trees.hierarchical_f import classes_of
from dendrometry.overlap import Overlap
from dendrometry.walk.matches import Matches
from dendrometry.walk.pair import Tree
from dendrometry.walk.readings import Readings

__all__ = ["Comparison", "Line"]

_MOST_STAGES = 100_000_000  # whose columns take about 5 GB


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
        if self.score.value == self.score.expected == self.measure.lower:  # all relabellings give it
            return f"{says}, as for these two trees whatever the items are called."
        if self.score.adjusted < 0:
            return f"{says}, no more alike than by chance."
        return f"{says}, {self.score.adjusted:.0%} of the way from chance to identical trees."

    def cells(self) -> tuple[str, ...]:
        """Return the line as short text, one cell for each of `Comparison.HEAD`."""
        numbers = ("" if x is None else f"{x:.6g}" for x in (self.value, self.expected, self.adjusted))
        return (self.name, *numbers, self.measure.span, self.measure.better)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Frozen):
    """The result of `compare`: print it, show it in a notebook, or turn it into a table or JSON.

    The lines are computed at once; stages, parts of items and matches when they are first asked for.

    Attributes
    ----------
    n_items : int
        The number of items compared.
    left_out : pair of int
        How many items of the first and of the second tree the other one lacks; (0, 0) unless asked for.
    ties, inversions : pairs of int or None
        Merges that share their height with another, and nodes that lie lower than a child, in either tree; None for a
        tree without heights.
    classes : {"occupied", "all"}
        Which nodes of the first tree `hierarchical_f` takes as classes.
    lines : tuple of Line
        The measures, in the order of the registry; ``comparison["hierarchy_agreement"]`` picks one.
    stages : Stages or None
        The series over the number of groups (ties merge together), where the trees have heights and at most 100,000,000
        items.
    item_disagreement : ItemDisagreement or None
        The part of every item in ``1 - hierarchy_agreement``, where the items are listed.
    matches : Matches or None
        The best match of every cluster of the first tree, unless that would take very long.
    """

    HEAD: ClassVar[tuple[str, ...]] = ("measure", "value", "by chance", "adjusted", "range", "more alike")

    overlap: Overlap
    readings: Readings
    lines: tuple[Line, ...]

    @property
    def n_items(self) -> int:
        """The number of items compared."""
        return self.readings.pair.n_items

    @property
    def left_out(self) -> tuple[int, int]:
        """How many items of the first and of the second tree the other one lacks."""
        return self.overlap.left_out

    @cached_property
    def ties(self) -> tuple[int | None, int | None]:
        """Merges that share their height with another merge, in either tree."""
        return _n_tied(self.readings.pair.a), _n_tied(self.readings.pair.b)

    @cached_property
    def inversions(self) -> tuple[int | None, int | None]:
        """Nodes that lie lower than a child of theirs, in either tree."""
        return _n_inverted(self.readings.pair.a), _n_inverted(self.readings.pair.b)

    @property
    def classes(self) -> Literal["occupied", "all"]:
        """Which nodes of the first tree are classes."""
        return classes_of(self.readings.pair)

    @cached_property
    def stages(self) -> Stages | None:
        """The series over the number of groups."""
        if self.n_items > _MOST_STAGES:
            return None
        try:
            return stages_of_walk(self.readings.by_rank, "together")
        except UndefinedMeasureError:
            return None

    @cached_property
    def item_disagreement(self) -> ItemDisagreement | None:
        """The part of every item."""
        return disagreement_by_size(self.overlap, self.readings.by_size) if self.overlap.items else None

    @cached_property
    def matches(self) -> Matches | None:
        """The best match of every cluster of the first tree."""
        return None if self.readings.too_deep else replace(self.readings.matches, overlap=self.overlap)

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the measures."""
        return (line.name for line in self.lines)

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
        if self.ties == (None, None):
            facts.append("neither tree has heights")
        else:
            facts.append(f"merges tied in height, taken together: {_both(self.ties)}")
        if any(self.inversions):
            facts.append(f"heights are not monotone; inversions: {_both(self.inversions)}")
        if self._asked("hierarchical_f"):
            which = "nodes that own items" if self.classes == "occupied" else "all nodes"
            facts.append(f"classes of hierarchical_f: {which} of the first tree")
        names = [f"{printable(name)} ({value:.2g})" for name, value in self._worst(5) if value > 0]
        if names:
            facts.append(f"most disagreement about: {', '.join(names)}")
        return facts

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        names: tuple[str, str] = ("first tree", "second tree"),
        force: bool = False,
        progress: bool = False,
    ) -> None:
        """Write the comparison as one HTML page: how alike, at which level, where, and how it was made.

        The page holds all it needs and asks nothing of any network. It is drawn for up to 250,000 items; beyond, the
        measures and curves are there without the trees. The p-values are those of `permutation_test` with ``rng=0`` and
        a number of relabellings that depends on the number of items alone: 999 up to 300 items, 199 up to 2,000, 99 up
        to 20,000, 19 up to 200,000.

        Parameters
        ----------
        path : str or path
            Where to write; the file appears whole or not at all.
        names : pair of str
            What to call the trees.
        force : bool
            Whether to replace a file that exists.
        progress : bool
            Whether to show on the terminal what is being done.

        Raises
        ------
        InvalidInputError
            If the file exists and ``force`` is not set, or cannot be written, or the names are not two texts.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from dendrometry import compare, from_newick
        >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((ape,cat),elk,owl);")
        >>> path = pathlib.Path(tempfile.mkdtemp(), "report.html")
        >>> compare(a, b).report(path, names=("by traits", "by descent"))
        >>> "by descent" in path.read_text(encoding="utf-8")
        True
        """
        # the one import against the order of the rooms: a result offers its own report, which stands on all of them
        from dendrometry.pages.comparison import write_comparison

        write_comparison(self, path, names=names, force=force, progress=progress)

    def _asked(self, name: str) -> bool:
        """Whether a measure is among the lines."""
        return any(line.name == name for line in self.lines)

    def _worst(self, most: int) -> list[tuple[str, float]]:
        """Return the items of most disagreement, where `hierarchy_agreement` is among the lines."""
        parts = self.item_disagreement if self._asked("hierarchy_agreement") else None
        return [] if parts is None else parts.worst(most)

    def __str__(self) -> str:
        rows = [self.HEAD, *(line.cells() for line in self.lines if line.score is not None)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        missing = [f"{line.name}: {line.reason}" for line in self.lines if line.score is None]
        return "\n".join([*table, "", *self.facts(), *missing])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from dendrometry.notebook import comparison_html

        return comparison_html(self)

    def records(self) -> list[dict[str, Any]]:
        """Return the measures as plain values, a dictionary for each."""
        return [_record(line) for line in self.lines]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each measure."""
        import pandas as pd

        index = pd.Index([line.name for line in self.lines], name="measure")
        return pd.DataFrame(self.records(), index=index).drop(columns="measure", errors="ignore")

    def to_json(self) -> str:
        """Return a summary as JSON text: the measures and what they stand on, not the stages or the matches.

        The ten items of most disagreement are there with `hierarchy_agreement`, the number of clusters and of those
        found exactly with `hierarchical_f`.
        """
        matches = self.matches if self._asked("hierarchical_f") else None
        content = {
            "n_items": self.n_items,
            "left_out": list(self.left_out),
            "ties": list(self.ties),
            "inversions": list(self.inversions),
            "classes": self.classes,
            "measures": self.records(),
            "most_disagreement": [{"item": name, "value": value} for name, value in self._worst(10)],
            "clusters": None if matches is None else len(matches),
            "clusters_found": None if matches is None else int((matches.f == 1.0).sum()),
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


def _both(counts: tuple[int | None, int | None]) -> str:
    """Return what was counted in the first and in the second tree as text."""
    first, second = ("no heights" if count is None else f"{count:,}" for count in counts)
    return f"{first} in the first tree, {second} in the second"


def _n_tied(tree: Tree) -> int | None:
    """Return how many merges share their height with another merge."""
    if tree.height is None:
        return None
    _, counts = np.unique(tree.height[tree.parts > 1], return_counts=True)
    return int(counts[counts > 1].sum())


def _n_inverted(tree: Tree) -> int | None:
    """Return how many nodes lie lower than a child of theirs."""
    if tree.height is None:
        return None
    return np.unique(tree.parent[:-1][tree.height[tree.parent[:-1]] < tree.height[:-1]]).size
