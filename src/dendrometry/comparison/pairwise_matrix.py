"""One measure between all pairs of several hierarchies, and the hierarchies that stand out from the rest."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import elements
from dendrometry._check.frames import is_frame
from dendrometry._check.numbers import real_number
from dendrometry._display import name_trees, plural, printable
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._html import Column, note, table
from dendrometry._jobs import check_n_jobs, results_in_parts
from dendrometry._progress import track
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray
from dendrometry.errors import DendrometryError, InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.measures.duration import refuse_slow
from dendrometry.measures.flat import statistics_of
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, measure_named
from dendrometry.unrooted import UnrootedTree

_MOST_SHOWN = 20  # maximum number of trees shown in a notebook
_NEAR_CHANCE = 0.1  # adjusted values below it are hardly better than by chance


@dataclass(frozen=True, eq=False, repr=False)
class Matrix(Frozen, Tabular):
    """A measure between all pairs of trees of a collection.

    Attributes
    ----------
    names : tuple of str
        The name of each tree.
    values : (n_trees, n_trees) array of float
        Row i, column j: the measure with tree i as the first and tree j as the second argument.
    measure : str
        The name of the measure.
    adjusted : bool
        Whether the values are adjusted for chance: 1 for identical trees, 0 as by chance. Otherwise they are those of
        the measure itself.
    unrooted : bool
        Whether the trees were compared without their roots.
    """

    names: tuple[str, ...]
    values: FloatArray
    measure: str
    adjusted: bool = False
    unrooted: bool = False

    @property
    def title(self) -> str:
        """The name of the measure, and that its values are adjusted if they are."""
        return f"{self.measure}, adjusted" if self.adjusted else self.measure

    @property
    def is_similarity(self) -> bool:
        """Whether higher values are more alike, as all adjusted values are."""
        return self.adjusted or MEASURES[self.measure].kind == "similarity"

    @property
    def span(self) -> tuple[float, float]:
        """The range of values that colours stand for: that of the measure, so that small differences look small.

        Adjusted values are shown from 0, or from the least one if that is negative, to 1; a measure without an upper
        bound up to the greatest value.
        """
        entry = MEASURES[self.measure]
        lower = min(0.0, float(self.values.min())) if self.adjusted else entry.lower
        upper = 1.0 if self.adjusted else entry.upper
        return lower, upper if np.isfinite(upper) else float(self.values.max()) or 1.0

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with the names of the trees as index and columns."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        return pd.DataFrame(self.values, index=list(self.names), columns=list(self.names))

    def rows(self) -> list[tuple[str, ...]]:
        """Return the values as short text below the names: a heading, then one row for each tree."""
        body = zip(self.names, self.values.tolist(), strict=True)
        return [("", *self.names), *((name, *(f"{value:.4g}" for value in row)) for name, row in body)]

    @property
    def scale(self) -> str:
        """The range of the values, and which are more alike."""
        if self.adjusted:
            return "0 as by chance, 1 for identical trees"
        entry = MEASURES[self.measure]
        reached = entry.unrooted.reached if self.unrooted and entry.unrooted else ""
        return f"{reached or entry.span}, {entry.better} = more alike"

    def notes(self) -> list[str]:
        """Return what the values mean."""
        symmetric = MEASURES[self.measure].symmetric
        which = "" if symmetric else "; the row is the first tree, the column the second"
        bare = " without roots," if self.unrooted else ""
        return [f"{plural(len(self.names), 'tree')}{bare} by {self.title}: {self.scale}{which}"]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype)

    def _first_trees(self) -> tuple[Matrix, str]:
        """Return the first trees, and how many more there are as text."""
        more = len(self.names) - _MOST_SHOWN
        if more <= 0:
            return self, ""
        few = self.values[:_MOST_SHOWN, :_MOST_SHOWN]
        return replace(self, names=self.names[:_MOST_SHOWN], values=few), f"; {plural(more, 'more tree')} not shown"

    def _repr_html_(self) -> str:
        shown, more = self._first_trees()
        columns = [Column(self.measure, "head"), *(Column(name, "number") for name in shown.names)]
        return table(columns, shown.rows()[1:]) + note(f"{self.notes()[0]}{more}")

    def __str__(self) -> str:
        shown, more = self._first_trees()
        rows = [[printable(cell) for cell in row] for row in shown.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, "", f"{self.notes()[0]}{more}"])

    __repr__ = __str__


def pairwise_matrix(
    trees: Mapping[str, HierarchyLike | UnrootedTree] | Sequence[HierarchyLike | UnrootedTree],
    measure: str = "hierarchy_agreement",
    *,
    adjusted: bool | None = None,
    n_jobs: int | None = -1,
    allow_slow: bool = False,
    progress: bool = False,
) -> Matrix:
    """Return one measure between all pairs of several hierarchies.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies, or of what `as_hierarchy` takes
        At least one tree; those of a sequence are named "0", "1", and so on. All must contain the same items. Unrooted
        trees (see `io.unroot`) are taken for measures whose record has ``unrooted`` set.
    measure : str
        The name of a measure, see `dendrometry.measures.MEASURES`; for one of partitions, all trees must be flat.
    adjusted : bool, optional
        Whether the values are adjusted for chance, which makes trees of different shapes comparable: 1 for identical
        trees, 0 as by chance. By default they are if the mean over all relabellings has a formula.
    n_jobs : int or None
        The number of jobs at a time; by default one for each core. They run on threads unless `joblib.parallel_config`
        chooses another backend; None leaves the number to it, too. The result depends on neither.
    allow_slow : bool
        Whether to go on if all pairs are estimated to take more than 10 minutes of a core; see
        `Measure.estimate_seconds`.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    Matrix
        The names and a square array; symmetric if the measure is.

    Raises
    ------
    ItemMismatchError
        If two trees contain different items.
    InvalidInputError
        If the collection is empty, an element is not a hierarchy, there is no such measure, ``adjusted`` is set for a
        measure that cannot be adjusted for chance, or all pairs would take more than 10 minutes of a core and
        ``allow_slow`` is not set.
    UndefinedMeasureError
        If the measure is undefined for some pair.

    Notes
    -----
    Where every relabelling of two trees gives the value of identical trees, the adjusted value is 1.

    Examples
    --------
    >>> from dendrometry import from_newick, pairwise_matrix
    >>> shapes = {"x": "((a,b),(c,d));", "y": "(((a,b),c),d);", "z": "((a,c),(b,d));"}
    >>> trees = {name: from_newick(text) for name, text in shapes.items()}
    >>> pairwise_matrix(trees)
       x     y       z
    x  1     0.25    -0.5
    y  0.25  1       -0.125
    z  -0.5  -0.125  1
    <BLANKLINE>
    3 trees by hierarchy_agreement, adjusted: 0 as by chance, 1 for identical trees
    >>> pairwise_matrix(trees, adjusted=False).to_frame()
           x       y       z
    x  1.000  0.8750  0.7500
    y  0.875  1.0000  0.8125
    z  0.750  0.8125  1.0000
    """
    entry = measure_named(measure)
    can_adjust = entry.expects and entry.identical is not None
    adjusts = can_adjust if adjusted is None else flag(adjusted, "adjusted")
    if adjusts and not can_adjust:
        lacks = "a formula for its mean by chance" if not entry.expects else "one value for all identical trees"
        raise InvalidInputError(f"adjusted needs a measure that can be adjusted for chance; {measure} lacks {lacks}")
    names, listed = _trees_for(entry, trees)
    n = len(listed)
    jobs = [(i, j) for i in range(n) for j in range(n) if i <= j or not entry.symmetric]

    _refuse_slow(entry, listed, jobs, flag(allow_slow, "allow_slow"))

    def scored(job: tuple[int, int]) -> float:
        first, second = (listed[i] for i in job)
        try:
            score = entry.score(statistics_of(entry, first, second))
        except DendrometryError as error:
            called = (tree_text(names[job[0]]), tree_text(names[job[1]]))
            which = "' and '".join(dict.fromkeys(printable(names[i]) for i in job))
            raise type(error)(f"comparing '{which}': ", *name_trees(error.args, called)) from None
        if not adjusts:
            return score.value
        return 1.0 if score.adjusted is None else score.adjusted

    found = results_in_parts(scored, jobs, check_n_jobs(n_jobs))
    title = f"{measure} of {n} trees"
    values = np.empty((n, n))
    for (i, j), value in zip(jobs, track(found, title, len(jobs), progress), strict=True):
        values[i, j] = value
        if entry.symmetric:
            values[j, i] = value
    unrooted = any(isinstance(tree, UnrootedTree) for tree in listed)
    return Matrix(names, read_only(values), measure, adjusts, unrooted)


def _trees_for(
    measure: Measure, trees: Mapping[str, HierarchyLike | UnrootedTree] | Sequence[HierarchyLike | UnrootedTree]
) -> tuple[tuple[str, ...], Sequence[Hierarchy | UnrootedTree]]:
    """Return the names and the trees, which may be unrooted if all are and the measure has a meaning for them."""
    given = list(trees.values()) if isinstance(trees, Mapping) else trees
    if not measure.unrooted or not isinstance(given, list | tuple):
        return named_trees(cast("Sequence[HierarchyLike]", trees), "matrix")
    bare = [tree.tree if isinstance(tree, UnrootedTree) else tree for tree in given]
    names, listed = named_trees(dict(zip(trees, bare, strict=True)) if isinstance(trees, Mapping) else bare, "matrix")
    unrooted = [isinstance(tree, UnrootedTree) for tree in given]
    if any(unrooted) and not all(unrooted):
        rooted = tree_text(names[unrooted.index(False)])
        raise InvalidInputError(f"all trees must have a root, or none; {rooted} has one, others are unrooted")
    return names, [UnrootedTree(tree) for tree in listed] if all(unrooted) else listed


def _refuse_slow(
    measure: Measure, trees: Sequence[Hierarchy | UnrootedTree], jobs: list[tuple[int, int]], allow_slow: bool
) -> None:
    """Refuse a measure that would take very long on all pairs; each first tree is looked at with one other."""
    if measure.cost is None or allow_slow:
        return
    try:
        of_first = {i: measure.cost(statistics_of(measure, trees[i], trees[j])) for i, j in dict(jobs).items()}
    except DendrometryError:
        return  # told with the names of the trees when they are compared
    steps = sum(of_first[i] for i, _ in jobs)
    refuse_slow(measure, steps, f"of {plural(len(jobs), 'pair')} of trees", allow_slow=False)


def far_from_all(matrix: Matrix, *, fence: float = 1.5) -> list[str]:
    """Return the names of the trees that stand out from the rest: candidates for exclusion from a consensus.

    A tree stands out if its median distance to the others exceeds the third quartile of these medians by more than
    ``fence`` times their interquartile range (Tukey's rule). Trees that stand out may be near to each other.

    Parameters
    ----------
    matrix : Matrix
        The result of `pairwise_matrix`; similarities are converted to distances, and asymmetric measures are averaged
        over both orders.
    fence : float
        The distance from the third quartile to the limit, in interquartile ranges; at least 0.

    Returns
    -------
    list of str
        The names, farthest first; empty if no tree exceeds the limit or there are fewer than four trees.

    Raises
    ------
    InvalidInputError
        If ``matrix`` is not a Matrix, or ``fence`` is negative, infinite or not a number.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, section 5,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry.comparison import far_from_all
    >>> from dendrometry import from_newick, pairwise_matrix
    >>> alike = [from_newick("((((a,b),c),d),((e,f),(g,h)));")] * 4
    >>> other = from_newick("((a,h),(b,g),(c,f),(d,e));")
    >>> far_from_all(pairwise_matrix([*alike, other], "hierarchy_agreement"))
    ['4']
    """
    if not isinstance(matrix, Matrix):
        raise InvalidInputError(
            f"far_from_all takes a Matrix; got {type(matrix).__name__}", Remedy("", ..., "makes one", "pairwise_matrix")
        )
    real_number(fence, "fence", least=0.0)
    n = len(matrix.names)
    if n < 4:
        return []
    middle = median_distances(matrix)
    low, high = np.quantile(middle, [0.25, 0.75])
    far = np.flatnonzero(middle > high + fence * (high - low))
    return [matrix.names[i] for i in far[np.argsort(-middle[far], kind="stable")].tolist()]


def near_chance(matrix: Matrix) -> list[str]:
    """Return the trees that are no more like the others than by chance; none if the values are not adjusted.

    At least three quarters of the values of such a tree with the others are below 0.1: the third quartile, since the
    median of a tree that is like nearly half of the others is that of chance, too.
    """
    n = len(matrix.names)
    if not matrix.adjusted or n < 4:
        return []
    values = 1.0 - distances(matrix)[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    low = np.quantile(values, 0.75, axis=1) < _NEAR_CHANCE
    return [name for name, is_low in zip(matrix.names, low.tolist(), strict=True) if is_low]


def distances(matrix: Matrix) -> FloatArray:
    """Return the values as distances, averaged over both orders; similarities are subtracted from that of identity."""
    apart = 1.0 - matrix.values if matrix.adjusted else MEASURES[matrix.measure].apart(matrix.values)
    apart = np.maximum((apart + apart.T) / 2.0, 0.0)
    np.fill_diagonal(apart, 0.0)
    return apart


def median_distances(matrix: Matrix) -> FloatArray:
    """Return the median distance of each tree to the others; there must be at least two trees."""
    n = len(matrix.names)
    middle: FloatArray = np.median(distances(matrix)[~np.eye(n, dtype=bool)].reshape(n, n - 1), axis=1)
    return middle


def tree_text(name: str) -> str:
    """Return a tree by its name, for messages."""
    return f"tree '{printable(name)}'"


def named_trees(
    trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike], taker: str
) -> tuple[tuple[str, ...], list[Hierarchy]]:
    """Return the names and the trees of a collection; error messages name the function called."""
    if isinstance(trees, Hierarchy):
        raise InvalidInputError(f"{taker} takes several trees; got a single Hierarchy")
    if isinstance(trees, str | os.PathLike):
        raise InvalidInputError(f"{taker} takes several trees; got a path (read_many returns the trees of a file)")
    given: object = trees
    if not isinstance(given, Iterable) or is_frame(given) or isinstance(given, np.ndarray):
        raise InvalidInputError(f"{taker} takes a mapping or a sequence of trees; got {type(given).__name__}")
    listed = list(trees.values()) if isinstance(trees, Mapping) else elements(trees, "the trees")
    names = tuple(trees) if isinstance(trees, Mapping) else tuple(map(str, range(len(listed))))
    if not listed:
        raise InvalidInputError(f"{taker} needs at least one tree; got none")
    for name in names:
        if not isinstance(name, str):
            raise InvalidInputError(f"the names of the trees must be strings; got {printable(name)}")
    return names, [as_hierarchy(tree, what=tree_text(name)) for name, tree in zip(names, listed, strict=True)]
