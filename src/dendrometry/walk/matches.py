"""The best counterpart of each cluster of one tree in the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._check.numbers import whole_number
from dendrometry._extras import require
from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.walk import matches as kernels
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Overlap
from dendrometry.walk.pair import Pair
from dendrometry.walk.spans import spans

__all__ = ["Matches", "best_matches", "cluster_matches", "steps_to_match"]


@dataclass(frozen=True, eq=False, repr=False)
class Matches:
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
        for name in ("node", "match", "size", "match_size", "common"):
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
            raise InvalidInputError("the items must be known to be listed; they were not kept, or given as counts only")
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

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each cluster."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        names = ("node", "match", "size", "match_size", "common", "missing", "extra", "f", "jaccard")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def __len__(self) -> int:
        return self.node.size

    def __repr__(self) -> str:
        found = int((self.f == 1.0).sum())
        return f"Matches({len(self):,} clusters, {found:,} found exactly, mean F {self.f.mean():.4f})"


def cluster_matches(a: Hierarchy, b: Hierarchy) -> Matches:
    """Return the best match in ``b`` of each cluster of ``a``.

    The best match has the greatest ``F = 2 |c and k| / (|c| + |k|)``, and therefore also the greatest Jaccard index; of
    equal ones, that with the smallest node number is chosen.

    Parameters
    ----------
    a, b : Hierarchy
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
    O(sum of the sizes of the clusters of ``a``) time, that is n times their mean depth: near n log n for balanced
    trees, n**2 / 2 for a caterpillar. A cluster of m items that does not consist of two children takes m log m.
    O(n log n) space.

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
    overlap = Overlap.of(a, b)
    return replace(best_matches(Pair.of(overlap)), overlap=overlap)


def steps_to_match(pair: Pair) -> int:
    """Return the number of steps of `best_matches`: the rows of all clusters of the first tree in total."""
    where = spans(pair.a)
    return int((where.high - where.low).sum())


def best_matches(pair: Pair) -> Matches:
    """Return the best match of every cluster of the first tree of a pair."""
    in_a, in_b = spans(pair.a), spans(pair.b)
    row = in_b.place[in_a.row]
    classes = kernels.Classes(row, in_a.low, in_a.high, _middle(pair, in_a.low, in_a.n_own), pair.a.size)
    node = pair.b.node[in_b.row]
    common = kernels.common_ancestors(pair.b.parent, in_b.low, in_b.high, node)
    log = np.frexp(np.arange(row.size + 1))[1] - 1
    clusters = kernels.Clusters(node, pair.count[in_b.row], common, log.astype(np.int64), pair.b.size)
    best, shared = kernels.best_matches(classes, clusters)
    return Matches(pair.a.original, pair.b.original[best], pair.a.size, pair.b.size[best], shared)


def _middle(pair: Pair, low: IntArray, n_own: IntArray) -> IntArray:
    """Return the start of the second child's rows, for nodes that consist of two children."""
    second = np.full(low.size, -1, dtype=np.int64)
    np.maximum.at(second, pair.a.parent[:-1], low[:-1])
    return np.where((pair.a.n_children == 2) & (n_own == 0), second, -1)
