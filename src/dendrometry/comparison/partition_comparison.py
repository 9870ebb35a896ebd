"""PartitionComparison: everything that was measured between two flat clusterings, ready to be read, shown or stored."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isinf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._display import plural
from dendrometry._kernels._jit import IntArray
from dendrometry.contingency import Contingency
from dendrometry.measures.measure import Measure
from dendrometry.measures.partitions.overlaps.matching import matched_cells
from dendrometry.measures.registry import MEASURES
from dendrometry.measures.score import Score
from dendrometry.partition.graph import Bipartite, bipartite

__all__ = ["PartitionComparison", "PartitionLine"]


class PartitionLine(NamedTuple):
    """One measure of two partitions: its value, what chance gives, and the value adjusted for it."""

    name: str
    score: Score
    reason: str = ""

    @property
    def measure(self) -> Measure:
        """What is true of the measure in general."""
        return MEASURES[self.name]

    @property
    def value(self) -> float:
        """The value."""
        return self.score.value

    @property
    def expected(self) -> float | None:
        """The mean over all relabellings of the items, or None where there is no formula."""
        return self.score.expected

    @property
    def adjusted(self) -> float | None:
        """1 for the same partition, 0 as by chance; None where that has no meaning."""
        return self.score.adjusted

    @property
    def sentence(self) -> str:
        """What the value says, in one sentence."""
        says = f"{self.measure.says[0].upper()}{self.measure.says[1:]}: {self.value:.4g}"
        if self.value == self.measure.identical:
            return f"{says}, as for the same partition."
        if self.adjusted is None:
            return f"{says}." if self.expected is None else f"{says}, by chance {self.expected:.4g}."
        if self.adjusted < 0:
            return f"{says}, no more alike than by chance."
        return f"{says}, {self.adjusted:.0%} of the way from chance to the same partition."

    def cells(self) -> tuple[str, ...]:
        """Return the line as short text, one cell for each of `PartitionComparison.HEAD`."""
        numbers = ("" if x is None else f"{x:.6g}" for x in (self.value, self.expected, self.adjusted))
        return (self.name, *numbers, self.measure.span, self.measure.better)


@dataclass(frozen=True, eq=False, repr=False)
class PartitionComparison(Frozen):
    """The result of `compare_partitions`: print it, show it in a notebook, or turn it into a table, JSON or a report.

    Attributes
    ----------
    table : Contingency
        How many items every two clusters have in common; every measure, `bipartite` and `decompose` take it.
    items : tuple of str
        The names of the items; empty if the table holds counts that were made elsewhere.
    lines : tuple of PartitionLine
        The measures, in the order of the registry; ``result["adjusted_rand"]`` picks one.
    left_out : pair of int
        How many items of the first and of the second clustering were left out; (0, 0) unless asked for.
    graph : Bipartite
        Which clusters overlap: components, splits, merges, and the flow from one partition to the other.
    n_kept : int
        How many clusters stand in both partitions, item for item.
    matched : (n_matched,) array of int
        The overlaps of the one-to-one matching of clusters that holds the most items. All other items differ: they
        are the fewest that have to move for the partitions to be the same (see `classification_accuracy`).
    """

    HEAD: ClassVar[tuple[str, ...]] = ("measure", "value", "by chance", "adjusted", "range", "more alike")

    table: Contingency
    items: tuple[str, ...]
    lines: tuple[PartitionLine, ...]
    left_out: tuple[int, int] = (0, 0)

    @property
    def n_items(self) -> int:
        """The number of items compared."""
        return self.table.n_items

    @cached_property
    def graph(self) -> Bipartite:
        """Which clusters overlap."""
        return bipartite(self.table)

    @cached_property
    def matched(self) -> IntArray:
        """The overlaps of the one-to-one matching of clusters that holds the most items."""
        cells: IntArray = read_only(matched_cells(self.table))
        return cells

    @property
    def n_differing(self) -> int:
        """How many items have to move, at least, for the partitions to be the same."""
        return self.n_items - int(self.table.count[self.matched].sum())

    @property
    def n_kept(self) -> int:
        """How many clusters stand in both partitions, item for item."""
        table = self.table
        return int(((table.count == table.sizes_a[table.row]) & (table.count == table.sizes_b[table.column])).sum())

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the measures."""
        return (line.name for line in self.lines)

    def __getitem__(self, name: str) -> PartitionLine:
        """Return the line of one measure."""
        for line in self.lines:
            if line.name == name:
                return line
        raise KeyError(f"no measure {name!r}; there are {', '.join(line.name for line in self.lines)}")

    def facts(self) -> list[str]:
        """Return what the numbers stand on, a sentence each: items, clusters, what stands in both, what differs."""
        table, graph = self.table, self.graph
        n_split, n_merged = (int((np.bincount(side) > 1).sum()) for side in (table.row, table.column))
        facts = [
            f"{plural(self.n_items, 'item')} compared, in {table.n_a:,} and {plural(table.n_b, 'cluster')}",
            f"{plural(self.n_kept, 'cluster')} in both; {n_split:,} of the first split, {n_merged:,} of the second"
            " merged",
            f"{plural(graph.n_components, 'component')} of clusters that overlap",
            f"{plural(self.n_differing, 'item')} would have to move for both to be the same",
        ]
        if any(self.left_out):
            facts.append(f"left out: {self.left_out[0]:,} of the first clustering, {self.left_out[1]:,} of the second")
        return facts

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        names: tuple[str, str] = ("first clustering", "second clustering"),
        force: bool = False,
        progress: bool = False,
    ) -> None:
        """Write the comparison as one HTML page: how alike, where they differ, and how it was made.

        The page holds all it needs and asks nothing of any network. Many clusters are collapsed to the largest
        components, with counts. P-values of measures of pairs and of information are from as many relabellings of the
        items as `Comparison.report` makes.

        Parameters
        ----------
        path : str or path
            Where to write; the file appears whole or not at all.
        names : pair of str
            What to call the clusterings.
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
        >>> from dendrometry.comparison import compare_partitions
        >>> path = pathlib.Path(tempfile.mkdtemp(), "report.html")
        >>> compare_partitions([0, 0, 1, 1], [0, 1, 1, 1]).report(path, names=("by hand", "k-means"))
        >>> "k-means" in path.read_text(encoding="utf-8")
        True
        """
        # against the order of the rooms, as for Comparison: a result offers its own report, which stands on all of them
        from dendrometry.pages.partitions import write_partitions

        write_partitions(self, path, names=names, force=force, progress=progress)

    def __str__(self) -> str:
        rows = [self.HEAD, *(line.cells() for line in self.lines)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*table, "", *self.facts()])

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

        return pd.DataFrame(self.records()).set_index("measure")

    def to_json(self) -> str:
        """Return a summary as JSON text: the measures and what they stand on."""
        content = {
            "n_items": self.n_items,
            "left_out": list(self.left_out),
            "clusters": [self.table.n_a, self.table.n_b],
            "clusters_in_both": self.n_kept,
            "components": self.graph.n_components,
            "items_that_differ": self.n_differing,
            "measures": self.records(),
        }
        return json.dumps(content, indent=2, allow_nan=False)


def _record(line: PartitionLine) -> dict[str, Any]:
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
