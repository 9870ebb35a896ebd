"""The structure of two partitions: overlapping clusters, their components, and the derivation of one from the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen, freeze_arrays, read_only
from dendrometry._check.numbers import whole_number
from dendrometry._display import plain_signature, plural
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._typing import IntArray
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.measures.components import Components

if TYPE_CHECKING:
    import networkx as nx


@freeze_arrays
@plain_signature
class Star(NamedTuple):
    """One cluster and its parts: a split graph (a cluster of a) or a merge graph (a cluster of b).

    ``parts`` are the clusters of the other partition that it overlaps, ``counts`` the items of each overlap. Clusters
    are numbers: positions in ``label_a`` and ``label_b`` of the table.
    """

    cluster: int
    parts: IntArray
    counts: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Derivation(Frozen):
    """The derivation graph a -> meet -> b: three layers of clusters, and the numbers of items that flow between them.

    Nodes are numbered from 0: first the clusters of a, then the overlaps, then the clusters of b. A Sankey diagram can
    be drawn from the columns.

    Attributes
    ----------
    layer : (n_nodes,) array of int
        0 for a cluster of a, 1 for an overlap, 2 for a cluster of b.
    label : tuple
        The label of each cluster; for an overlap the pair of labels.
    size : (n_nodes,) array of int
        The number of items of each node.
    source, target, weight : (n_edges,) array of int
        The edges: from a to the meet (splits), then from the meet to b (merges), and their numbers of items.
    """

    layer: IntArray
    label: tuple[Any, ...]
    size: IntArray
    source: IntArray
    target: IntArray
    weight: IntArray

    def to_networkx(self) -> nx.DiGraph:
        """Return the graph as a networkx DiGraph: nodes with layer, label and size, edges with weight."""
        graph: nx.DiGraph = require("networkx", extra="graph", for_="to_networkx()").DiGraph()
        columns = zip(self.layer.tolist(), self.label, self.size.tolist(), strict=True)
        graph.add_nodes_from((v, {"layer": y, "label": t, "size": s}) for v, (y, t, s) in enumerate(columns))
        graph.add_weighted_edges_from(
            zip(self.source.tolist(), self.target.tolist(), self.weight.tolist(), strict=True)
        )
        return graph

    def _repr_html_(self) -> str:
        first = range(min(self.source.size, MOST_ROWS))
        source, target = ([str(self.label[column[i]]) for i in first] for column in (self.source, self.target))
        columns = {"from": source, "to": target, "items": self.weight[:MOST_ROWS].tolist()}
        return preview(repr(self), columns, self.source.size)

    def __repr__(self) -> str:
        n_a, n_cells, n_b = np.bincount(self.layer).tolist()
        return f"Derivation({n_a:,} -> {n_cells:,} -> {plural(n_b, 'cluster')}, {plural(self.source.size, 'edge')})"


class Bipartite(Components):
    """The clusters of two partitions as a bipartite graph, an edge for every overlap.

    Its connected components are the clusters of the join; its edges are the clusters of the meet. Components are
    numbered in the order of their first cluster of a.

    Attributes
    ----------
    table : Contingency
        The overlaps: row, column and count of every edge.
    component_a, component_b : array of int
        The component of each cluster of a and of b.
    """

    @cached_property
    def _by_column(self) -> IntArray:
        """The cells in ascending order of (column, row)."""
        return np.lexsort((self.table.row, self.table.column))

    def split_graph(self, cluster: int) -> Star:
        """Return a cluster of a, by its number, and the clusters of b into which it is split."""
        cluster = whole_number(cluster, "a cluster of the first partition", 0, self.table.n_a - 1)
        low, high = np.searchsorted(self.table.row, [cluster, cluster + 1])
        return Star(cluster, self.table.column[low:high], self.table.count[low:high])

    def merge_graph(self, cluster: int) -> Star:
        """Return a cluster of b, by its number, and the clusters of a from which it is merged."""
        cluster = whole_number(cluster, "a cluster of the second partition", 0, self.table.n_b - 1)
        low, high = np.searchsorted(self.table.column, [cluster, cluster + 1], sorter=self._by_column)
        cells = self._by_column[low:high]
        return Star(cluster, self.table.row[cells], self.table.count[cells])

    def split_graphs(self) -> Iterator[Star]:
        """Return an iterator over the split graphs of all clusters of a."""
        return map(self.split_graph, range(self.table.n_a))

    def merge_graphs(self) -> Iterator[Star]:
        """Return an iterator over the merge graphs of all clusters of b."""
        return map(self.merge_graph, range(self.table.n_b))

    def derivation(self) -> Derivation:
        """Return the three-layer graph a -> meet -> b."""
        table = self.table
        n_a, n_cells, n_b = table.n_a, table.n_cells, table.n_b
        cell = n_a + np.arange(n_cells)
        labels_a, labels_b = table.label_a.tolist(), table.label_b.tolist()
        pairs = tuple(
            (labels_a[r], labels_b[c]) for r, c in zip(table.row.tolist(), table.column.tolist(), strict=True)
        )
        return Derivation(
            read_only(np.repeat(np.arange(3), (n_a, n_cells, n_b))),
            (*labels_a, *pairs, *labels_b),
            read_only(np.concatenate((table.sizes_a, table.count, table.sizes_b))),
            read_only(np.concatenate((table.row, cell))),
            read_only(np.concatenate((cell, n_a + n_cells + table.column))),
            read_only(np.concatenate((table.count, table.count))),
        )

    def _repr_html_(self) -> str:
        n = self.n_components
        columns = {
            "component": list(range(min(n, MOST_ROWS))),
            "clusters of a": np.bincount(self.component_a, minlength=n)[:MOST_ROWS].tolist(),
            "clusters of b": np.bincount(self.component_b, minlength=n)[:MOST_ROWS].tolist(),
            "items": self.sizes[:MOST_ROWS].tolist(),
        }
        return preview(repr(self), columns, n)

    def __repr__(self) -> str:
        clusters = f"{self.table.n_a:,} and {plural(self.table.n_b, 'cluster')}"
        overlaps = plural(self.table.n_cells, "overlap")
        return f"Bipartite({clusters}, {overlaps}, {plural(self.n_components, 'component')})"


def bipartite(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> Bipartite:
    """Return the graph of overlaps between the clusters of two partitions.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    Bipartite
        Components (the join), overlaps (the meet), split graphs, merge graphs and the derivation graph.

    Notes
    -----
    O(n).

    Examples
    --------
    >>> from dendrometry.partition import bipartite
    >>> graph = bipartite(["x", "x", "y", "z"], [1, 1, 2, 2])
    >>> graph
    Bipartite(3 and 2 clusters, 3 overlaps, 2 components)
    >>> graph.merge_graph(1).parts.tolist()
    [1, 2]
    """
    from scipy.sparse import coo_array  # slow to import, so only when needed
    from scipy.sparse.csgraph import connected_components

    table = as_contingency(a, b)
    n_nodes = table.n_a + table.n_b
    edges = coo_array(
        (np.ones(table.n_cells, dtype=np.int8), (table.row, table.n_a + table.column)), shape=(n_nodes, n_nodes)
    )
    _, found = connected_components(edges.tocsr(), directed=False)
    _, first, number = np.unique(found, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    component = rank[number]
    return Bipartite(table, read_only(component[: table.n_a]), read_only(component[table.n_a :]))


def join(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> IntArray:
    """Return the join of two partitions: the finest partition that both refine.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    (n_items,) array of int
        The cluster of each item, numbered from 0, without items left out as noise.

    Raises
    ------
    InvalidInputError
        If the table was made from counts, without items.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> from dendrometry.partition import join
    >>> join([0, 0, 1, 2, 2], [0, 1, 1, 2, 2]).tolist()
    [0, 0, 0, 1, 1]
    """
    graph = bipartite(a, b)
    return graph.component_cell[graph.table.item_cell]


def meet(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> IntArray:
    """Return the meet of two partitions: the coarsest partition that refines both.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Returns
    -------
    (n_items,) array of int
        The overlap of each item, numbered from 0 as the cells of the `Contingency`, without items left out as noise.

    Raises
    ------
    InvalidInputError
        If the table was made from counts, without items.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> from dendrometry.partition import meet
    >>> meet([0, 0, 1, 2, 2], [0, 1, 1, 2, 2]).tolist()
    [0, 1, 2, 3, 3]
    """
    return as_contingency(a, b).item_cell


def refines(a: ArrayLike | Contingency, b: ArrayLike | None = None) -> bool:
    """Whether every cluster of a lies inside one cluster of b. A partition refines itself.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a `Contingency` alone.

    Examples
    --------
    >>> from dendrometry.partition import refines
    >>> refines([0, 1, 2], [0, 0, 1]), refines([0, 0, 1], [0, 1, 2])
    (True, False)
    """
    table = as_contingency(a, b)
    return table.n_cells == table.n_a
