"""Two trees compared without their roots: the measures of splits and quartets, also where items are missing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen
from dendrometry._check.names import pair_of_names
from dendrometry._check.numbers import count_held
from dendrometry._display import plural
from dendrometry._html import field_table, preview
from dendrometry._tabular import Tabular
from dendrometry.comparison.chance import Chance, tree_chance
from dendrometry.comparison.comparison import tell_left_out
from dendrometry.comparison.line import Line, MeasureTable, line_of
from dendrometry.comparison.permutation_test import PERMUTATION_BYTES, methods_sentence
from dendrometry.errors import InvalidInputError, Remedy, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, TREE_MEASURES, measures_named
from dendrometry.overlap import MatchNames, OnMismatch, Overlap
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import unroot_pair
from dendrometry.unrooted import UnrootedTree


@dataclass(frozen=True)
class QuartetCounts(Frozen):
    """The numbers of sets of four items by what two trees say of them, and the scores made of these numbers.

    A tree resolves four items if one of its branches parts them two by two. Scores are from 0 to 1, higher for trees
    that are more alike, but for ``divergence``, ``symmetric_difference``, ``marczewski_steinhaus`` and ``steel_penny``,
    which are lower for these.

    Attributes
    ----------
    same : int
        Resolved alike by both trees.
    different : int
        Resolved by both trees, differently.
    only_a, only_b : int
        Resolved by one tree only.
    neither : int
        Resolved by neither.
    """

    same: int
    different: int
    only_a: int
    only_b: int
    neither: int

    def _repr_html_(self) -> str:
        return field_table(self)

    @property
    def total(self) -> int:
        """The number of all sets of four items."""
        return sum(getattr(self, field.name) for field in fields(self))

    @property
    def do_not_conflict(self) -> float:
        """The share of all quartets that are not resolved differently."""
        return _share(self.total - self.different, self.total)

    @property
    def explicitly_agree(self) -> float:
        """The share of all quartets that are resolved alike."""
        return _share(self.same, self.total)

    @property
    def strict_joint_assertions(self) -> float:
        """The share resolved alike of the quartets that both trees resolve."""
        return _share(self.same, self.same + self.different)

    @property
    def semistrict_joint_assertions(self) -> float:
        """The share resolved alike of the quartets that both trees resolve, or neither does."""
        return _share(self.same, self.same + self.different + self.neither)

    @property
    def symmetric_difference(self) -> float:
        """The resolutions that one tree has and the other has not, as a share of the resolutions of both."""
        return _share(2 * self.different + self.only_a + self.only_b, self._resolutions)

    @property
    def marczewski_steinhaus(self) -> float:
        """The same as a share of the distinct resolutions of both."""
        apart = 2 * self.different + self.only_a + self.only_b
        return _share(apart, apart + self.same)

    @property
    def steel_penny(self) -> float:
        """The share of all quartets that are resolved differently, or by one tree only."""
        return _share(self.different + self.only_a + self.only_b, self.total)

    @property
    def divergence(self) -> float:
        """The resolutions that one tree has and the other has not, as a share of twice all quartets."""
        return _share(2 * self.different + self.only_a + self.only_b, 2 * self.total)

    @property
    def _resolutions(self) -> int:
        """The number of quartets that the first tree resolves, and that the second resolves."""
        return 2 * (self.same + self.different) + self.only_a + self.only_b


def _share(part: int, whole: int) -> float:
    """Return a share, refusing one of nothing."""
    if not whole:
        raise UndefinedMeasureError("the score needs at least one quartet in its denominator; there is none")
    return part / whole


@dataclass(frozen=True, eq=False, repr=False)
class UnrootedComparison(Frozen, Tabular):
    """Two trees compared without their roots, to be printed, shown in a notebook or converted to a table.

    Attributes
    ----------
    lines : tuple of Line
        The measures, in the order of the registry; ``comparison["robinson_foulds"]`` selects one.
    names : pair of str
        The names of the two trees.
    overlap : Overlap
        The items that were compared.
    chance : Chance
        The p-values by measure name, if relabellings were asked for.
    """

    lines: tuple[Line, ...]
    names: tuple[str, str]
    overlap: Overlap
    chance: Chance

    @property
    def n_items(self) -> int:
        """The number of items compared."""
        return self.overlap.n_items

    @property
    def left_out(self) -> tuple[int, int]:
        """The number of items of the first tree that the second lacks, and the reverse."""
        return self.overlap.left_out

    def __getitem__(self, name: str) -> Line:
        """Return the line of one measure."""
        for line in self.lines:
            if line.name == name:
                return line
        known = ", ".join(line.name for line in self.lines)
        raise InvalidInputError(f"measure must be one of this comparison: {known}; got {name!r}")

    @property
    def table(self) -> MeasureTable:
        """The measures as rows of text, with p-values if relabellings were asked for, or as plain values."""
        return MeasureTable(self.lines, self.names, self.chance, bool(self.chance.n))

    @property
    def methods(self) -> str:
        """How the p-values were obtained, as sentences for the methods section of a paper; "" if there are none."""
        tested = [line.measure for line in self.lines if line.name in self.chance.p_value]
        return methods_sentence(tested, self.chance.n) if tested else ""

    def to_frame(self) -> object:
        """Return a pandas DataFrame with one row for each measure."""
        from dendrometry._extras import require

        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.table.records())

    def to_json(self) -> str:
        """Return the measures and the items that they are based on, as JSON text."""
        content = {
            "methods": self.methods,
            "n_items": self.n_items,
            "names": self.names,
            "left_out": self.left_out,
            "matched_loosely": self.overlap.matched_loosely,
            "measures": self.table.records(),
        }
        return json.dumps(content, indent=2, allow_nan=False)

    def _repr_html_(self) -> str:
        kept = ("measure", "value", "expected", "adjusted", *self.table.p_column("p_value"))
        rows = self.table.records()
        return preview(" and ".join(self.names), {name: [row[name] for row in rows] for name in kept})

    def facts(self) -> list[str]:
        """Return what the measures are based on, as sentences, and the reasons of those that say nothing here."""
        return [
            f"{plural(self.n_items, 'item')} compared, without roots",
            *tell_left_out(self.overlap, self.names),
            *self.table.uninformative(),
        ]

    def __str__(self) -> str:
        rows = [self.table.head, *self.table.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, "", *self.facts()])

    __repr__ = __str__


def compare_unrooted(
    a: HierarchyLike | UnrootedTree,
    b: HierarchyLike | UnrootedTree,
    *,
    names: tuple[str, str] | None = None,
    measures: Sequence[str] | None = None,
    on_mismatch: OnMismatch = "error",
    match_names: MatchNames = "exact",
    n_permutations: int = 0,
    weights: ArrayLike | Mapping[str, int] | None = None,
) -> UnrootedComparison:
    """Return how alike two trees are if their roots are of no account: by splits and quartets.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items; their roots are ignored.
    names : pair of str, optional
        The names of the two trees in the text of the result.
    measures : sequence of str, optional
        The names of measures whose record has ``unrooted`` set; by default all of these.
    on_mismatch : {"error", "intersect", "intersect_any"}
        What to do if the trees do not contain the same items, as in `compare`: gene trees often lack some on both
        sides.
    match_names : {"exact", "loose"}
        How names of items are matched, as in `compare`.
    n_permutations : int
        The number of relabellings for a p-value of every measure; by default there are no p-values.
    weights : (n_items,) array of int, or mapping from item to int, optional
        How many items each item of ``a`` stands for, as in `compare`.

    Returns
    -------
    UnrootedComparison
        One line for each measure, with its value by chance where a formula is known.

    Raises
    ------
    ItemMismatchError
        If the trees do not contain the same items, or share too few.
    InvalidInputError
        If a measure has no meaning without a root.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.comparison import compare_unrooted
    >>> a = from_newick("(((ape,cat),elk),(jay,(owl,fox)));")
    >>> b = from_newick("((ape,cat),(elk,(jay,(owl,yak))));")
    >>> compare_unrooted(a, b, measures=["robinson_foulds", "quartet_agreement"], on_mismatch="intersect")
    measure            value  by chance  adjusted  range          more alike
    robinson_foulds    0      3.2        1         0 to 2(n - 3)  lower
    quartet_agreement  1      0.333333   1         0 to 1         higher
    <BLANKLINE>
    5 items compared, without roots
    left out: 1 of the first tree, 1 of the second tree
    """
    chosen = _measures(measures)
    n = count_held(n_permutations, "n_permutations", 0, PERMUTATION_BYTES)
    called = pair_of_names(names)
    overlap = _overlap(a, b, on_mismatch, match_names, called, weights)
    statistics = PairStatistics(unroot_pair(Pair.of(overlap)))
    shown = called or ("the first tree", "the second tree")
    lines = tuple(line_of(measure, statistics, shown)._replace(unrooted=True) for measure in chosen)
    measured = [line.measure for line in lines if line.score is not None]
    chance = tree_chance(statistics, measured, n) if n else Chance.untested(measured, "no permutations were asked for")
    return UnrootedComparison(lines, shown, overlap, chance)


def quartets(
    a: HierarchyLike | UnrootedTree,
    b: HierarchyLike | UnrootedTree,
    *,
    on_mismatch: OnMismatch = "error",
    match_names: MatchNames = "exact",
) -> QuartetCounts:
    """Return how many sets of four items two trees resolve: alike, differently, one of them only, or neither.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items, at most 121,977; their roots make no difference.
    on_mismatch : {"error", "intersect", "intersect_any"}
        What to do if the trees do not contain the same items, as in `compare`.
    match_names : {"exact", "loose"}
        How names of items are matched, as in `compare`.

    Returns
    -------
    QuartetCounts
        The five numbers, exact, with the scores that are made of them.

    Notes
    -----
    O(n log n) time, O(n) space; up to d times as long for a node with d large branches.

    References
    ----------
    .. [1] G. F. Estabrook, F. R. McMorris, C. A. Meacham, "Comparison of undirected phylogenetic trees based on
       subtrees of four evolutionary units", Systematic Zoology 34 (1985) 193-200, doi:10.2307/sysbio/34.2.193.
    .. [2] W. H. E. Day, "Analysis of quartet dissimilarity measures between undirected phylogenetic trees", Systematic
       Zoology 35 (1986) 325-333, doi:10.2307/2413385.
    .. [3] M. A. Steel, D. Penny, "Distributions of tree comparison metrics: some new results", Systematic Biology 42
       (1993) 126-141, doi:10.1093/sysbio/42.2.126.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.comparison import quartets
    >>> counts = quartets(from_newick("((ape,cat),(elk,owl),jay);"), from_newick("((ape,cat),(elk,owl,jay));"))
    >>> counts
    QuartetCounts(same=3, different=0, only_a=2, only_b=0, neither=0)
    >>> counts.do_not_conflict, counts.explicitly_agree
    (1.0, 0.6)
    """
    overlap = _overlap(a, b, on_mismatch, match_names)
    return QuartetCounts(*PairStatistics(Pair.of(overlap)).quartets)


def _overlap(
    a: HierarchyLike | UnrootedTree,
    b: HierarchyLike | UnrootedTree,
    on_mismatch: OnMismatch,
    match_names: MatchNames,
    names: tuple[str, str] | None = None,
    weights: ArrayLike | Mapping[str, int] | None = None,
) -> Overlap:
    """Return the overlap of two trees with whatever roots."""
    first, second = (tree.tree if isinstance(tree, UnrootedTree) else tree for tree in as_trees(a, b))
    return Overlap.of(first, second, on_mismatch=on_mismatch, match_names=match_names, names=names, weights=weights)


def _measures(names: Sequence[str] | None) -> list[Measure]:
    """Return the measures of these names, refusing those that need a root; by default all others."""
    every = [name for name in TREE_MEASURES if MEASURES[name].unrooted]
    chosen = measures_named(every if names is None else names, "trees")
    rooted = [measure.name for measure in chosen if not measure.unrooted]
    if rooted:
        raise InvalidInputError(
            f"measures must have a meaning without a root, as {', '.join(every)}; {rooted[0]} depends on which items"
            " the root puts inside a cluster",
            Remedy("", ..., "compares rooted trees", "compare"),
        )
    return chosen
