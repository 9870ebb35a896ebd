"""Many flat clusterings of the same items at several resolutions: their steps, congruence and nearest nested tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import elements, some_of
from dendrometry._check.frames import columns_of, is_frame, named_columns
from dendrometry._check.labels import Partition, encode_in_order
from dendrometry._check.names import name_items, names_within
from dendrometry._display import index_text, plain_signature, plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError, ItemMismatchError, Remedy
from dendrometry.measures.partitions.adjusted_wallace_ab import adjusted_wallace_ab
from dendrometry.measures.partitions.adjusted_wallace_ba import adjusted_wallace_ba
from dendrometry.partition.decompose import decompose
from dendrometry.partition.level_choice import LEAST, REFINED, LevelChoice, choose_level
from dendrometry.partition.nesting import Nesting, main_parts, nest_levels

_FEW_ITEMS = 10  # up to so many, each may well be a cluster with a name


@plain_signature
class Step(NamedTuple):
    """The step from one level to the next finer one.

    ``similarity`` is `split_merge`, and 1 - ``similarity`` is the sum of ``split_cost``, for clusters that the finer
    level divides, and ``merge_cost``, for clusters of it that unite parts of several coarser ones. ``n_split`` and
    ``n_merged`` count these clusters. ``moved`` is the fewest items that must move for the finer level to refine the
    coarser. If it does, ``n_merged``, ``merge_cost`` and ``moved`` are 0.
    """

    coarse: str
    fine: str
    similarity: float
    split_cost: float
    merge_cost: float
    n_split: int
    n_merged: int
    moved: int


@dataclass(frozen=True, eq=False, repr=False)
class Resolutions(Frozen, Tabular):
    """Several flat clusterings of the same items, from the coarsest to the finest level.

    Attributes
    ----------
    names : tuple of str
        The names of the levels.
    items : tuple of str
        The names of the items.
    levels : tuple of Partition
        The clusterings: ``code``, the number of each item's cluster, and ``label``, the label of each cluster.
    steps : tuple of Step
        What changes from each level to the next.
    congruence : (n_levels, n_levels) array of float
        The adjusted Wallace coefficient from the level of the row to that of the column: 1 if every pair of items
        together in the row's level is together in the column's, 0 by chance.
    nesting : Nesting
        The nearest nested tree that was found, and the items that move for it.
    """

    names: tuple[str, ...]
    items: tuple[str, ...]
    levels: tuple[Partition, ...]
    steps: tuple[Step, ...]
    congruence: FloatArray
    nesting: Nesting

    @property
    def n_clusters(self) -> IntArray:
        """The number of clusters of each level."""
        return np.array([level.label.size for level in self.levels])

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each step."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(list(self.steps), columns=list(Step._fields))

    def choose(self) -> LevelChoice:
        """Return which level stands out, if any, and what speaks for each.

        Finer levels divide the clusters of a level that fits the items, and cross those of a level that is too fine. So
        a level stands out if the levels with more clusters refine it, but not the next one, and more if several levels
        are nearly the same, as at many settings of a resolution. It needs two levels with more clusters to be judged.
        Cuts of one tree are nested, and no level stands out. No rule proves a number of clusters.

        Examples
        --------
        >>> from dendrometry.partition import resolutions
        >>> levels = ["aaaaaabbbbbb", "aaaaccbbbbbb", "aaccccbbbddd", "aabbccddeeff"]
        >>> found = resolutions([list(level) for level in levels])
        >>> choice = found.choose()
        >>> found.names[choice.level], choice.refined.round(2).tolist(), choice.standing.round(1).tolist()
        ('1', [1.0, 0.54, nan, nan], [10.2, 0.5, nan, nan])
        """
        return choose_level(self.congruence, self.n_clusters, len(self.items))

    @property
    def verdict(self) -> str:
        """Which level stands out, with the reasons, or why none does."""
        choice = self.choose()
        at = choice.level
        if at is None:
            return self._no_verdict(choice)
        after = int(np.argmax(self.n_clusters > self.n_clusters[at]))  # the next level with more clusters
        beyond = min(self.congruence[i, after] for i in self._finer(after))
        parts = [
            f"Level {printable(self.names[at])} with {plural(int(self.n_clusters[at]), 'cluster')} stands out: finer"
            " levels divide its clusters and hardly cross them (adjusted Wallace coefficient"
            f" {index_text(choice.refined[at])} at least; {index_text(beyond)} for {printable(self.names[after])}).",
            *(self._step_words(i) for i in dict.fromkeys((at - 1, after - 1)) if i >= 0),
        ]
        if choice.n_alike[at] > 1:
            parts.append(f"{plural(int(choice.n_alike[at]), 'level')} are nearly the same as it, itself included.")
        others = [
            i for i in np.argsort(-choice.standing, kind="stable").tolist() if self._stands(choice, i) and i != at
        ]
        if others:
            names = ", ".join(f"{printable(self.names[i])} ({self.n_clusters[i]:,})" for i in others[:3])
            parts.append(f"Next best: {names}.")
        return " ".join(parts)

    def _finer(self, at: int) -> list[int]:
        """Return the levels with more clusters than one, but fewer than items."""
        n = self.n_clusters
        return np.flatnonzero((n > n[at]) & (n < len(self.items))).tolist()

    def _stands(self, choice: LevelChoice, i: int) -> bool:
        """Whether a level could be chosen, and differs from the chosen one in its number of clusters."""
        differs = choice.level is None or self.n_clusters[i] != self.n_clusters[choice.level]
        return bool(differs and choice.refined[i] >= REFINED and choice.standing[i] >= LEAST)

    def _step_words(self, i: int) -> str:
        """Return what changes in a step, in words."""
        step = self.steps[i]
        split, moved = plural(step.n_split, "cluster"), plural(step.moved, "item")
        return (
            f"From {printable(step.coarse)} to {printable(step.fine)}: {split} split, {step.n_merged:,} merged,"
            f" {moved} moved."
        )

    def _no_verdict(self, choice: LevelChoice) -> str:
        """Return why no level stands out."""
        judged = np.flatnonzero(~np.isnan(choice.refined))
        if not judged.size:
            return "No level can be judged: that takes two levels with more clusters, but fewer than items."
        top = float(choice.refined[judged].max())
        if top < REFINED:
            return (
                "No level stands out: clusters of finer levels cross those of every level (adjusted Wallace"
                f" coefficient {index_text(top)} at most; {REFINED} or more is required)."
            )
        if self.nesting.n_moves == 0:
            return "No level stands out: all are nested, as cuts of one tree, and only the data can say which fits."
        at = int(np.nanargmax(np.where(choice.refined >= REFINED, choice.standing, np.nan)))
        return (
            "No level stands out: of those that finer levels refine, none is much better than the next (standing"
            f" {choice.standing[at]:.2f} for {printable(self.names[at])}; {LEAST:g} or more is required)."
        )

    def tell(self) -> str:
        """Return in words which level stands out, and how far the levels are from being nested.

        Examples
        --------
        >>> from dendrometry.partition import resolutions
        >>> print(resolutions([[0, 0, 0, 1, 1], [0, 0, 1, 1, 2]]).tell())
        5 items at 2 levels of 2 to 3 clusters.
        No level can be judged: that takes two levels with more clusters, but fewer than items.
        The levels are not nested: 1 move of 1 item makes them so, and no tree needs fewer.
        """
        first = f"{plural(len(self.items), 'item')} at {self._levels_text()}."
        return f"{first}\n{self.verdict}\n{self.nested_words}"

    @property
    def nested_words(self) -> str:
        """How far the levels are from being nested."""
        if self.nesting.n_moves == 0:
            return "The levels are nested."
        sure = "no tree needs fewer" if self.nesting.is_fewest else f"any tree needs at least {self.nesting.least:,}"
        moves = f"{plural(self.nesting.n_moves, 'move')} of {plural(self.nesting.n_items_moved, 'item')}"
        verb = "makes" if self.nesting.n_moves == 1 else "make"
        return f"The levels are not nested: {moves} {verb} them so, and {sure}."

    def _repr_html_(self) -> str:
        columns = dict(zip(Step._fields, zip(*self.steps, strict=True), strict=False))
        return preview(repr(self), {name: list(column) for name, column in columns.items()} or {"level": self.names})

    def __repr__(self) -> str:
        items, moves = plural(len(self.items), "item"), plural(self.nesting.n_moves, "move")
        return f"Resolutions({items}, {self._levels_text()}, {moves} from nested)"

    def _levels_text(self) -> str:
        """Return the numbers of levels and of their clusters in words."""
        counts = self.n_clusters.tolist()
        fewest = f"{counts[0]:,} to " if len(counts) > 1 else ""
        return f"{plural(len(counts), 'level')} of {fewest}{plural(counts[-1], 'cluster')}"


def resolutions(
    levels: Any, *, columns: Iterable[str] | None = None, item_names: Iterable[str] | None = None
) -> Resolutions:
    """Return how flat clusterings of the same items at several resolutions relate to each other.

    The clusterings need not be nested, such as those of the Leiden algorithm at several resolutions, or of k-means for
    several k. The result holds the cost of each step in splits and merges, how well each level predicts each other, and
    the nearest nested tree with the items that must move for it.

    Parameters
    ----------
    levels : sequence of (n_items,) array-like, mapping, data frame or AnnData
        The label of each item at each level: a sequence of labels, named "1", "2" and so on; a mapping from the name of
        a level to its labels; a data frame with a column for each level; or an AnnData object, whose ``obs`` is such a
        data frame. Levels are sorted by their number of clusters; those with equally many stay in the given order.
    columns : sequence of str, optional
        The levels of a mapping or the columns of a data frame to take; by default all.
    item_names : sequence of str, optional
        The names of the items; by default those of the index, or "0", "1", and so on.

    Returns
    -------
    Resolutions
        The levels from the coarsest to the finest, their ``steps``, ``congruence`` and ``nesting``.

    Raises
    ------
    InvalidInputError
        If there is no level, a column does not exist, or labels are invalid.
    ItemMismatchError
        If levels differ in their number of items or in their index.

    Notes
    -----
    In a nested tree every cluster lies in one cluster of the next coarser level. Its distance from the levels is the
    number of moves: at each level, the items that leave their cluster. For two levels the fewest moves are found: each
    cluster of the finer level belongs to the cluster of the coarser that holds most of its items, and the other items
    move. From three levels on, to find the fewest items that must move is NP-hard: code each literal of a formula as an
    item, whose clusters at three levels are its truth value, its variable and its clause; then as many items can stay
    as clauses can be satisfied. So the parent of each cluster is chosen by majority, as for two levels, and only the
    rest is exact: given the parents, no item can move at fewer levels. ``nesting.least`` is a lower bound on the moves
    of any tree; where it is reached, ``nesting.is_fewest`` is True. An item that has left its clusters from some level
    on belongs to an inner node of the tree.

    O(n_items x n_levels**2) time, with integer labels.

    References
    ----------
    .. [1] L. Zappia, A. Oshlack, "Clustering trees: a visualization for evaluating clusterings at multiple
       resolutions", GigaScience 7 (2018), doi:10.1093/gigascience/giy083.
    .. [2] A. Severiano, F. R. Pinto, M. Ramirez, J. A. Carrico, "Adjusted Wallace coefficient as a measure of
       congruence between typing methods", Journal of Clinical Microbiology 49 (2011) 3997-4000,
       doi:10.1128/JCM.00624-11.

    Examples
    --------
    >>> from dendrometry.partition import resolutions
    >>> found = resolutions({"coarse": list("aaaabb"), "fine": list("xxyyzy")})
    >>> found
    Resolutions(6 items, 2 levels of 2 to 3 clusters, 1 move from nested)
    >>> found.steps[0].n_split, found.steps[0].n_merged, found.congruence.round(2).tolist()
    (2, 1, [[1.0, 0.03], [0.06, 1.0]])
    >>> print(found.nesting.tree.draw())
    •
    ├─ a
    │  ├─ x: 0, 1
    │  └─ y: 2, 3, 5
    └─ b
       └─ z: 4
    """
    named, items = levels_by_name(levels, columns, item_names)
    names = tuple(sorted(named, key=lambda name: named[name].label.size))
    ordered = [named[name] for name in names]
    congruence, steps = _compare(names, [level.code for level in ordered])
    return Resolutions(names, items, tuple(ordered), steps, congruence, nest_levels(ordered, names, items))


def levels_by_name(
    levels: Any, columns: Iterable[str] | None, item_names: Iterable[str] | None
) -> tuple[dict[str, Partition], tuple[str, ...]]:
    """Return each level by name, and the names of the items."""
    given, first = _labels_by_name(levels, columns)
    try:
        named = {
            name: encode_in_order(first, labels, f"'{printable(name)}'", "levels") for name, labels in given.items()
        }
    except InvalidInputError as error:
        if columns is not None or not (isinstance(levels, Mapping) or is_frame(first)):
            raise
        raise type(error)(*error.args, Remedy("columns", ..., "names the levels")) from None
    sizes = {level.code.size for level in named.values()}
    if len(sizes) > 1:
        raise ItemMismatchError(f"levels must have one label for each item; got {sorted(sizes)} labels")
    return named, name_items(first, item_names, sizes.pop())


def _labels_by_name(levels: Any, columns: Iterable[str] | None) -> tuple[dict[str, Any], Any]:
    """Return the labels of each level by name, and what names the items: the table, or the first level."""
    table: Any = levels if isinstance(levels, Mapping) else getattr(levels, "obs", levels)
    framed = is_frame(table)
    if isinstance(table, Mapping) or framed:
        known = named_columns(table)
        if framed and columns is None:
            _refuse_names(table, known)
        given = {name: known[name] for name in (known if columns is None else some_of(columns, "columns", known))}
    elif columns is not None:
        raise InvalidInputError("columns are of a mapping or a data frame; got them with a sequence of labels")
    elif isinstance(table, str | bytes) or not isinstance(table, Iterable):
        raise InvalidInputError(
            f"levels must be a sequence of labels, a mapping or a data frame; got {printable(table)}"
        )
    else:
        given = {str(i): labels for i, labels in enumerate(elements(table, "levels"), 1)}
    if not given:
        raise InvalidInputError("there must be at least one level; got none")
    return given, table if framed else next(iter(given.values()))


def _refuse_names(table: Any, known: Mapping[str, Any]) -> None:
    """Refuse a first column that names the items of a table without such an index: it is no level."""
    first = next(iter(known))
    values = columns_of({first: known[first]})[first]
    texts = len(values) > _FEW_ITEMS and all(isinstance(value, str) and not value.isdecimal() for value in values)
    if texts and len(known) > 1 and len(set(values)) == len(values) and names_within(table) is None:
        raise InvalidInputError(
            f"column '{printable(first)}' must be a level; it has another text for each item, as names have",
            Remedy("columns", ..., "names the levels"),
        )


def _compare(names: tuple[str, ...], codes: list[IntArray]) -> tuple[FloatArray, tuple[Step, ...]]:
    """Return the adjusted Wallace coefficients of all pairs of levels, and the steps from each level to the next."""
    n = len(codes)
    congruence = np.ones((n, n))
    steps = []
    for i in range(n):
        for j in range(i + 1, n):
            table = Contingency.of(codes[i], codes[j])
            congruence[i, j], congruence[j, i] = adjusted_wallace_ab(table), adjusted_wallace_ba(table)
            if j == i + 1:
                steps.append(_step(names[i], names[j], table))
    return congruence, tuple(steps)


def _step(coarse: str, fine: str, table: Contingency) -> Step:
    """Return what changes from a level to the next finer one."""
    found = decompose(table, measure="split_merge")
    costs = {"split": 0.0, "merge": 0.0}
    if found.clusters is not None:
        for what in costs:
            costs[what] = float(found.clusters.cost[np.array(found.clusters.what) == what].sum())
    n_split, n_merged = (int((np.bincount(side) > 1).sum()) for side in (table.row, table.column))
    return Step(coarse, fine, found.value, costs["split"], costs["merge"], n_split, n_merged, main_parts(table)[1])
