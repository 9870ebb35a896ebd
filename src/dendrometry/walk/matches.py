"""The best counterpart of each cluster of one tree in the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import whole_number
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.walk import matches as kernels
from dendrometry._kernels.walk.clusters import Classes, Clusters, common_ancestors
from dendrometry._kernels.walk.tournament import FAR
from dendrometry._tabular import Tabular
from dendrometry.errors import InvalidInputError
from dendrometry.io.readings import HierarchyLike, as_hierarchy
from dendrometry.overlap import Overlap, Side
from dendrometry.walk.joint.joint import Joint
from dendrometry.walk.pair import Pair
from dendrometry.walk.spans import Spans, spans

__all__ = ["Matches", "best_matches", "cluster_matches", "steps_to_match"]

_FEW_STEPS = 25_000_000  # about a second: less than it takes to compile the way for deep trees
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


def cluster_matches(a: HierarchyLike, b: HierarchyLike) -> Matches:
    """Return the best match in ``b`` of each cluster of ``a``.

    The best match has the greatest ``F = 2 |c and k| / (|c| + |k|)``, and therefore also the greatest Jaccard index; of
    equal ones, that with the smallest node number is chosen.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    Matches
        One row for each cluster of ``a``, leaves included: its match, their F and Jaccard index, and the numbers of
        items that are missing from the match or extra in it.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    Notes
    -----
    Near n log n for balanced trees: the sum of the sizes of the clusters of ``a``. Long paths of deep trees, whose
    clusters have too many items in total, are matched at once, with a factor of log n more: seconds for a million items
    of any shape. O(n log n) space.

    References
    ----------
    .. [1] B. Larsen, C. Aone, "Fast and effective text mining using linear-time document clustering", KDD 1999.

    Examples
    --------
    >>> from dendrometry import cluster_matches, from_newick
    >>> a, b = from_newick("((ape,cat),(elk,(fox,owl)));"), from_newick("((ape,cat,elk),(fox,owl));")
    >>> found = cluster_matches(a, b)
    >>> found
    Matches(9 clusters, 7 found exactly, mean F 0.9556)
    >>> not_found = found.f < 1
    >>> found.size[not_found].tolist(), found.missing[not_found].tolist(), found.extra[not_found].tolist()
    ([2, 3], [0, 1], [1, 0])
    >>> row = not_found.argmax()
    >>> found.missing_items(row), found.extra_items(row)
    ((), ('elk',))
    """
    a, b = as_hierarchy(a, what="the first tree"), as_hierarchy(b, what="the second tree")
    overlap = Overlap.of(a, b)
    return replace(best_matches(Pair.of(overlap)), overlap=overlap)


def steps_to_match(pair: Pair) -> int:
    """Return about the number of steps of `best_matches`."""
    where = spans(pair.a)
    total = int((where.high - where.low).sum())
    if not _is_deep(where):
        return total
    return int(kernels.count_steps(pair.a.parent, where.low, where.high, _logarithms(where.row.size)))


def best_matches(pair: Pair) -> Matches:
    """Return the best match of every cluster of the first tree of a pair."""
    best, shared = _compare_all(pair) if pair.is_small else _walk(pair)
    return Matches(pair.a.original, pair.b.original[best], pair.a.size, pair.b.size[best], shared)


def _compare_all(pair: Pair) -> tuple[IntArray, IntArray]:
    """Return the best match of each node, and the number of items of both, for small trees."""
    f = 2.0 * pair.shared / np.add.outer(pair.a.size, pair.b.size)
    best = f.argmax(axis=1)  # of equal ones the first, with the smallest node number
    return best, pair.shared[np.arange(best.size), best]


def _walk(pair: Pair) -> tuple[IntArray, IntArray]:
    """Return the best match of each node, and the number of items of both, for trees of any size."""
    in_a = spans(pair.a)
    if not _is_deep(in_a) or pair.n_items >= FAR:
        down = Joint.of(pair.a, pair.b, pair.count)
        return kernels.best_matches(down.descent, down.rows, pair.b.size)
    in_b = spans(pair.b)
    row = in_b.place[in_a.row]
    classes = Classes(pair.a.parent, row, in_a.low, in_a.high, _middle(pair, in_a.low, in_a.n_own), pair.a.size)
    node = pair.b.node[in_b.row]
    common = common_ancestors(pair.b.parent, in_b.low, in_b.high, node)
    clusters = Clusters(node, pair.count[in_b.row], common, _logarithms(row.size), pair.b.size)
    return kernels.best_matches_of_paths(classes, clusters)


def _is_deep(where: Spans) -> bool:
    """Whether the clusters of a tree have so many rows in total that its long paths are better taken as a whole."""
    n = where.row.size
    return int((where.high - where.low).sum()) > max(kernels.LONG * n * n.bit_length(), _FEW_STEPS)


def _logarithms(n: int) -> IntArray:
    """Return the whole part of log2 i for i up to n, and -1 for 0."""
    return (np.frexp(np.arange(n + 1))[1] - 1).astype(np.int64)


def _middle(pair: Pair, low: IntArray, n_own: IntArray) -> IntArray:
    """Return the start of the second child's rows, for nodes that consist of two children."""
    second = np.full(low.size, -1, dtype=np.int64)
    np.maximum.at(second, pair.a.parent[:-1], low[:-1])
    return np.where((pair.a.n_children == 2) & (n_own == 0), second, -1)
