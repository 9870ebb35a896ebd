"""Measure: the record of one measure, for the tests, the documentation, the command line and the reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from dendrometry._check.arrays import real_array
from dendrometry._check.names import names_of
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry._typing import FloatArray
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies, as_trees
from dendrometry.measures.components import Parts
from dendrometry.measures.score import Score
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import STEPS_PER_SECOND, PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree

Compared = Literal["trees", "partitions"]
Kind = Literal["similarity", "distance", "information"]
Statistic = Literal["pairs", "information"]
Monotone = Literal["strictly", "weakly"]


@dataclass(frozen=True, kw_only=True)
class Properties:
    """Properties of a measure of partitions in the sense of Xiang et al. (2012).

    Attributes
    ----------
    normalised : bool
        Whether, for every n from 2 on, the values lie in [0, 1] and attain both ends.
    conditionally_normalised : bool
        Whether the same holds for every fixed first partition, with the value 1 only for that partition itself and,
        from n = 3 on, with values strictly between.
    join_weighted : bool
        Whether it is the sum of its values on the components of the bipartite graph, each weighted by the component's
        share of the items (see `decompose`).
    content_weighted : bool
        Whether the weights of the components depend on their entropies or pairs, and not on their sizes alone.
    subcomponent_consistent : bool or None
        Whether a cluster compared with its parts alone has the same score as inside a larger comparison; None for
        measures that are not composed of such scores.
    monotone : {"strictly", "weakly"}
        Whether more parts, or more even parts, of one cluster always lower the similarity, or never raise it.
    """

    normalised: bool
    conditionally_normalised: bool = False
    join_weighted: bool
    content_weighted: bool = False
    subcomponent_consistent: bool | None = None
    monotone: Monotone


class Unrooted(NamedTuple):
    """What a measure says of two trees without a root, where that differs from what it says of rooted ones.

    Attributes
    ----------
    meaning : str
        The meaning of the value; "" if it is the same.
    reached : str
        The range as text; "" if it is the same.
    """

    meaning: str = ""
    reached: str = ""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure of two trees or of two partitions: its function and its properties.

    Attributes
    ----------
    call : callable
        The public function, with the name of the measure; of two trees, or of two partitions or a `Contingency`.
    of : {"trees", "partitions"}
        The objects that it compares.
    symbol : str
        Its symbol in the literature.
    title : str
        Its name as a heading, as short as possible.
    aliases : tuple of str
        Other names that people use for it; who asks for one of them is told its name here.
    score : callable
        The value with its expectation, from `PairStatistics` (`tree_pair.statistics`) for trees,
        `PartitionStatistics` (`measures._shared.partition_statistics`) for partitions.
    kind : {"similarity", "distance", "information"}
        Whether higher values are more alike, lower values are, or neither.
    identical : float or None
        The value of a tree or partition with itself; None if it depends on the partition.
    lower, upper : float
        The bounds of its values.
    reached : str
        The range as text, if its ends depend on the number of items n; otherwise the range is "lower to upper".
    symmetric : bool
        Whether exchanging the two arguments never changes the value.
    triangle : bool
        Whether the distance, or ``identical`` minus the similarity, obeys the triangle inequality; for partitions,
        whether it is a metric.
    exact : bool
        Whether the value has the same bits for any order of items and nodes; otherwise it is the same up to rounding.
    default : bool
        Whether `compare` computes it if no measures are named.
    headline : bool
        Whether the verdict is based on it, if it was asked for.
    needs_heights : bool
        Whether trees without heights are refused.
    refuses_dendrograms : bool
        Whether it is undefined for two trees with a single item in each leaf and none elsewhere.
    needs_bound : bool
        Whether it requires the largest number of clusters of a partition, ``max_clusters``.
    expects : bool
        Whether its mean over all relabellings has a formula, or that of its square.
    unrooted : Unrooted or None
        For trees: that it also compares two trees without a root, by their splits, and what it then says; None for
        those that have no meaning there.
    is_root : bool
        Whether the mean that has a formula is that of its square: the expectation is then the root of this mean, and
        the adjusted value that of the square.
    cost : callable, optional
        The number of steps, from the statistics; without it the measure is fast, O(n log n).
    slow : str
        The slow part of the computation, if there is a cost, as in "matching the clusters".
    limit : callable, optional
        Why the measure cannot be computed for a pair that exceeds a limit, from the statistics, or "" if it can. Its
        function raises InvalidInputError with this text; without it there is no limit.
    tested_by : {"pairs", "information"} or None
        For partitions: the statistic that grows with the measure when items are relabelled, and so gives its p-value.
    curve : callable, optional
        For partitions: the value at every tick of a simultaneous walk over two trees, its `Levels`; for a measure that
        needs a bound, the bound comes second.
    label_curve : callable, optional
        For partitions: as ``curve``, if it can be followed only where the first partition is the same at every tick.
    decompose : callable, optional
        For partitions: the measure as a weighted sum of its values on the `Components`, plus an offset, as `Parts`. Its
        keywords are the options of the measure that `dendrometry.partition.decompose` accepts.
    variant : callable, optional
        For trees: the choices that the measure makes for a pair, each as text, from its statistics and the names of the
        two trees: ``{"classes": "all nodes of the first tree"}``.
    locates_clusters : bool
        For trees: whether it is about the clusters of the first tree that also occur in the second; then a comparison
        by it counts these.
    locates_items : bool
        For trees: whether it is a sum over items, as in `item_disagreement`; then a comparison by it names the items
        that contribute most.
    meaning : str
        The meaning of the value, in plain words; ``{a}`` and ``{b}`` stand for the two trees or partitions, and
        `describe` puts their names there.
    formula : str
        The definition in plain text, one equation on each line. Capital letters count pairs of items: N all, P those
        related in the first tree or together in the first partition, Q in the second, T in both. An overlap of two
        clusters, of s and t items, has m items.
    chance : str
        Its mean over all relabellings of the items, in the letters of the formula.
    source : str
        The publication that defines it.
    bibtex : str
        The BibTeX entry of its source. A record names it by its key in ``references.bib``.
    properties : Properties, optional
        For partitions: its properties in the sense of the split-merge framework.
    """

    call: Callable[..., float]
    of: Compared
    symbol: str
    title: str
    aliases: tuple[str, ...] = ()
    score: Callable[[Any], Score]
    kind: Kind = "similarity"
    identical: float | None = 1.0
    lower: float = 0.0
    upper: float = 1.0
    reached: str = ""
    symmetric: bool = True
    triangle: bool
    exact: bool = True
    default: bool = True
    headline: bool = False
    needs_heights: bool = False
    refuses_dendrograms: bool = False
    needs_bound: bool = False
    expects: bool = True
    unrooted: Unrooted | None = None
    is_root: bool = False
    cost: Callable[[Any], int] | None = None
    slow: str = ""
    limit: Callable[[Any], str] | None = None
    tested_by: Statistic | None = None
    curve: Callable[..., FloatArray] | None = None
    label_curve: Callable[..., FloatArray] | None = None
    decompose: Callable[..., Parts] | None = None
    variant: Callable[[Any, tuple[str, str]], dict[str, str]] | None = None
    locates_clusters: bool = False
    locates_items: bool = False
    meaning: str
    formula: str
    chance: str
    source: str
    bibtex: str
    properties: Properties | None = None

    def __post_init__(self) -> None:
        """Replace the key of the source by its entry."""
        object.__setattr__(self, "bibtex", bibtex_entry(self.bibtex))

    @property
    def name(self) -> str:
        """The name of the public function."""
        return self.call.__name__

    def describe(self, first: str | None = None, second: str | None = None, *, unrooted: bool = False) -> str:
        """Return the meaning with the names of the two trees or partitions, by default "the first tree" and so on.

        With ``unrooted`` it is that of two trees without a root, if the measure has a meaning there.

        Examples
        --------
        >>> from dendrometry import MEASURES
        >>> MEASURES["hierarchical_f"].describe("genes", "traits")
        'how well the clusters of genes are found again in traits'
        """
        kind = self.of.removesuffix("s")
        names = [f"the first {kind}" if first is None else first, f"the second {kind}" if second is None else second]
        meaning = (flag(unrooted, "unrooted") and self.unrooted and self.unrooted.meaning) or self.meaning
        return meaning.format(**dict(zip("ab", names_of(names, "the names of the trees"), strict=True)))

    def of_table(self, table: Contingency, max_clusters: int | None = None) -> float:
        """Return the value for two partitions; ``max_clusters`` is ignored by measures that do not need it."""
        if self.of != "partitions":
            raise InvalidInputError(f"of_table requires a measure of partitions; {self.name} compares trees")
        return self.call(table, max_clusters=max_clusters) if self.needs_bound else self.call(table)

    def estimate_seconds(self, a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
        """Return about how many seconds of a core the measure takes for two trees, before it is computed.

        An estimate from the number of steps, right within a factor of about three; compiling is not included. `compare`
        omits a measure from 20 seconds on. `permutation_test` and `pairwise_matrix` refuse one whose repetitions would
        take more than 10 minutes, unless ``allow_slow`` is set.

        Examples
        --------
        >>> from dendrometry import MEASURES
        >>> from dendrometry.generate import random_tree
        >>> a, b = random_tree(1000, rng=0), random_tree(1000, rng=1)
        >>> MEASURES["hierarchical_f"].estimate_seconds(a, b) < 0.01
        True
        """
        if self.of != "trees":
            raise InvalidInputError(f"estimate_seconds requires a measure of trees; {self.name} compares partitions")
        return PairStatistics(pair_for(self, a, b)).count_steps(self.cost) / STEPS_PER_SECOND

    def apart(self, values: FloatArray) -> FloatArray:
        """Return the distance of values from that of a tree or partition with itself: the measure as a distance."""
        values = real_array(values, "values", getattr(values, "ndim", 1))
        if not np.isfinite(values).all():
            raise InvalidInputError("values of a measure must be finite; some are not")
        if self.identical is None:
            raise UndefinedMeasureError(f"{self.name} is not a distance: its value for identical partitions varies")
        return values - self.identical if self.kind == "distance" else self.identical - values

    @property
    def better(self) -> str:
        """The direction of greater similarity: "higher", "lower" or "neither"."""
        return {"similarity": "higher", "distance": "lower", "information": "neither"}[self.kind]

    @property
    def span(self) -> str:
        """The range as text."""
        return self.reached or f"{self.lower:g} to {self.upper:g}"


def pair_for(measure: Measure, a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> Pair:
    """Return the pair of two trees as a measure takes them: both with a root, or neither if it has a meaning there."""
    return pair_of(*(as_hierarchies if measure.unrooted is None else as_trees)(a, b))


def bibtex_entry(source: str) -> str:
    """Return the BibTeX entry of a key; an entry is returned as it is."""
    if source.startswith("@"):
        return source
    for entry in bibtex_entries():
        if entry.partition("{")[2].startswith(f"{source},"):
            return entry
    raise InvalidInputError(f"bibtex must be a key of references.bib; got {printable(source)}")


@cache
def bibtex_entries() -> tuple[str, ...]:
    """Return the entries of references.bib, one text each."""
    text = Path(__file__).with_name("references.bib").read_text(encoding="utf-8")
    return tuple(text.strip().split("\n\n"))
