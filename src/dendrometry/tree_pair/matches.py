"""The best counterpart of each cluster of one tree in the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import whole_number
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels.tree_pair import matches as kernels
from dendrometry._kernels.tree_pair.clusters import Classes, Clusters, Ranked, Rows, ancestor_table, common_ancestors
from dendrometry._kernels.tree_pair.large_classes import LARGE, Found, Ways
from dendrometry._kernels.tree_pair.tournament import FAR, ON_PATH, choose_paths, match_paths
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.overlap import Overlap, Side
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.spans import spans

_FEW_STEPS = 2_000_000  # a tenth of a second, beside which compiling the way for deep trees takes too long
_EACH = 2.0  # of the time of a row on a list, for every class
_LOOK = 0.08  # of that time, for a cluster that may be the match of a large class
_COLUMNS = ("node", "match", "size", "match_size", "common")


@dataclass(frozen=True, eq=False, repr=False)
class Matches(Frozen, Tabular):
    """The best match of every cluster of a first tree among the clusters of a second.

    Attributes
    ----------
    node : (n_clusters,) array of int
        The clusters of the first tree, by node number; nodes with the same items as their only child are left out,
        since they are the same cluster.
    match : (n_clusters,) array of int
        The node of the second tree whose cluster has the greatest F with the cluster.
    size, match_size, common : (n_clusters,) arrays of int
        The number of items of the cluster, of its match, and of both.
    overlap : Overlap or None
        The overlap of the trees, for the names of items.
    """

    node: IntArray
    match: IntArray
    size: IntArray
    match_size: IntArray
    common: IntArray
    overlap: Overlap | None = None

    def __post_init__(self) -> None:
        """Set every column to a read-only view."""
        for name in _COLUMNS:
            object.__setattr__(self, name, read_only(getattr(self, name).view()))

    @property
    def f(self) -> FloatArray:
        """The F-score of each match, ``2 common / (size + match_size)``: 1 if the second tree has the cluster."""
        return 2.0 * self.common / (self.size + self.match_size)

    @property
    def jaccard(self) -> FloatArray:
        """The Jaccard index of each match, ``common / (items in either)``."""
        return self.common / (self.missing + self.match_size)

    @property
    def missing(self) -> IntArray:
        """The number of items of the cluster that its match lacks."""
        return self.size - self.common

    @property
    def extra(self) -> IntArray:
        """The number of items of the match that the cluster lacks."""
        return self.match_size - self.common

    def missing_items(self, row: int) -> tuple[str, ...]:
        """Return the items of the cluster in a row that its match lacks, in the order of the first tree. O(n)."""
        in_cluster, in_match = self._members(row)
        return self._names(in_cluster & ~in_match)

    def extra_items(self, row: int) -> tuple[str, ...]:
        """Return the items of the match in a row that the cluster lacks, in the order of the first tree. O(n)."""
        in_cluster, in_match = self._members(row)
        return self._names(in_match & ~in_cluster)

    def _members(self, row: int) -> tuple[BoolArray, BoolArray]:
        """Return which items are in the cluster of a row, and which in its match."""
        if self.overlap is None or not self.overlap.items:
            raise InvalidInputError("lists of items require their names; they were not kept, or only counts were given")
        row = whole_number(row, "row", 0, len(self) - 1)
        nodes, sides = (self.node[row], self.match[row]), (self.overlap.a, self.overlap.b)
        inside = []
        for v, side in zip(nodes, sides, strict=True):
            n_below = tree_kernels.accumulate_sum(side.parent, np.ones(side.parent.size, dtype=np.int64))
            place = tree_kernels.spans(side.parent, n_below)
            at = place[side.node[self.overlap.item_row]]
            inside.append((at >= place[v]) & (at < place[v] + n_below[v]))
        return inside[0], inside[1]

    def _names(self, chosen: BoolArray) -> tuple[str, ...]:
        """Return the names of the chosen items."""
        assert self.overlap is not None
        return tuple(self.overlap.items[i] for i in np.flatnonzero(chosen).tolist())

    def names(self) -> tuple[list[str], list[str]]:
        """Return what each cluster and its match are called: the name of the node, or its only item.

        A cluster without a name is called by its size and its first item, as in "4 items, such as ape", or by its
        number if the items are not listed.
        """
        if self.overlap is None or not self.overlap.items:
            known = ((), ()) if self.overlap is None else self.overlap.node_names
            first, second = (
                [(names[v] if names else "") or f"node {v}" for v in node.tolist()]
                for names, node in zip(known, (self.node, self.match), strict=True)
            )
            return first, second
        sides = (self.overlap.a, self.overlap.b)
        columns = ((self.node, self.size), (self.match, self.match_size))
        first, second = (
            self._called(side, node_names, *column)
            for side, node_names, column in zip(sides, self.overlap.node_names, columns, strict=True)
        )
        return first, second

    def _called(self, side: Side, node_names: tuple[str, ...], node: IntArray, size: IntArray) -> list[str]:
        """Return what nodes of one tree are called."""
        assert self.overlap is not None
        items = self.overlap.items
        own = np.full(side.parent.size, len(items), dtype=np.int64)
        np.minimum.at(own, side.node[self.overlap.item_row], np.arange(len(items)))
        first = tree_kernels.accumulate_minimum(side.parent, own)
        called = []
        for v, n in zip(node.tolist(), size.tolist(), strict=True):
            item = items[first[v]]
            called.append(item if n == 1 else (node_names and node_names[v]) or f"{n:,} items, such as {item}")
        return called

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each cluster, named by ``cluster`` and ``best_match``."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        columns = dict(zip(("cluster", "best_match"), self.names(), strict=True))
        names = ("node", "match", "size", "match_size", "common", "missing", "extra", "f", "jaccard")
        return pd.DataFrame(columns | {name: getattr(self, name) for name in names})

    def _repr_html_(self) -> str:
        largest = np.argsort(-self.size, kind="stable")[:MOST_ROWS]
        few = replace(self, **{name: getattr(self, name)[largest] for name in _COLUMNS})
        columns: dict[str, list[Any]] = dict(zip(("cluster", "best match"), few.names(), strict=True))
        columns |= {"items": few.size.tolist(), "items of the match": few.match_size.tolist(), "F": few.f.tolist()}
        columns |= {"missing": few.missing.tolist(), "extra": few.extra.tolist()}
        return preview(repr(self), columns, len(self))

    def __len__(self) -> int:
        return self.node.size

    def __repr__(self) -> str:
        found = int((self.f == 1.0).sum())
        mean = f", mean F {self.f.mean():.4f}" if len(self) else ""
        return f"Matches({len(self):,} clusters, {found:,} found exactly{mean})"


class Field(NamedTuple):
    """What does not depend on how the items are labelled: the classes and clusters, and how each class is matched.

    ``row`` lists the rows in pre-order of the first tree, and ``low`` is the start of each node in that of the second,
    of which ``rank`` is the rank of each node, ``common`` the lowest common node of each row and the next. Where every
    row is a cluster of the second tree, ``largest`` lists the ranks by size, the largest first; else it is None.
    ``steps`` has the number of steps of each class.
    """

    a: Tree
    row: IntArray
    low: IntArray
    rank: IntArray
    common: IntArray
    largest: IntArray | None
    classes: Classes
    other: Ranked
    log: IntArray
    table: NDArray[np.int32]
    ways: Ways
    steps: FloatArray


def field_of(pair: Pair) -> Field:
    """Return what is the same for a pair and its relabellings. O(n log n)."""
    in_a, in_b = spans(pair.a), spans(pair.b)
    start = np.zeros(pair.a.parent.size + 1, dtype=np.int64)
    np.cumsum(pair.a.n_children, out=start[1:])
    child = tree_kernels.by_number(pair.a.parent[:-1].copy(), pair.a.parent.size)
    other, rank = _ranked(pair.b)
    are_clusters = bool((pair.count == pair.b.size[pair.b.node]).all())
    limit = _first_too_large(pair.a.size, other.size, int(pair.count.min()) if are_clusters else 0)
    classes = Classes(pair.a.parent, pair.a.size, in_a.low, in_a.high, start, child, limit)
    ways, steps = _choose_ways(classes, other.size)
    if steps.sum() > _FEW_STEPS and pair.n_items < FAR:
        way = choose_paths(ways.of, classes, steps)
        ways = ways._replace(of=way, n_turns=int(way.max()) + 1)
    common = common_ancestors(pair.b.parent, in_b.low, in_b.high, pair.b.node[in_b.row])
    largest = _from_the_largest(other.size) if are_clusters else None
    log, table = _logarithms(in_a.row.size), ancestor_table(rank[common])
    return Field(pair.a, in_a.row, in_b.low, rank, common, largest, classes, other, log, table, ways, steps)


def steps_to_match(pair: Pair, field: Field | None = None) -> int:
    """Return about the number of steps of `match_clusters`, given what is the same for relabellings."""
    if pair.is_small:
        return pair.a.parent.size * pair.b.parent.size
    return int((field or field_of(pair)).steps.sum())


def match_clusters(pair: Pair, field: Field | None = None) -> Matches:
    """Return the best match of every cluster of the first tree of a pair, given what is the same for relabellings."""
    best, shared = _compare_all(pair) if pair.is_small else _walk(pair, field)
    return Matches(pair.a.original, pair.b.original[best], pair.a.size, pair.b.size[best], shared)


def _compare_all(pair: Pair) -> tuple[IntArray, IntArray]:
    """Return the best match of each node, and the number of items of both, for small trees."""
    f = 2.0 * pair.shared / np.add.outer(pair.a.size, pair.b.size)
    best = f.argmax(axis=1)  # of equal ones the first, with the smallest node number
    return best, pair.shared[np.arange(best.size), best]


def _walk(pair: Pair, field: Field | None = None) -> tuple[IntArray, IntArray]:
    """Return the best match of each node, and the number of items of both, for trees of any size."""
    if field is None or not _has_rows_of(field, pair):  # relabelling has changed the rows
        field = field_of(pair)
    node, items = pair.b.node[field.row], pair.count[field.row]
    in_order = tree_kernels.by_number(field.low[node], node.size)
    rows, order = Rows(field.rank[node], items), kernels.Order(in_order, field.log, field.table)
    found = _largest_rows(pair, field)
    kernels.best_matches(field.ways, field.classes, rows, order, field.other, found)
    best = field.other.number[found.match]
    if (field.ways.of == ON_PATH).any():
        place = np.empty(in_order.size, dtype=np.int64)
        place[in_order] = np.arange(in_order.size)
        clusters = Clusters(node[in_order], items[in_order], field.common, field.log, pair.b.size)
        match_paths(field.ways.of, field.classes, place, clusters, best, found.common)
    return best, found.common


def _has_rows_of(field: Field, pair: Pair) -> bool:
    """Return whether a field is that of a pair: of the same rows, or of as many items, each of which is a row."""
    if field.a is pair.a:
        return True
    all_single = field.row.size == pair.count.size == pair.n_items
    return all_single and np.array_equal(field.a.node, pair.a.node)


def _largest_rows(pair: Pair, field: Field) -> Found:
    """Return the largest row of each class that has a list as its match, if every row is a cluster; else nothing."""
    n, other = pair.a.parent.size, field.other
    found = Found(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
    if field.largest is not None:
        order = np.empty(other.size.size, dtype=np.int64)
        order[field.largest] = np.arange(order.size)
        first = np.full(n, order.size, dtype=np.int64)
        np.minimum.at(first, pair.a.node, order[field.rank[pair.b.node]])
        listed = field.ways.of >= 0
        found.match[listed] = field.largest[tree_kernels.accumulate_minimum(pair.a.parent, first)[listed]]
        found.common[listed] = other.size[found.match[listed]]
    return found


def _ranked(tree: Tree) -> tuple[Ranked, IntArray]:
    """Return the nodes of a tree by size, and the rank of each."""
    few = int(tree.size[-1]) <= 4 * tree.size.size
    size = tree.size.copy()
    number = tree_kernels.by_number(size, int(size[-1]) + 1) if few else np.argsort(size, kind="stable")
    rank = np.empty(number.size, dtype=np.int64)
    rank[number] = np.arange(number.size)
    return Ranked(number, np.append(rank[tree.parent[number[:-1]]], -1), size[number]), rank


def _from_the_largest(size: IntArray) -> IntArray:
    """Return the ranks from the largest cluster down, those of the same size ascending."""
    start, end = np.searchsorted(size, size), np.searchsorted(size, size, side="right")
    rank, order = np.arange(size.size), np.empty(size.size, dtype=np.int64)
    order[size.size - end + rank - start] = rank
    return order


def _first_too_large(s: IntArray, size: IntArray, least: int) -> IntArray:
    """Return the rank from which on clusters are too large to be the match of classes of s items.

    ``least`` is the least number of items of a row, if every row is a cluster, and otherwise 0. If so, the match of a
    class is no worse than such a row, and F of a cluster of z > s items is at most ``2 s / (s + z)``.
    """
    if least == 0:
        return np.full(s.size, size.size, dtype=np.int64)
    f, z = 2.0 * least / (s + least), np.minimum(s * s // least, size[-1])
    while (fits := (2.0 * s / (s + z) >= f) & (z <= size[-1])).any():  # rounded as the F of the kernels are
        z += fits
    limit: IntArray = np.searchsorted(size, z)
    return limit


def _first_large(s: int, size: IntArray) -> int:
    """Return the rank from which on clusters can be as good a match of at least s items as that of all items."""
    n = int(size[-1])
    f, z = 2.0 * s / (s + n), s * s // n
    while 2.0 * z / (s + z) >= f:
        z -= 1
    return int(np.searchsorted(size, z, side="right"))


def _choose_ways(classes: Classes, size: IntArray) -> tuple[Ways, FloatArray]:
    """Return which classes are best matched among large clusters, the others with lists; and the steps of each.

    A class with a list takes a step for each row, another one part of a step for each cluster that is large for it, and
    all take two more.
    """
    octave, n_rows = np.frexp(classes.size)[1] - 1, (classes.high - classes.low).astype(np.float64)
    first = np.array([_first_large(1 << k, size) for k in range(int(octave.max()) + 1)])
    n_large = size.size - first
    by_lists = np.append(0.0, np.cumsum(np.bincount(octave, n_rows)))
    by_counts = _LOOK * (np.bincount(octave) * n_large + n_rows[-1] + size.size)
    least = int(np.argmin(by_lists + np.append(np.cumsum(by_counts[::-1])[::-1], 0.0)))
    way = np.where(octave < least, 0, LARGE)
    steps = _EACH + np.where(octave < least, n_rows, _LOOK * n_large[octave])
    return Ways(way, int(way.max()) + 1, least, first), steps


def _logarithms(n: int) -> IntArray:
    """Return the whole part of log2 i for i up to n, and -1 for 0."""
    return (np.frexp(np.arange(n + 1))[1] - 1).astype(np.int64)
