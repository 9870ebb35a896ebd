"""Concepts of what users pass as a taxonomy: a graph of terms, in which nodes of a tree with one name have paths."""

from __future__ import annotations

from collections import Counter

from dendrometry.dag import Dag
from dendrometry.io.coerce import as_hierarchy
from dendrometry.io.dags import DagLike, as_dag
from dendrometry.taxonomy.nodes import Nodes


def as_concepts(value: DagLike, *, what: str) -> Dag:
    """Return a taxonomy as a graph; nodes of a tree whose name is repeated are called by their path, if that is not.

    ``what`` names it in messages.
    """
    if isinstance(value, Dag):
        return value
    dag = as_dag(value, what=what)
    unnamed = [v for v, term in enumerate(dag.terms) if is_numbered(term, v)]
    if not unnamed or not dag.is_tree:
        return dag
    nodes = Nodes(as_hierarchy(value, what=what))
    paths = {v: nodes.path(v) for v in unnamed if nodes.is_named(v)}
    count = Counter((*dag.terms, *paths.values()))
    terms = [paths[v] if v in paths and count[paths[v]] == 1 else term for v, term in enumerate(dag.terms)]
    return Dag(tuple(terms), dag.parent_start, dag.parent, dag.names)


def is_numbered(term: str, v: int) -> bool:
    """Whether a node of a tree without a name of its own is only called by its number."""
    return term.startswith("node ") and term == f"node {v}"
