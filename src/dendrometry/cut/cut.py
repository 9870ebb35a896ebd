"""Cut: a flat clustering taken from a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.cut import cut as kernels
from dendrometry.errors import InvalidTreeError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

__all__ = ["Cut", "UndoSteps", "cut_below", "heights_of", "undo_steps"]


@dataclass(frozen=True, eq=False, repr=False)
class Cut(Frozen):
    """A flat clustering of the items of a hierarchy: the clusters that remain when the last merges are undone.

    Items that belong to an undone inner node form a cluster of their own.

    Attributes
    ----------
    labels : (n_items,) array of int
        The cluster of each item, numbered from 0 in the order of their first items.
    nodes : (n_clusters,) array of int
        The node of each cluster.
    items : tuple of str
        The names of the items.
    """

    labels: IntArray
    nodes: IntArray
    items: tuple[str, ...]

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
        return f"Cut({plural(len(self.items), 'item')} in {plural(self.n_clusters, 'cluster')})"


def cut_below(tree: Hierarchy, undone: BoolArray) -> Cut:
    """Return the clusters that remain when some nodes, with all their ancestors, are undone. O(n)."""
    node = kernels.highest_kept(tree.parent, ~undone)[tree.item_node]
    nodes, first, inverse = np.unique(node, return_index=True, return_inverse=True)
    rank = np.empty(nodes.size, dtype=np.int64)
    order = np.argsort(first, kind="stable")
    rank[order] = np.arange(nodes.size)
    return Cut(read_only(rank[inverse]), read_only(nodes[order]), tree.items)


class UndoSteps(NamedTuple):
    """The nodes with children in the order in which they are undone, from the top.

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
    """Return the order in which nodes are undone: by the greatest height at or below a node, then by node number.

    A parent is never lower than its children in this sense, and its number is greater, so it is undone before them.
    O(n log n); O(n) if the node numbers are in order of height.
    """
    height = heights_of(tree, what)
    inner = np.flatnonzero(tree.n_children)
    inner = inner[np.argsort(height[inner], kind="stable")][::-1]
    more = tree.n_children[inner] - 1 + (tree.own_sizes[inner] > 0)
    return UndoSteps(inner, height[inner], np.concatenate([[1], 1 + np.cumsum(more)]))


def heights_of(tree: Hierarchy, what: str) -> FloatArray:
    """Return the height at which each node is formed, refusing a tree without heights."""
    require_hierarchy(tree)
    if tree.merge_height is None:
        raise InvalidTreeError(f"the tree must have heights for {what}; it has none")
    return tree.merge_height
