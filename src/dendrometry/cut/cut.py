"""Cut: a flat clustering taken from a hierarchy."""

from dataclasses import dataclass

import numpy as np

from dendrometry._kernels import cut as kernels
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry.columns import read_only
from dendrometry.display import plural
from dendrometry.errors import InvalidTreeError
from dendrometry.hierarchy import Hierarchy

__all__ = ["Cut", "cut_below", "heights_of", "n_clusters_after"]


@dataclass(frozen=True, eq=False, repr=False)
class Cut:
    """A flat clustering of the items of a hierarchy: the clusters left when some merges at the top are undone.

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

    def __repr__(self) -> str:
        return f"Cut({plural(len(self.items), 'item')} in {plural(self.n_clusters, 'cluster')})"


def cut_below(tree: Hierarchy, undone: BoolArray) -> Cut:
    """Return the clusters left when some nodes, with all their ancestors, are undone. O(n)."""
    node = kernels.highest_kept(tree.parent, ~undone)[tree.item_node]
    nodes, first, inverse = np.unique(node, return_index=True, return_inverse=True)
    rank = np.empty(nodes.size, dtype=np.int64)
    order = np.argsort(first, kind="stable")
    rank[order] = np.arange(nodes.size)
    return Cut(read_only(rank[inverse]), read_only(nodes[order]), tree.items)


def n_clusters_after(tree: Hierarchy) -> IntArray:
    """Return how many clusters there are once 0, 1, 2, ... nodes with children are undone from the top. O(n)."""
    inner = np.flatnonzero(tree.n_children)[::-1]
    more = tree.n_children[inner] - 1 + (tree.own_sizes[inner] > 0)
    return np.concatenate([[1], 1 + np.cumsum(more)])


def heights_of(tree: Hierarchy, what: str) -> FloatArray:
    """Return the greatest height at or below each node: with inversions, that is when a cluster is complete. O(n)."""
    if tree.height is None:
        raise InvalidTreeError(f"{what} needs heights, which are the order of merging; the tree has none")
    return kernels.accumulate_maximum(tree.parent, tree.height)
