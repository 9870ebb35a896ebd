"""Cut: a flat clustering taken from a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.tree import require_heights
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels.cut import cut as kernels
from dendrometry._kernels.tree import accumulate_maximum, nearest_kept
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidTreeError
from dendrometry.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False, repr=False)
class Cut(Frozen, Tabular):
    """A flat clustering of the items of a hierarchy: the clusters that remain when the last merges are undone.

    An item that belongs to an undone inner node is a cluster of its own. Leaves are never undone.

    Attributes
    ----------
    labels : (n_items,) array of int
        The cluster of each item, numbered from 0 in the order of their first items.
    nodes : (n_clusters,) array of int
        The node of each cluster; for an item of an undone inner node, that node.
    items : tuple of str
        The names of the items.
    n_alternatives : int
        The number of other clusterings that the rule finds as good. For a number of clusters these are all with as many
        clusters that join the same parts at the same height, where merges tie: exact for up to 200 tied merges, above
        that a lower bound. For the largest gap they are other gaps as large, for a penalty other numbers of clusters at
        the same cost, for `cut_dynamic_tree` what it finds in other orders of tied merges, a lower bound. A cut at a
        height, by size, by mass or by significance has none. If there are any, a tie decides the clusters:
        ``tie_rng`` of `agglomerate` shows the range of what may come out.
    """

    labels: IntArray
    nodes: IntArray
    items: tuple[str, ...]
    n_alternatives: int = 0

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return self.nodes.size

    @property
    def clusters(self) -> list[list[str]]:
        """The names of the items of each cluster."""
        members: list[list[str]] = [[] for _ in range(self.n_clusters)]
        for name, label in zip(self.items, self.labels.tolist(), strict=True):
            members[label].append(name)
        return members

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each item: its cluster, and the node of the cluster."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        columns = {"cluster": self.labels, "node": self.nodes[self.labels]}
        return pd.DataFrame(columns, index=pd.Index(list(self.items), name="item"))

    def _repr_html_(self) -> str:
        clusters = self.clusters[:MOST_ROWS]
        columns = {
            "cluster": range(len(clusters)),
            "items": list(map(len, clusters)),
            "members": [", ".join(c) for c in clusters],
        }
        return preview(repr(self), columns, self.n_clusters)

    def __repr__(self) -> str:
        tie = f", one of {_size_of(self.n_alternatives + 1)} equally good" if self.n_alternatives else ""
        return f"Cut({plural(len(self.items), 'item')} in {plural(self.n_clusters, 'cluster')}{tie})"


def _size_of(count: int) -> str:
    """Return a whole number as text, a large one as a power of ten."""
    return f"{count:,}" if count < 10**9 else f"about 10^{len(str(count)) - 1}"


def cut_below(tree: Hierarchy, undone: BoolArray) -> Cut:
    """Return the clusters that remain when some nodes, with all their ancestors, are undone. O(n log n)."""
    node = kernels.highest_kept(tree.parent, ~undone)[tree.item_node]
    return cut_of(np.where(undone[tree.item_node], tree.n_nodes + np.arange(node.size), node), node, tree.items)


def cut_of(key: IntArray, node: IntArray, items: tuple[str, ...]) -> Cut:
    """Return the clusters of items with equal keys, numbered by their first items, given the node of each item."""
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    order = np.argsort(first, kind="stable")
    rank[order] = np.arange(first.size)
    return Cut(read_only(rank[inverse]), read_only(node[first[order]]), items)


def cut_at_nodes(tree: Hierarchy, chosen: BoolArray) -> Cut:
    """Return the cut with some disjoint nodes as clusters; items outside of them are alone, or with their leaf."""
    inside = chosen | (nearest_kept(tree.parent, chosen) >= 0)
    merges = (tree.n_children > 0) & (tree.n_children + tree.own_sizes > 1)
    return cut_below(tree, merges & ~inside)


class UndoSteps(NamedTuple):
    """The merges in the order in which they are undone, from the top.

    ``height`` is the greatest height at or below each; ``n_clusters[i]`` the number of clusters after i are undone.
    """

    node: IntArray
    height: FloatArray
    n_clusters: IntArray

    def cut(self, tree: Hierarchy, count: int) -> Cut:
        """Return the clusters that remain when the first ``count`` nodes are undone."""
        undone = np.zeros(tree.n_nodes, dtype=bool)
        undone[self.node[:count]] = True
        return cut_below(tree, undone)


def undo_steps(tree: Hierarchy, what: str) -> UndoSteps:
    """Return the order in which merges are undone: by the height at which they are formed, then by node number.

    A parent is never lower than its children in this sense, and its number is greater, so it is undone before them.
    O(n log n); O(n) if the node numbers are in order of height.
    """
    height, merges = heights_of(tree, what)
    inner = np.flatnonzero(merges)
    inner = inner[np.argsort(height[inner], kind="stable")][::-1]
    more = tree.n_children[inner] + tree.own_sizes[inner] - 1
    return UndoSteps(inner, height[inner], np.concatenate([[1], 1 + np.cumsum(more)]))


def heights_of(tree: Hierarchy, what: str) -> tuple[FloatArray, BoolArray]:
    """Return the height at which each node is formed, and which nodes are merges, refusing a tree without heights.

    A node is formed when the last of its parts is. A node that holds exactly the items of its only child is no merge,
    and its height counts nowhere.
    """
    height = require_heights(tree.height, "the tree", what, InvalidTreeError)
    merges = (tree.n_children > 0) & (tree.n_children + tree.own_sizes > 1)
    unary = (tree.n_children > 0) & ~merges
    return accumulate_maximum(tree.parent, np.where(unary, -np.inf, height)), merges
