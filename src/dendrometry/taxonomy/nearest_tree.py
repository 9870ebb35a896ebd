"""The tree nearest to a graph of concepts: one parent for each, so that as few ancestors as possible are lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels import dag as kernels
from dendrometry._tabular import Tabular
from dendrometry._typing import IntArray
from dendrometry.dag import Dag
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.dags import DagLike
from dendrometry.taxonomy.concepts import as_concepts


@dataclass(frozen=True, eq=False, repr=False)
class NearestTree(Frozen, Tabular):
    """A tree in a graph of concepts, and what was cut to make it.

    Attributes
    ----------
    dag : Dag
        The graph.
    tree : Hierarchy
        The tree: its nodes are the concepts, by the same numbers, and each holds one item, the identifier of the
        concept. If the graph has several roots, one more node without a name lies above them.
    child, parent : (n_cut,) array of int
        The edges that were cut, by the numbers of their ends.
    n_pairs : int
        The number of pairs of a concept and one above it in the graph.
    n_lost : int
        The number of these that the tree does not have; no tree in the graph loses fewer.
    """

    dag: Dag
    tree: Hierarchy
    child: IntArray
    parent: IntArray
    n_pairs: int
    n_lost: int

    def columns(self) -> dict[str, list[Any]]:
        """Return the edges that were cut as columns: child and parent, by their names or else identifiers."""
        called = [name or term for name, term in zip(self.dag.names or self.dag.terms, self.dag.terms, strict=True)]
        return {
            "child": [called[v] for v in self.child.tolist()],
            "parent": [called[v] for v in self.parent.tolist()],
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each edge that was cut."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        cut = f"{plural(self.child.size, 'edge')} of {self.dag.n_edges:,} cut"
        return f"NearestTree({cut}, {self.n_lost:,} of {plural(self.n_pairs, 'ancestor pair')} lost)"


def nearest_tree(dag: DagLike) -> NearestTree:
    """Return the tree in a graph of concepts that keeps as many pairs of a concept and one above it as possible.

    Each concept keeps one of its parents: the one with the longest way up, the first of several in the order of the
    graph. All ways in a tree are ways in the graph, so that no concept can keep more concepts above it than lie on its
    longest way up; here every concept keeps as many.

    Parameters
    ----------
    dag : Dag, Hierarchy, or anything that `as_dag` takes
        The graph.

    Returns
    -------
    NearestTree
        The tree for measures that need one, such as `partial_order_f`, the edges that were cut, and what was lost.

    Notes
    -----
    O(n + edges) time for the tree; to count what was lost takes as long as there are edges above all concepts.

    Examples
    --------
    >>> from dendrometry import Dag
    >>> from dendrometry.taxonomy import nearest_tree
    >>> found = nearest_tree(Dag.from_edges([("bat", "mammal"), ("bat", "flyer"), ("mammal", "animal")]))
    >>> found
    NearestTree(1 edge of 3 cut, 1 of 4 ancestor pairs lost)
    >>> found.columns()
    {'child': ['bat'], 'parent': ['flyer']}
    """
    dag = as_concepts(dag, what="the taxonomy")
    owner = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    order = np.lexsort((dag.parent, -dag.depths[dag.parent], owner))
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    kept = np.zeros(dag.n_edges, dtype=bool)
    kept[order[first]] = True
    n_roots = dag.roots.size
    above = np.full(dag.n_terms + (n_roots > 1), -1, dtype=np.int64)
    if n_roots > 1:
        above[:-1] = dag.n_terms
    above[owner[kept]] = dag.parent[kept]
    names = (*dag.names, *("",) * (n_roots > 1)) if dag.names else ()
    tree = Hierarchy(above, None, np.arange(dag.n_terms), dag.terms, names)
    every = np.arange(dag.n_terms)
    count = kernels.count_above(dag.parent_start.copy(), dag.parent.copy(), every, np.iinfo(np.int64).max)
    n_pairs = int(count.sum()) - dag.n_terms
    return NearestTree(dag, tree, owner[~kept], dag.parent[~kept], n_pairs, n_pairs - int(dag.depths.sum()))
