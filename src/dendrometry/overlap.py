"""Overlap: the numbers of common items of two hierarchies whose items are matched by name."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen, float_column, int_column, read_only, real_array
from dendrometry._check.choices import one_of
from dendrometry._check.names import parts_of, table_for
from dendrometry._check.tree import check_tree
from dendrometry._check.weights import weight_column
from dendrometry._display import name_trees, plural, printable, quote_first
from dendrometry._exact import group_sums
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels.io import names as name_kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import (
    InvalidInputError,
    InvalidTreeError,
    ItemMismatchError,
    Message,
    NthTree,
    Remedy,
    advise_function,
)
from dendrometry.hierarchy import Hierarchy, require_hierarchy

_LONGEST = 1_000  # characters of a name that is compared with similar ones

OnMismatch = Literal["error", "intersect", "intersect_any"]
MatchNames = Literal["exact", "loose"]

_MANY = 50_000  # names: fewer are found in a dictionary in the time of loading compiled code


class Side(NamedTuple):
    """One of the two trees of an overlap.

    ``parent`` and ``height`` are the columns of the tree (see `Hierarchy`), ``node`` is the node of each row.
    """

    parent: IntArray
    height: FloatArray | None
    node: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Overlap(Frozen):
    """The number of items that two hierarchies have at each pair of nodes.

    Row r states that ``count[r]`` items belong to node ``a.node[r]`` of the first tree and to node ``b.node[r]``
    of the second. Rows are distinct and in ascending order of (node in a, node in b). Two dendrograms have one row
    for each item; coarse trees have few rows, even for a billion items. `Overlap.of` makes an overlap from two
    hierarchies, `Overlap.from_triples` from existing counts, for instance those of a database.

    Attributes
    ----------
    a, b : Side
        The first and the second tree.
    count : (n_rows,) array of int
        The number of items in each row, at least 1; with weights, their sum.
    items : tuple of str
        The common items, in the order of the first tree; empty if the overlap was made from counts or with weights.
    item_row : (n_items,) array of int
        The row of each of `items`.
    left_out : pair of int
        The numbers of items of the first and of the second tree that the other tree lacks
        (0 unless ``on_mismatch="intersect"``).
    matched_loosely : int
        The number of items whose names differ in case, underscores or spaces (0 unless ``match_names="loose"``).
    node_names : pair of tuples of str
        The names of the nodes of the first and of the second tree; empty if they have none.

    Examples
    --------
    >>> from dendrometry import Overlap, from_labels
    >>> flat = from_labels(["pet", "pet", "wild"], item_names=["cat", "dog", "fox"])
    >>> other = from_labels(["red", "grey", "red"], item_names=["fox", "cat", "dog"])
    >>> overlap = Overlap.of(flat, other)
    >>> overlap
    Overlap(3 items in 3 rows; trees of 3 and 3 nodes)
    >>> list(zip(overlap.a.node.tolist(), overlap.b.node.tolist(), overlap.count.tolist()))
    [(0, 0, 1), (0, 1, 1), (1, 1, 1)]
    """

    a: Side
    b: Side
    count: IntArray
    items: tuple[str, ...]
    item_row: IntArray
    left_out: tuple[int, int] = (0, 0)
    node_names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    matched_loosely: int = 0

    @property
    def n_items(self) -> int:
        """The number of items, summed over all rows."""
        return int(self.count.sum())

    @classmethod
    def of(
        cls,
        a: Hierarchy,
        b: Hierarchy,
        *,
        on_mismatch: OnMismatch = "error",
        match_names: MatchNames = "exact",
        names: tuple[str, str] | None = None,
        weights: ArrayLike | Mapping[str, int] | None = None,
    ) -> Overlap:
        """Return the overlap of two hierarchies, their items matched by name.

        Parameters
        ----------
        a, b : Hierarchy
            The first and the second tree.
        on_mismatch : {"error", "intersect", "intersect_any"}
            What to do if the trees do not hold the same items: raise an error, or use the common items. "intersect"
            requires at least half of the items of each tree to be common, "intersect_any" a single one.
        match_names : {"exact", "loose"}
            With "loose", names that only one tree has are matched if they differ only in case, underscores and spaces,
            and no other name of either tree does. The overlap has the names of the first tree.
        names : pair of str, optional
            What the trees are called in messages.
        weights : (n_items,) array of int, or mapping from item to int, optional
            How many items each item of the first tree stands for, at least 1. The overlap then has the counts without
            the list of items.

        Raises
        ------
        InvalidInputError
            If a weight is not a whole number of at least 1, or they are not one for each item of the first tree.
        ItemMismatchError
            If the item sets differ (the message lists what each tree lacks); with "intersect", if they share less than
            half of the items of either; with "intersect_any", if they share no item.

        Notes
        -----
        O(n log n) time in the number of items, if looking up a name takes constant time.
        """
        one_of(on_mismatch, "on_mismatch", get_args(OnMismatch))
        require_hierarchy(a, NthTree("first"))
        require_hierarchy(b, NthTree("second"))
        one_of(match_names, "match_names", get_args(MatchNames))
        weight = None if weights is None else weight_column(weights, dict.fromkeys(a.items), a.n_items, "the items")
        found, n_loose = positions(a.items, b.items), 0
        if match_names == "loose":
            found, n_loose = match_loosely(a.items, b.items, found)
        n_common = int((found >= 0).sum())
        left_out = (a.n_items - n_common, b.n_items - n_common)
        if any(left_out):
            if not is_enough(n_common, a.n_items, b.n_items, on_mismatch):
                raise ItemMismatchError(*name_trees(mismatch(a, b, on_mismatch), names))
            common = np.flatnonzero(found >= 0)
            first, second = [a.items[i] for i in common.tolist()], [b.items[i] for i in found[common].tolist()]
            kept = None if weight is None else weight[common]
            overlap = cls.of(a.restrict(first), b.restrict(second), match_names=match_names, weights=kept)
            return replace(overlap, left_out=left_out)
        rows = distinct_rows(a.item_node, b.item_node[found], b.n_nodes)
        return cls(
            Side(a.parent, a.height, read_only(rows.a)),
            Side(b.parent, b.height, read_only(rows.b)),
            read_only(np.bincount(rows.row) if weight is None else group_sums(rows.row, weight, rows.a.size)),
            a.items if weight is None else (),
            read_only(rows.row if weight is None else rows.row[:0]),
            node_names=(a.node_names, b.node_names),
            matched_loosely=n_loose,
        )

    @classmethod
    def from_triples(
        cls,
        parent_a: ArrayLike,
        parent_b: ArrayLike,
        triples: ArrayLike,
        *,
        height_a: ArrayLike | None = None,
        height_b: ArrayLike | None = None,
    ) -> Overlap:
        """Return an overlap from existing counts.

        Parameters
        ----------
        parent_a, parent_b : (n_nodes,) array of int
            The trees, as in `Hierarchy`: children first; the root last, with parent -1.
        triples : (n_rows, 3) array of int
            Node in a, node in b and number of items, in any order; rows with the same nodes are added.
        height_a, height_b : (n_nodes,) array of float, optional
            The heights of the nodes.

        Raises
        ------
        InvalidInputError, InvalidTreeError
            If a parent column is not a tree, a triple names a node that does not exist, a count is below 1, or a leaf
            has no items.
        """
        rows = real_array(triples, "triples", 2)
        if rows.shape[1] != 3:
            raise InvalidInputError(f"triples must be rows of (node in a, node in b, count); got shape {rows.shape}")
        node_a, node_b, count = (int_column(rows[:, i], f"column {i} of triples") for i in range(3))
        if (count < 1).any():
            r = int(np.argmax(count < 1))
            raise InvalidInputError(f"every count must be at least 1; got {count[r]} in row {r}")
        if sum(map(int, count.tolist())) > np.iinfo(np.int64).max:
            raise InvalidInputError("the counts must add up to less than 2**63 items")
        a = _read_side(NthTree("first"), parent_a, height_a, node_a)
        b = _read_side(NthTree("second"), parent_b, height_b, node_b)
        met = distinct_rows(node_a, node_b, b.parent.size)
        total = np.zeros(met.a.size, dtype=np.int64)
        np.add.at(total, met.row, count)
        nothing: IntArray = read_only(np.zeros(0, dtype=np.int64))
        return cls(a._replace(node=read_only(met.a)), b._replace(node=read_only(met.b)), read_only(total), (), nothing)

    def swap(self) -> Overlap:
        """Return the same overlap with the two trees exchanged: b first, then a."""
        order = np.lexsort((self.a.node, self.b.node))
        rank = np.empty(order.size, dtype=np.int64)
        rank[order] = np.arange(order.size)
        first, second = (side._replace(node=read_only(side.node[order])) for side in (self.b, self.a))
        row = read_only(rank[self.item_row])
        count, left_out, names = read_only(self.count[order]), self.left_out[::-1], self.node_names[::-1]
        return Overlap(first, second, count, self.items, row, left_out, names, self.matched_loosely)

    def _repr_html_(self) -> str:
        order = np.argsort(-self.count, kind="stable")[:MOST_ROWS]
        first, second = (
            [(names[v] if names else "") or f"node {v}" for v in side.node[order].tolist()]
            for side, names in zip((self.a, self.b), self.node_names, strict=True)
        )
        columns = {"node of a": first, "node of b": second, "items": self.count[order].tolist()}
        if self.items:
            example = np.empty(self.count.size, dtype=np.int64)
            example[self.item_row[::-1]] = np.arange(len(self.items))[::-1]  # the first item of each row
            columns["such as"] = [self.items[i] for i in example[order].tolist()]
        return preview(repr(self), columns, self.count.size)

    def __repr__(self) -> str:
        rows = plural(self.count.size, "row")
        trees = f"trees of {self.a.parent.size:,} and {self.b.parent.size:,} nodes"
        left_out = f"; left out {self.left_out[0]:,} and {self.left_out[1]:,}" if any(self.left_out) else ""
        loose = f"; matched loosely {self.matched_loosely:,}" if self.matched_loosely else ""
        return f"Overlap({plural(self.n_items, 'item')} in {rows}; {trees}{left_out}{loose})"


def _read_side(which: NthTree, parent: ArrayLike, height: ArrayLike | None, node: IntArray) -> Side:
    """Return one tree of an overlap made from counts, checked as a hierarchy whose items are the rows."""
    try:
        parents = int_column(parent, "parent")
        check_tree(parents, node)
        heights = None if height is None else float_column(height, "height")
        if heights is not None and heights.size != parents.size:
            raise InvalidInputError(f"height must have one value for each of {parents.size} nodes; got {heights.size}")
    except InvalidInputError as error:
        raise InvalidTreeError(which, ": ", *error.args) from None
    return Side(parents, heights, node)


def overlap_of_same_items(a: Hierarchy, b: Hierarchy) -> Overlap:
    """Return the overlap of two trees for a function that cannot leave out items, unlike `compare`."""
    try:
        return Overlap.of(a, b)
    except ItemMismatchError as error:
        raise ItemMismatchError(*advise_function(error.args, "compare")) from None


class _Rows(NamedTuple):
    """Distinct pairs of nodes in ascending order, and the position of each given pair among them."""

    a: IntArray
    b: IntArray
    row: IntArray


def distinct_rows(node_a: IntArray, node_b: IntArray, n_b: int) -> _Rows:
    """Return the distinct pairs among ``node_a[i], node_b[i]``, by sorting a number for each pair. O(n log n)."""
    if (node_a[1:] > node_a[:-1]).all():  # leaves are often in the order of their items
        return _Rows(node_a, node_b, np.arange(node_a.size))
    pair = node_a * np.int64(n_b) + node_b  # of trees of up to 2**31 nodes
    order = np.argsort(pair)
    pair = pair[order]
    first = np.append(True, pair[1:] != pair[:-1])
    row = np.empty(order.size, dtype=np.int64)
    row[order] = np.cumsum(first) - 1
    pair = pair[first]
    a = pair // n_b
    return _Rows(a, pair - a * n_b, row)


def positions(names: tuple[str, ...], among: tuple[str, ...]) -> IntArray:
    """Return the position of each name in ``among``, or -1. Many are looked up as bytes: in order, memory is faster."""
    if names == among:
        return np.arange(len(names))
    if min(len(names), len(among)) >= _MANY:
        here, there = parts_of(names, among)
        if (found := name_kernels.positions(here, there, table_for(there))).size:
            return found
    position = dict(zip(among, range(len(among)), strict=True))
    return np.fromiter(map(position.get, names, repeat(-1)), dtype=np.int64, count=len(names))


def match_loosely(names: tuple[str, ...], among: tuple[str, ...], found: IntArray) -> tuple[IntArray, int]:
    """Return positions with those of names whose loose form is unique on both sides, and how many these are."""
    taken = set(found.tolist())
    loose, others = defaultdict(list), defaultdict(list)
    for i in np.flatnonzero(found < 0).tolist():
        loose[_loose(names[i])].append(i)
    for j, name in enumerate(among):
        if j not in taken:
            others[_loose(name)].append(j)
    matched = found.copy()
    for form, here in loose.items():
        if len(here) == len(others[form]) == 1:
            matched[here[0]] = others[form][0]
    return matched, int((matched != found).sum())


class Unmatched(NamedTuple):
    """The items of a tree that the other tree lacks: their number, the number of all items, and some of them."""

    n_lacking: int
    n_items: int
    some: Sequence[str]


def is_enough(n_common: int, n_a: int, n_b: int, on_mismatch: OnMismatch) -> bool:
    """Return whether two trees of ``n_a`` and ``n_b`` items share as many as was asked for."""
    if on_mismatch == "error":
        return n_common == n_a == n_b
    return n_common > 0 and (on_mismatch == "intersect_any" or 2 * n_common >= max(n_a, n_b))


def mismatch(a: Hierarchy, b: Hierarchy, on_mismatch: OnMismatch = "error") -> Message:
    """Return a message that lists the items each tree lacks, and similar names that may denote the same item."""
    only_a = sorted(set(a.items).difference(b.items))
    only_b = sorted(set(b.items).difference(a.items))
    first, second = Unmatched(len(only_a), a.n_items, only_a), Unmatched(len(only_b), b.n_items, only_b)
    return mismatch_text(first, second, on_mismatch)


def mismatch_text(a: Unmatched, b: Unmatched, on_mismatch: OnMismatch) -> Message:
    """Return the message about the items that only one of two trees holds."""
    n_common = a.n_items - a.n_lacking
    near = _near_names(a.some, b.some)
    if on_mismatch == "intersect" and n_common:
        too_few = (
            "the trees must share at least half of the items of each to be compared on the common ones; they share"
            f" {n_common:,} of {a.n_items:,} and {n_common:,} of {b.n_items:,}"
        )
        return too_few, *near, Remedy("on_mismatch", "intersect_any", "compares any number")
    parts: Message = (f"the trees must {'hold the same items' if n_common else 'share at least one item'}",)
    first, second = NthTree("first"), NthTree("second")
    for only, here, there in ((a, first, second), (b, second, first)):
        if only.n_lacking:
            some = quote_first(only.some, count=only.n_lacking)
            parts += (f"; {plural(only.n_lacking, 'item')} of ", here, " not in ", there._replace(noun=""), f": {some}")
    if not n_common:
        return *parts, *near
    how = "intersect" if is_enough(n_common, a.n_items, b.n_items, "intersect") else "intersect_any"
    remedy = Remedy("on_mismatch", how, f"compares the {plural(n_common, 'common item')} only")
    return *parts, *near, remedy


def _near_names(only_a: Iterable[str], only_b: Iterable[str]) -> Message:
    """Return which names of two trees may denote the same items, and how to match them; nothing if there are none."""
    short_a, short_b = (sorted(name for name in only if len(name) <= _LONGEST) for only in (only_a, only_b))
    meant = {_fold(name): name for name in short_b}
    near = [(name, meant[_fold(name)]) for name in short_a if _fold(name) in meant]
    if not near:
        return ()
    pairs = ", ".join(f"'{printable(x)}' and '{printable(y)}'" for x, y in near[:3])
    hint = f"; perhaps the same: {pairs}" + (f" and {len(near) - 3:,} more" if len(near) > 3 else "")
    if not any(_loose(x) == _loose(y) for x, y in near):
        return (hint,)
    return hint, Remedy("match_names", "loose", "ignores case, underscores and spaces")


def _loose(name: str) -> str:
    """Return a name in a form that ignores case, underscores, and the number of blanks."""
    return " ".join(unicodedata.normalize("NFC", name).replace("_", " ").split()).casefold()


def _fold(name: str) -> str:
    """Return a name in a form that ignores case, quotes, the encoding of accents, and the kind and number of blanks."""
    return re.sub(r"[\s_\-'\"]+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()
