"""The consensus of several hierarchies: the clusters that occur in more than half of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import real_number
from dendrometry._display import name_trees, plural
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels import tree as walks
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.comparison.pairwise_matrix import named_trees, tree_text
from dendrometry.errors import ItemMismatchError, advise_function
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike
from dendrometry.overlap import mismatch, positions

_KEY_SEED = 2012  # arbitrary; fixed so that the keys are reproducible


@dataclass(frozen=True, eq=False, repr=False)
class Consensus(Frozen, Tabular):
    """The clusters that occur in more than a given share of several trees, as one tree.

    Attributes
    ----------
    hierarchy : Hierarchy
        A tree of exactly these clusters, without heights, because heights of different trees need not be comparable.
    support : (n_nodes,) array of float
        The share of the trees that contain the cluster of each node; 1 at the root.
    n_trees : int
        The number of trees.
    threshold : float
        Each cluster occurs in more than this share of the trees; 0 for a greedy consensus.
    """

    hierarchy: Hierarchy
    support: FloatArray
    n_trees: int
    threshold: float

    @property
    def n_clusters(self) -> int:
        """The number of clusters of more than one item, excluding the set of all items."""
        sizes = self.hierarchy.sizes
        return int(((sizes > 1) & (sizes < self.hierarchy.n_items)).sum())

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each node: its size, its support and its items."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        order = self.hierarchy.order
        spans = zip(order.item_low.tolist(), order.item_high.tolist(), strict=True)
        items = [tuple(self.hierarchy.items[i] for i in order.item[low:high].tolist()) for low, high in spans]
        return pd.DataFrame({"size": self.hierarchy.sizes, "support": self.support, "items": items})

    def _repr_html_(self) -> str:
        sizes, order = self.hierarchy.sizes, self.hierarchy.order
        inner = np.flatnonzero((sizes > 1) & (sizes < self.hierarchy.n_items))
        inner = inner[np.argsort(-self.support[inner], kind="stable")][:MOST_ROWS]
        spans = ((int(order.item_low[v]), int(order.item_high[v])) for v in inner.tolist())
        members = [", ".join(self.hierarchy.items[i] for i in order.item[low:high].tolist()) for low, high in spans]
        columns = {"support": self.support[inner].tolist(), "items": sizes[inner].tolist(), "members": members}
        return preview(repr(self), columns, self.n_clusters)

    @property
    def words(self) -> str:
        """The number of clusters, and the rule by which they were found in how many trees."""
        rule = f"in more than {self.threshold:.4g}" if self.threshold > 0.0 else "in a greedy consensus"
        return f"{plural(self.n_clusters, 'cluster')} {rule} of {plural(self.n_trees, 'tree')}"

    def __repr__(self) -> str:
        return f"Consensus({plural(self.hierarchy.n_items, 'item')}, {self.words})"


def consensus(trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike], *, threshold: float = 0.5) -> Consensus:
    """Return the majority-rule consensus of several hierarchies: the clusters that occur in more than half of them.

    Any two such clusters occur together in at least one of the trees, so they are nested or disjoint, and together they
    form a tree. Each item belongs to the smallest of them that contains it.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies, or of what `as_hierarchy` takes
        At least one tree, of any kind; all must contain the same items.
    threshold : float
        A cluster must occur in more than this share of the trees; at least 0.5 (majority) and below 1. From
        ``1 - 1 / n_trees`` on, the result is the strict consensus: the clusters common to all trees.

    Returns
    -------
    Consensus
        The tree, and for each node the share of the trees that contain its cluster.

    Raises
    ------
    ItemMismatchError
        If two trees contain different items.
    InvalidInputError
        If the collection is empty, an element is not a hierarchy, or the threshold is out of range.

    Notes
    -----
    For G trees O(G n) time and space, plus one sort of all clusters. A cluster is identified by the sum of random
    128-bit keys, one for each item: among a billion clusters, the probability that two are confused is below 1e-20.
    A node with the same items as its only child forms one cluster with it.

    References
    ----------
    .. [1] T. Margush, F. R. McMorris, "Consensus n-trees", Bulletin of Mathematical Biology 43 (1981) 239-244.

    Examples
    --------
    >>> from dendrometry import consensus, from_newick
    >>> texts = ["(((ape,cat),elk),(fox,owl));", "((ape,cat),(elk,(fox,owl)));", "(((ape,elk),cat),fox,owl);"]
    >>> found = consensus([from_newick(text) for text in texts])
    >>> found
    Consensus(5 items, 3 clusters in more than 0.5 of 3 trees)
    >>> print(found.hierarchy.draw())
    •
    ├─ •
    │  ├─ fox
    │  └─ owl
    └─ •
       ├─ elk
       └─ •
          ├─ ape
          └─ cat
    """
    listed, place = placed_trees(trees, "consensus")
    share = _checked_threshold(threshold)
    first = listed[0]
    cluster, count = cluster_numbers(listed, place)
    chosen = np.flatnonzero(count > share * len(listed))
    number = np.full(count.size, -1, dtype=np.int64)
    number[chosen] = _ranked(listed, place, cluster, count.size)[chosen].argsort().argsort()
    support = np.empty(chosen.size)
    support[number[chosen]] = count[chosen] / len(listed)
    parent, item_node = _smallest_above(listed, place, [number[of_node] for of_node in cluster])
    return Consensus(Hierarchy(parent, None, item_node, first.items), read_only(support), len(listed), share)


def placed_trees(
    trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike], what: str
) -> tuple[Sequence[Hierarchy], list[IntArray]]:
    """Return the trees, and the position of each item of each tree in the order of the first."""
    names, listed = named_trees(trees, what)
    return listed, [_place(listed[0], tree, names[0], name) for name, tree in zip(names, listed, strict=True)]


def _checked_threshold(threshold: float) -> float:
    """Return a threshold for which the clusters form a tree, or raise an error."""
    return real_number(threshold, "threshold", least=0.5, below=1.0)


def _place(first: Hierarchy, tree: Hierarchy, first_name: str, name: str) -> IntArray:
    """Return the position of each item of a tree in the order of the first tree."""
    found = positions(tree.items, first.items)
    if tree.n_items != first.n_items or (found < 0).any():
        parts = advise_function(mismatch(first, tree), "compare")
        raise ItemMismatchError(*name_trees(parts, (tree_text(first_name), tree_text(name))))
    return found


def cluster_numbers(trees: Sequence[Hierarchy], place: Sequence[IntArray]) -> tuple[list[IntArray], IntArray]:
    """Return the cluster number of every node of every tree, and the number of trees that contain each cluster."""
    item_key = np.random.default_rng(_KEY_SEED).integers(0, 2**64, (2, trees[0].n_items), dtype=np.uint64)
    key = np.concatenate([_keys(tree, item_key[:, at]) for tree, at in zip(trees, place, strict=True)], axis=1)
    order = np.argsort(key[0])
    if ((np.diff(key[0, order]) == 0) & (np.diff(key[1, order]) != 0)).any():
        order = np.lexsort(key)  # both halves of the key are needed to distinguish all clusters
    new = np.ones(order.size, dtype=bool)
    new[1:] = (np.diff(key[:, order], axis=1) != 0).any(axis=0)
    cluster = np.empty(order.size, dtype=np.int64)
    cluster[order] = np.cumsum(new) - 1
    once = np.concatenate([(tree.n_children != 1) | (tree.own_sizes > 0) for tree in trees])
    count = np.bincount(cluster[once], minlength=int(new.sum()))
    return np.split(cluster, np.cumsum([tree.n_nodes for tree in trees])[:-1]), count


def _ranked(
    trees: Sequence[Hierarchy], place: Sequence[IntArray], cluster: Sequence[IntArray], n_clusters: int
) -> IntArray:
    """Return the rank of each cluster by size, smallest first; disjoint clusters of equal size by their first item."""
    n_items = trees[0].n_items
    rank = np.empty(n_clusters, dtype=np.int64)
    for tree, at, of_node in zip(trees, place, cluster, strict=True):
        own = np.full(tree.n_nodes, n_items, dtype=np.int64)
        np.minimum.at(own, tree.item_node, at)
        rank[of_node] = tree.sizes * n_items + walks.accumulate_minimum(tree.parent, own)
    return rank


def _keys(tree: Hierarchy, item_key: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the sum of the keys of the items at and below each node, modulo 2**64."""
    order = tree.order
    total = np.zeros((2, tree.n_items + 1), dtype=np.uint64)
    np.cumsum(item_key[:, order.item], axis=1, out=total[:, 1:])
    keys: NDArray[np.uint64] = total[:, order.item_high] - total[:, order.item_low]
    return keys


def _smallest_above(
    trees: Sequence[Hierarchy], place: Sequence[IntArray], nodes: Sequence[IntArray]
) -> tuple[IntArray, IntArray]:
    """Return the parent of each chosen cluster, and the cluster of each item.

    ``nodes[g][v]`` is the chosen cluster of node v in tree g, numbered by size, or -1. A cluster and the smallest
    chosen cluster around it occur together in at least one tree, where no chosen cluster lies between them; in the
    other trees, the nearest chosen cluster above is at least as large. The parent is therefore the smallest number over
    all trees. The same is true for an item.
    """
    n_clusters = 1 + max(int(node.max()) for node in nodes)
    parent = np.full(n_clusters, n_clusters, dtype=np.int64)
    item_node = np.full(trees[0].n_items, n_clusters, dtype=np.int64)
    for tree, at, node in zip(trees, place, nodes, strict=True):
        above = walks.nearest_kept(tree.parent, node >= 0)
        inner = np.flatnonzero((node >= 0) & (above >= 0))
        outer = node[above[inner]]
        apart = outer != node[inner]  # a node with one child is the same cluster as the child
        np.minimum.at(parent, node[inner][apart], outer[apart])
        own = np.where(node >= 0, node, node[above])[tree.item_node]
        item_node[at] = np.minimum(item_node[at], own)
    parent[-1] = -1
    return parent, item_node
