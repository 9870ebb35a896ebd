"""Comparison: all results of comparing two trees or two partitions, to be read, displayed or stored."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.names import pair_of_names
from dendrometry._check.numbers import count_held
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import Bar, Column, fact_list, note, table
from dendrometry._tabular import Tabular
from dendrometry.comparison.chance import (
    DRAWN,
    Chance,
    drawn_overlap,
    drawn_table,
    n_relabellings,
    partition_chance,
    tree_chance,
)
from dendrometry.comparison.containment import Containment, containment_of
from dendrometry.comparison.item_disagreement import ItemDisagreement, disagreement_by_size
from dendrometry.comparison.line import Line, MeasureTable, line_of
from dendrometry.comparison.partition_part import PartitionPart
from dendrometry.comparison.permutation_test import PERMUTATION_BYTES, methods_sentence
from dendrometry.comparison.verdict import Found, chief_line, share_text, verdict
from dendrometry.errors import UndefinedMeasureError, UnknownNameError
from dendrometry.levels.stages import Stages, stages_of_walk
from dendrometry.measures.measure import Measure
from dendrometry.overlap import Overlap
from dendrometry.significance.recurrence import Recurrence, recurrence_of
from dendrometry.tree_pair.matches import Matches
from dendrometry.tree_pair.pair import Pair, Tree, heights_formed
from dendrometry.tree_pair.relabelling import MOST_RELABELLED, most_cells
from dendrometry.tree_pair.statistics import PairStatistics

MOST_STAGES = 100_000_000  # the columns of this many stages take about 5 GB
_NUMBERS = ("value", "expected", "adjusted", "lower", "upper", "p_value")  # columns that are numbers or nan


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Frozen, Tabular):
    """The result of `compare`, which can be printed, shown in a notebook, or converted to a table, JSON or a report.

    The lines are computed immediately; the stages, the contributions of the items and the matches on first access.

    Attributes
    ----------
    verdict : str
        How alike the two are, in at most two sentences, with the p-value of the measure it is based on.
    lines : tuple of Line
        The measures, in the order of the registry; ``comparison["hierarchy_agreement"]`` selects one.
    names : pair of str or None
        The names of the two trees or clusterings, if given.
    n_items : int
        The number of items compared.
    items : tuple of str
        The names of the items; empty if the overlap does not list them.
    left_out : pair of int
        The number of items of the first tree that the second lacks, and the reverse; (0, 0) unless the comparison was
        restricted to the common items.
    n_permutations : int or None
        The number of relabellings behind the p-values; None for that of `n_relabellings`.
    chance : Chance
        The p-values by measure name: of all measures if ``n_permutations`` was given, otherwise of the measure on which
        the verdict is based. `test` gives those of all measures.
    methods : str
        How the p-values were obtained, ready for the methods section of a paper.
    partition : PartitionPart or None
        For flat clusterings: the table of overlaps, splits and merges, and the number of items that differ.
    ties, inversions : pairs of int or None
        The number of merges at the same height as another merge, and of nodes lower than one of their children, in
        each tree; None for a tree without heights.
    variants : dict
        The choices that measures made for these two, by measure, such as the classes of `hierarchical_f`.
    stages : Stages or None
        The series over the number of clusters (ties merge together), if the trees have heights and at most 100,000,000
        items.
    containment : Containment or None
        For trees: how much of each is in the other, and how finely each resolves the items.
    clusters_found : Found or None
        The number of clusters of the first that also occur in the second, and their total.
    item_disagreement : ItemDisagreement or None
        Each item's contribution to ``1 - hierarchy_agreement``, if the items are listed.
    matches : Matches or None
        The best match of every cluster of the first tree; None if the matching would take too long.
    recurrence : Recurrence or None
        Whether each cluster of the first tree recurs in the second more closely than by chance; None if it would take
        too long.
    """

    overlap: Overlap
    measures: tuple[Measure, ...]
    names: tuple[str, str] | None = None
    partition: PartitionPart | None = None
    n_permutations: int | None = None
    lines: tuple[Line, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Check the names and the number of permutations, and compute the measures."""
        if self.n_permutations is not None:
            count_held(self.n_permutations, "n_permutations", 0, PERMUTATION_BYTES)
        object.__setattr__(self, "names", pair_of_names(self.names))
        statistics = self.statistics if self.partition is None else self.partition.statistics
        lines = (line_of(measure, statistics, self.display_names) for measure in self.measures)
        object.__setattr__(self, "lines", tuple(lines))

    @cached_property
    def statistics(self) -> PairStatistics:
        """The intermediate results that the measures of trees share."""
        return PairStatistics(Pair.of(self.overlap))

    @cached_property
    def n_items(self) -> int:
        """The number of items compared."""
        return self.overlap.n_items

    @property
    def items(self) -> tuple[str, ...]:
        """The names of the items."""
        return self.overlap.items

    @property
    def left_out(self) -> tuple[int, int]:
        """The number of items of the first tree that the second lacks, and the reverse."""
        return self.overlap.left_out

    @property
    def display_names(self) -> tuple[str, str]:
        """The names of the two in sentences: those given, or "the first tree" and so on."""
        if self.names is not None:
            return printable(self.names[0]), printable(self.names[1])
        what = "tree" if self.partition is None else "clustering"
        return f"the first {what}", f"the second {what}"

    @property
    def verdict(self) -> str:
        """How alike the two are: first in words, then as a number with its scale and p-value."""
        return verdict(
            self.lines,
            of="trees" if self.partition is None else "partitions",
            names=None if self.names is None else self.display_names,
            n_items=self.n_items,
            same=self.partition is not None and self.partition.table.is_identical,
            found=self.clusters_found if self.partition is not None or self._locates_clusters else None,
            tests=self.chance,
            containment=self.containment,
            finer=None if self.partition is None else self.partition.table.finer,
            opening=share_text(self.n_items, self.left_out, self.display_names),
        )

    @cached_property
    def containment(self) -> Containment | None:
        """How much of each tree is in the other, and how finely each resolves; None for flat clusterings."""
        return containment_of(self.statistics) if self.partition is None else None

    @cached_property
    def chance(self) -> Chance:
        """The p-values by measure name: of all measures if a number of permutations was given, or of the chief one."""
        if self.n_permutations is not None:
            return self._p_values(self._defined)
        line = chief_line(self.lines)
        return self._p_values([] if line is None else [line.measure])

    def test(self, *, progress: bool = False) -> Comparison:
        """Return the same comparison with the p-values of all measures that apply in its `chance`."""
        twin = copy.copy(self)
        twin.__dict__["chance"] = self._p_values(self._defined, progress=progress)
        return twin

    @property
    def methods(self) -> str:
        """How the p-values were obtained, as sentences for the methods section of a paper; "" if there are none."""
        tested = [line.measure for line in self.lines if line.name in self.chance.p_value]
        tested.sort(key=lambda measure: not measure.headline)
        return methods_sentence(tested, self.chance.n, self.chance.n_drawn) if tested else ""

    @property
    def _defined(self) -> list[Measure]:
        """The measures that have a value."""
        return [line.measure for line in self.lines if line.score is not None]

    def _p_values(self, measures: list[Measure], *, progress: bool = False) -> Chance:
        """Return the p-values of some measures."""
        if self.n_permutations == 0 or self.n_items == 1:
            return Chance.untested(measures, "no permutations were asked for" if self.n_items > 1 else "one item")
        if self.n_items > MOST_RELABELLED:
            return Chance.untested(measures, f"at most {MOST_RELABELLED:,} items can be relabelled")
        n = n_relabellings(self._most_rows) if self.n_permutations is None else self.n_permutations
        if n == 0:
            return self._p_values_of_some(measures, progress)
        if self.partition is None:
            return tree_chance(self.statistics, measures, n, progress=progress)
        return partition_chance(self.partition.table, measures, n)

    def _p_values_of_some(self, measures: list[Measure], progress: bool) -> Chance:
        """Return the p-values of some measures from items drawn at random, as there are too many to relabel often."""
        n = n_relabellings(DRAWN)
        if self.partition is None:
            some = PairStatistics(Pair.of(drawn_overlap(self.overlap, DRAWN)))
            found = tree_chance(some, measures, n, progress=progress)
        else:
            found = partition_chance(drawn_table(self.partition.table, DRAWN), measures, n)
        return found._replace(n_drawn=DRAWN)

    @property
    def _most_rows(self) -> int:
        """The largest number of pairs of nodes, or of clusters, that share items after a relabelling."""
        if self.partition is None:
            return self.statistics.pair.most_rows
        return most_cells(self.partition.table.sizes_a, self.partition.table.sizes_b)

    @property
    def clusters_found(self) -> Found | None:
        """The number of clusters of the first that also occur in the second, and their total; None if too slow.

        For trees, the trivial clusters (single items and the set of all items) are not counted.
        """
        if self.partition is not None:
            return Found(self.partition.n_kept, self.partition.table.n_a)
        if self.matches is None:
            return None
        counts = (self.matches.size > 1) & (self.matches.size < self.n_items)
        return Found(int((counts & (self.matches.f == 1.0)).sum()), int(counts.sum()))

    @cached_property
    def ties(self) -> tuple[int | None, int | None]:
        """The number of merges at the same height as another merge, in each tree."""
        return _n_tied(self.statistics.pair.a), _n_tied(self.statistics.pair.b)

    @cached_property
    def inversions(self) -> tuple[int | None, int | None]:
        """The number of nodes that are lower than one of their children, in each tree."""
        return _n_inverted(self.statistics.pair.a), _n_inverted(self.statistics.pair.b)

    @property
    def variants(self) -> dict[str, dict[str, str]]:
        """The choices that measures made for these two, by measure."""
        chosen = ((measure.name, measure.variant) for measure in self.measures)
        return {name: variant(self.statistics, self.display_names) for name, variant in chosen if variant is not None}

    @cached_property
    def stages(self) -> Stages | None:
        """The series over the number of clusters."""
        if self.n_items > MOST_STAGES:
            return None
        try:
            return stages_of_walk(self.statistics.by_rank, "together")
        except UndefinedMeasureError:
            return None

    @cached_property
    def item_disagreement(self) -> ItemDisagreement | None:
        """Each item's contribution to ``1 - hierarchy_agreement``."""
        return disagreement_by_size(self.overlap, self.statistics.by_size) if self.overlap.items else None

    @cached_property
    def matches(self) -> Matches | None:
        """The best match of every cluster of the first tree."""
        return None if self.statistics.too_deep else replace(self.statistics.matches, overlap=self.overlap)

    @cached_property
    def recurrence(self) -> Recurrence | None:
        """Whether each cluster of the first tree recurs in the second more closely than by chance."""
        try:
            return None if self.matches is None else recurrence_of(self.statistics.pair, self.matches)
        except UndefinedMeasureError:
            return None

    def rename(self, names: tuple[str, str]) -> Comparison:
        """Return the same comparison with other names for the two trees, without recomputing the measures."""
        twin = copy.copy(self)
        object.__setattr__(twin, "names", pair_of_names(names))
        return twin

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the measures."""
        return (line.name for line in self.lines)

    def __getitem__(self, name: str) -> Line:
        """Return the line of one measure."""
        lines = {line.name: line for line in self.lines}
        return lines[one_of(name, "measure", lines, which="one of this comparison: ", error=UnknownNameError)]

    def tell_containment(self) -> list[str]:
        """Return how much of each tree is in the other, and how finely each resolves, as sentences; [] if flat."""
        return [] if self.containment is None else self.containment.tell(self.display_names)

    def facts(self) -> list[str]:
        """Return what the measures are based on, as sentences: items, items left out, ties, differences."""
        return self._tree_facts() if self.partition is None else self._partition_facts(self.partition)

    def _tree_facts(self) -> list[str]:
        """Return what the measures of trees are based on: items, ties, inversions, variants, most different items."""
        facts = [f"{plural(self.n_items, 'item')} compared", *tell_left_out(self.overlap, self.display_names)]
        if self.ties == (None, None):
            facts.append("neither tree has heights")
        else:
            facts.append(f"merges tied in height, taken together: {_both(self.ties, self.display_names)}")
        if any(self.inversions):
            facts.append(f"heights are not monotone; inversions: {_both(self.inversions, self.display_names)}")
        for name, variant in self.variants.items():
            facts.extend(f"{what} of {name}: {chosen}" for what, chosen in variant.items())
        names = [f"{printable(name)} ({value:.2g})" for name, value in self._worst(5) if value > 0]
        if names:
            facts.append(f"most disagreement about: {', '.join(names)}")
        return facts

    def _partition_facts(self, part: PartitionPart) -> list[str]:
        """Return what the measures of partitions are based on: items, clusters, splits and merges, differences."""
        n_a, n_b = part.table.n_a, part.table.n_b
        return [
            f"{plural(self.n_items, 'item')} compared, in {n_a:,} and {plural(n_b, 'cluster')}",
            f"{plural(part.n_kept, 'cluster')} in both; {part.n_split:,} of {self.display_names[0]} split,"
            f" {part.n_merged:,} of {self.display_names[1]} merged",
            f"{plural(part.graph.n_components, 'component')} of clusters that overlap",
            f"{plural(part.n_differing, 'item')} would have to move for both to be the same",
            *tell_left_out(self.overlap, self.display_names),
        ]

    @property
    def _locates_clusters(self) -> bool:
        """Whether a measure is about the clusters of the first tree that also occur in the second."""
        return any(measure.locates_clusters for measure in self.measures)

    def _worst(self, most: int) -> list[tuple[str, float]]:
        """Return the items with the largest contributions, if a measure they contribute to is among the lines."""
        parts = self.item_disagreement if any(measure.locates_items for measure in self.measures) else None
        return [] if parts is None else parts.worst(most)

    @property
    def table(self) -> MeasureTable:
        """The measures as rows of text, with p-values if permutations were asked for, or as plain values."""
        return MeasureTable(self.lines, self.display_names, self.chance, bool(self.n_permutations))

    def __str__(self) -> str:
        rows = [self.table.head, *self.table.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        cells = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        uninformative = self.table.uninformative()
        below = ["", "not informative here:", *(f"  {line}" for line in uninformative)] if uninformative else []
        fair = [*self.tell_containment(), ""] if self.partition is None else []
        estimated = [self.table.footnote] if self.table.footnote else []
        return "\n".join([self.verdict, "", *fair, *cells, *estimated, "", *self.facts(), *below])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        shown = self.table
        columns = [
            Column("measure"),
            *(Column(name, "number") for name in ("value", "by chance", "adjusted", *shown.p_column("p"))),
            Column(""),
            Column("what it says", "words"),
        ]
        rows = [self._html_row(line, shown) for line in shown.informative]
        rows += [(line.name, f"{line.caveat}.") for line in self.lines if line.caveat]
        fair = fact_list(self.tell_containment()) if self.partition is None else ""
        facts = fact_list([*([shown.footnote] if shown.footnote else []), *self.facts()])
        return note(self.verdict, faint=False) + fair + table(columns, rows) + facts

    def _html_row(self, line: Line, shown: MeasureTable) -> tuple[str | Bar, ...]:
        """Return a line as a row for a notebook."""
        measure = line.measure
        bar = Bar(line.value or 0.0, measure.lower, measure.upper, line.expected)
        return (*line.numbers(), *shown.p_cell(line), bar, line.tell(*self.display_names))

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each measure; the p-value is nan if it was not tested."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        index = pd.Index([line.name for line in self.lines], name="measure")
        frame = pd.DataFrame(self.table.records(), index=index).drop(columns="measure", errors="ignore")
        return frame.astype({name: float for name in _NUMBERS if name in frame})

    def _frame_for_paper(self) -> Any:
        """Return the data frame without the columns of whole sentences."""
        return self.to_frame().drop(columns=["reason", "sentence"], errors="ignore")

    def to_json(self) -> str:
        """Return a summary as JSON text: the verdict, the measures and what they are based on.

        For trees, it includes the ten items that contribute most to the disagreement, if a measure that locates items
        was computed, and the numbers of clusters and of exact matches, if one that locates clusters was. For
        flat clusterings, it includes the numbers of clusters, of common clusters, of components, and of items that
        differ.
        """
        content = {
            "verdict": self.verdict,
            "methods": self.methods,
            "n_items": self.n_items,
            "names": None if self.names is None else list(self.names),
            "left_out": list(self.left_out),
            "matched_loosely": self.overlap.matched_loosely,
            **(self._tree_summary() if self.partition is None else self.partition.summary()),
            "measures": self.table.records(),
        }
        return json.dumps(content, indent=2, allow_nan=False)

    def _tree_summary(self) -> dict[str, Any]:
        """Return the summary of two trees beyond their measures, as plain values."""
        matches = self.matches if self._locates_clusters else None
        return {
            "containment": None if self.containment is None else self.containment.summary(),
            "ties": list(self.ties),
            "inversions": list(self.inversions),
            "variants": self.variants,
            "most_disagreement": [{"item": name, "value": value} for name, value in self._worst(10)],
            "clusters": None if matches is None else len(matches),
            "clusters_found": None if matches is None else int((matches.f == 1.0).sum()),
        }


def tell_left_out(overlap: Overlap, called: tuple[str, str]) -> list[str]:
    """Return sentences with the numbers of items left out and of those matched loosely, if any."""
    notes = [f"left out: {_both(overlap.left_out, called, 'of')}"] if any(overlap.left_out) else []
    n_loose = overlap.matched_loosely
    loose = f"{plural(n_loose, 'item')} matched by names that differ in case, underscores or spaces"
    return [*notes, *([loose] if n_loose else [])]


def _both(counts: tuple[int | None, int | None], called: tuple[str, str], joint: str = "in") -> str:
    """Return the counts for both trees as text."""
    first, second = ("no heights" if count is None else f"{count:,}" for count in counts)
    return f"{first} {joint} {called[0]}, {second} {joint} {called[1]}"


def _n_tied(tree: Tree) -> int | None:
    """Return the number of merges formed at the same height as another merge."""
    formed = heights_formed(tree)
    if formed is None:
        return None
    _, counts = np.unique(formed[tree.parts > 1], return_counts=True)
    return int(counts[counts > 1].sum())


def _n_inverted(tree: Tree) -> int | None:
    """Return the number of nodes that are lower than one of their children."""
    if tree.height is None:
        return None
    return np.unique(tree.parent[:-1][tree.height[tree.parent[:-1]] < tree.height[:-1]]).size
