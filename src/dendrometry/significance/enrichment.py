"""Whether a class of items is concentrated in a subtree: an exact test for every node and class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import elements, suggestion
from dendrometry._check.names import is_missing, names_within
from dendrometry._check.numbers import real_number
from dendrometry._display import plural, printable, quote_first
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels.tree import accumulate_sum
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry._version import __version__
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.significance.hypergeometric import holm, log_tails

_SEVERAL = (list, tuple, set, frozenset)  # of labels of one item


@dataclass(frozen=True, eq=False, repr=False)
class Enrichment(Frozen, Tabular):
    """The nodes and classes with a p-value of at most alpha, the least p-value first.

    Attributes
    ----------
    tree : Hierarchy
        The tree.
    alpha : float
        The level.
    classes : tuple of str
        The classes, in alphabetical order.
    n_labelled, n_tests : int
        The numbers of items that have a label, and of tests: every class with every cluster of some but not all of
        these items, and more than one.
    node, label : (n_rows,) arrays of int
        The node of each row, and the number of its class.
    size, count, total : (n_rows,) arrays of int
        The numbers of labelled items of the node, of those of the class among them, and of the class in the whole tree.
    log_p_value, log_adjusted : (n_rows,) arrays of float
        The natural logarithms of the p-value, and of that after Holm's adjustment for the number of tests.
    """

    tree: Hierarchy
    alpha: float
    classes: tuple[str, ...]
    n_labelled: int
    n_tests: int
    node: IntArray
    label: IntArray
    size: IntArray
    count: IntArray
    total: IntArray
    log_p_value: FloatArray
    log_adjusted: FloatArray

    @property
    def p_value(self) -> FloatArray:
        """The chance that as many random items hold at least as many of the class; 0 if below the least float."""
        return np.exp(self.log_p_value)

    @property
    def adjusted(self) -> FloatArray:
        """The p-values adjusted for the number of tests, which hold the family-wise error."""
        return np.exp(self.log_adjusted)

    @property
    def expected(self) -> FloatArray:
        """The number of items of the class that as many random items hold on average."""
        return self.size * self.total / self.n_labelled

    @property
    def significant(self) -> BoolArray:
        """Which rows have an adjusted p-value of at most alpha."""
        held: BoolArray = self.log_adjusted <= np.log(self.alpha)
        return held

    @property
    def peaks(self) -> IntArray:
        """The rows that say where each class is concentrated, without those that follow from being above or below.

        Of the significant nodes of a class, the one with the least p-value; then of those neither above nor below it
        the one with the least; and so on.
        """
        low, high = self.tree.order.low[self.node], self.tree.order.high[self.node]
        chosen: list[int] = []
        rows = np.flatnonzero(self.significant)
        for own in np.unique(self.label[rows]).tolist():
            left = rows[self.label[rows] == own]
            while left.size:
                first = left[0]
                chosen.append(int(first))
                left = left[(high[left] <= low[first]) | (low[left] >= high[first])]
        return np.array(sorted(chosen), dtype=np.int64)

    @property
    def methods(self) -> str:
        """How the p-values were obtained, as sentences for the methods section of a paper."""
        items, tests = plural(self.n_labelled, "labelled item"), plural(self.n_tests, "test")
        return (
            f"Whether one of {len(self.classes):,} classes is concentrated in a cluster of the tree was tested for each"
            f" class and each cluster of 2 to {self.n_labelled - 1:,} of the {items}, {tests}, by the upper tail of the"
            " hypergeometric distribution (Fisher's exact test, one-sided): the probability that as many items, drawn"
            " at random from all labelled ones, hold at least as many of the class. The p-values were adjusted by the"
            " method of Holm (1979), which holds the family-wise error over all nodes and classes. Computed with"
            f" dendrometry {__version__}."
        )

    @property
    def verdict(self) -> str:
        """What was found, what it was compared with, at which level, and what it does not show, as a paragraph."""
        n, classes = int(self.significant.sum()), np.unique(self.label[self.significant]).size
        are = "is" if n == 1 else "are"
        return (
            f"At the level {self.alpha:g}, {n:,} of {plural(self.n_tests, 'pair')} of a node and a class {are}"
            f" concentrations, of {classes:,} of {len(self.classes):,} classes: the node holds more"
            " of the class than as many random labelled items would. The chance that any is named wrongly is at most"
            f" {self.alpha:g}, over all nodes and classes. Nodes above and below a concentration hold part of it, and a"
            " peak has the least p-value. That a class is concentrated in a node does not show that all parts of"
            " the node share it, or that the tree caused it; one that is not named may still be there."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return the rows as columns; ``peak`` says which are peaks."""
        return self._columns(np.arange(len(self)))

    def _columns(self, rows: IntArray) -> dict[str, list[Any]]:
        """Return some rows as columns."""
        names, peak = self.tree.node_names, np.isin(rows, self.peaks)
        numbers = ("size", "count", "total", "expected", "p_value", "adjusted")
        return {
            "class": [self.classes[g] for g in self.label[rows].tolist()],
            "node": self.node[rows].tolist(),
            "name": [names[v] if names else "" for v in self.node[rows].tolist()],
            **{name: getattr(self, name)[rows].tolist() for name in numbers},
            "peak": peak.tolist(),
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each node and class."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self._columns(self.peaks[:MOST_ROWS]), self.peaks.size)

    def __len__(self) -> int:
        return self.node.size

    def __repr__(self) -> str:
        return (
            f"Enrichment({len(self.classes):,} classes, {plural(self.n_labelled, 'labelled item')},"
            f" {plural(self.n_tests, 'test')}; {int(self.significant.sum()):,} significant at {self.alpha:g},"
            f" {self.peaks.size:,} of them peaks)"
        )


def enrichment(tree: HierarchyLike, labels: Any, *, alpha: float = 0.05) -> Enrichment:
    """Test, for every node and class, whether the class is concentrated in the node.

    The p-value is the upper tail of the hypergeometric distribution, as in Fisher's exact test [1]_: the chance that as
    many items as the node has, drawn at random from all labelled items, hold at least as many of the class. Holm's
    adjustment [2]_ holds the family-wise error over all nodes and classes, whichever are enriched and however the tests
    depend on each other.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree: a taxonomy, a dendrogram, or a flat clustering; heights are not used.
    labels : (n_items,) sequence, pandas.Series, or mapping from item to label
        The class of each item: text, a whole number or a boolean; or a list, tuple or set of several classes, such as
        the terms of a gene. Those of a mapping, or of a Series with names in its index, are matched by name, others by
        the order of ``tree.items``. An item without a label (None, nan, an empty collection, not in the mapping) counts
        nowhere.
    alpha : float
        The level, above 0 and at most 1. Tests whose p-value is above it even before the adjustment are left out of the
        result; 1 keeps all in which a class occurs.

    Returns
    -------
    Enrichment
        One row for each node and class with a p-value of at most alpha; ``peaks`` are those that say where each class
        is concentrated.

    Raises
    ------
    ItemMismatchError
        If a label belongs to no item of the tree, or there is not one label for each item in a sequence.
    InvalidInputError
        If no item has a label, a label is neither text nor a whole number nor a boolean, or two have the same text.

    Notes
    -----
    What is rejected for a node is that its items are a random sample of all labelled items, as far as the class goes.
    The nodes above and below a concentration hold part of it and may be significant, too.

    The tests are not made from the root down: the first split would have to be significant before anything below it is
    tested, and a class of eight in a subtree of sixteen of 512 items is found in 2 of 100 random trees in that way,
    and in all of them by Holm's adjustment (``benchmarks/significance.py``).

    A node whose labelled items are those of one of its children is not tested again. O(n) for each class, and for each
    node that holds more of it than expected the terms of a tail.

    References
    ----------
    .. [1] R. A. Fisher, Statistical Methods for Research Workers, 5th edition, 1934, section 21.02.
    .. [2] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
       (1979), 65-70.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.significance import enrichment
    >>> tree = from_newick("((ape,bat,cow,dog,elk,fox),(gull,hawk,ibis,jay,kite,lark)birds);")
    >>> birds = ["gull", "hawk", "ibis", "jay", "kite", "lark"]
    >>> found = enrichment(tree, {name: "flies" if name in [*birds, "bat"] else "walks" for name in tree.items})
    >>> found
    Enrichment(2 classes, 12 labelled items, 4 tests; 2 significant at 0.05, 2 of them peaks)
    >>> found.columns()["class"], found.count.tolist(), found.adjusted.round(3).tolist()
    (['flies', 'walks'], [6, 5], [0.03, 0.03])
    """
    tree = as_hierarchy(tree)
    level = real_number(alpha, "alpha", above=0.0, most=1.0)
    items, codes, classes = _members(tree, labels)
    labelled = np.zeros(tree.n_items, dtype=np.int64)
    labelled[items] = 1
    n = int(labelled.sum())
    size = _count(tree, np.flatnonzero(labelled))
    tested = np.flatnonzero(_is_tested(tree, size, n))
    order = np.argsort(codes, kind="stable")
    members = np.split(items[order], np.cumsum(np.bincount(codes, minlength=len(classes)))[:-1])
    found = [_rows(tree, own, size, tested, n, level) for own in members]
    label = np.repeat(np.arange(len(classes)), [rows[0].size for rows in found])
    node, count, log_p = (np.concatenate(column) for column in zip(*found, strict=True))
    n_tests = tested.size * len(classes)
    first = np.argsort(log_p, kind="stable")
    node, label, count, log_p = node[first], label[first], count[first], log_p[first]
    total = np.array([own.size for own in members], dtype=np.int64)[label]
    log_adjusted = holm(log_p, n_tests)
    columns = map(read_only, (node, label, size[node], count, total, log_p, log_adjusted))
    return Enrichment(tree, level, classes, n, n_tests, *columns)


def _rows(
    tree: Hierarchy, own: IntArray, size: IntArray, tested: IntArray, n: int, level: float
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the tested nodes with a p-value of at most a level, the number of items of the class, and the log of p."""
    count = _count(tree, own)[tested]
    # The median of the count is at least its mean, rounded down: up to there the tail is at least a half.
    keep = np.flatnonzero((count * n > size[tested] * own.size) if level < 0.5 else count > 0)
    node, count = tested[keep], count[keep]
    log_p = log_tails(count, size[node], np.full(node.size, own.size), n)
    small = np.flatnonzero(log_p <= np.log(level))
    return node[small], count[small], log_p[small]


def _count(tree: Hierarchy, items: IntArray) -> IntArray:
    """Return the number of some items at or below each node. O(n)."""
    return accumulate_sum(tree.parent, np.bincount(tree.item_node[items], minlength=tree.n_nodes))


def _is_tested(tree: Hierarchy, size: IntArray, n: int) -> BoolArray:
    """Return which nodes are clusters of more than one labelled item and not of all, each cluster only once."""
    largest = np.zeros(tree.n_nodes, dtype=np.int64)
    np.maximum.at(largest, tree.parent[:-1], size[:-1])
    return (size > 1) & (size < n) & (largest < size)


def _members(tree: Hierarchy, labels: Any) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Return the item and the class of each label, and the names of the classes."""
    names = names_within(labels)
    values = list(labels.values()) if isinstance(labels, Mapping) else elements(labels, "labels")
    if names is None:
        if len(values) != tree.n_items:
            raise ItemMismatchError(
                f"there must be one label for each of {plural(tree.n_items, 'item')}; got {len(values):,}"
            )
        place = list(range(tree.n_items))
    else:
        number = {name: i for i, name in enumerate(tree.items)}
        strange = sorted(set(names).difference(number))
        if strange:
            hint = suggestion(strange[0], tree.items)
            raise ItemMismatchError(f"{hint}labels must be those of items of the tree; got {quote_first(strange)}")
        place = [number[name] for name in names]
    held: dict[Any, str] = {}
    pairs = [(i, _text(one, held)) for i, value in zip(place, values, strict=True) for one in _several(value)]
    if not pairs:
        raise InvalidInputError("at least one item must have a label; got none")
    classes = sorted(set(held.values()))
    code = {name: g for g, name in enumerate(classes)}
    distinct = np.unique(np.array([(i, code[name]) for i, name in pairs], dtype=np.int64), axis=0)
    return distinct[:, 0], distinct[:, 1], tuple(classes)


def _several(value: Any) -> list[Any]:
    """Return the labels of an item, none if they are missing."""
    return [one for one in (value if isinstance(value, _SEVERAL) else (value,)) if not is_missing(one)]


def _text(label: Any, held: dict[Any, str]) -> str:
    """Return a label as text, refusing what is no label, or another label with the same text as one before."""
    whole = isinstance(label, float | np.floating) and float(label).is_integer()
    if not whole and not isinstance(label, str | int | np.integer | np.bool_):
        raise InvalidInputError(f"a label must be text, a whole number or a boolean; got {printable(label)}")
    kind = "text" if isinstance(label, str) else "truth" if isinstance(label, bool | np.bool_) else "number"
    key = (kind, label)
    if key not in held:
        text = str(int(label)) if kind == "number" else str(label)
        if text in held.values():
            raise InvalidInputError(f"labels must be all text or all numbers; got {printable(text)} as both")
        held[key] = text
    return held[key]
