"""Tables that are known by the names of their columns, in files and frames alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.known_columns import (
    BERTOPIC_COLUMNS,
    CONDENSED_COLUMNS,
    GRAPHRAG_COLUMNS,
    GTDB_COLUMNS,
    QIIME_COLUMNS,
    SINGLE_LINKAGE_COLUMNS,
    TOPIC_COLUMNS,
)

Columns = dict[str, list[Any]]


def known_table(columns: Iterable[str]) -> Callable[[Columns], Hierarchy] | None:
    """Return what reads a table of these columns, or None if their names say nothing."""
    names = set(columns)
    return next((reader for known, reader in _TABLES if names.issuperset(known)), None)


def _refuse_topics(_: Columns) -> Hierarchy:
    """Refuse the topics of BERTopic: their numbers are those of one run, and another run gives them to other topics."""
    raise InvalidInputError(
        "the items of a tree must be the same in every run; got the topics of BERTopic, which each run numbers anew",
        Remedy("topics", ..., "with model.topics_ takes the documents", "from_bertopic"),
        Remedy("", ..., "takes the topics of one run", "from_bertopic"),
        Remedy("", ..., "get_document_info() has the documents with their topics, which can be compared"),
    )


def _read_communities(columns: Columns) -> Hierarchy:
    """Return the tree of communities of GraphRAG."""
    from dendrometry.io.packages.graphrag import from_graphrag

    return from_graphrag(columns)


def _read_hdbscan(columns: Columns) -> Hierarchy:
    """Return a tree of HDBSCAN."""
    from dendrometry.io.packages.hdbscan import from_hdbscan

    return from_hdbscan(columns)


def _read_lineages(columns: Columns) -> Hierarchy:
    """Return the tree of lineages, of QIIME 2 or GTDB-Tk."""
    from dendrometry.io.taxonomies.lineages import from_lineages

    item, lineage = next(names for names in (QIIME_COLUMNS, GTDB_COLUMNS) if columns.keys() >= set(names))
    return from_lineages(columns[lineage], columns[item])


def _read_nodes(columns: Columns) -> Hierarchy:
    """Return the tree of a table of nodes and their parents, whose items are its leaves."""
    from dendrometry.io.formats.tables import from_tables

    if "item" in columns:
        raise InvalidInputError(
            "it must be readable in one way; got a table with the columns item, node and parent",
            Remedy("", ..., "takes two tables", "from_tables"),
            Remedy("", ..., "takes levels", "from_levels"),
        )
    empty = {name: [None if value == "" else value for value in columns[name]] for name in ("node", "parent")}
    return from_tables(columns | empty)


_TABLES: tuple[tuple[Iterable[str], Callable[[Columns], Hierarchy]], ...] = (
    (BERTOPIC_COLUMNS, _refuse_topics),
    (TOPIC_COLUMNS, _refuse_topics),
    (GRAPHRAG_COLUMNS, _read_communities),
    (CONDENSED_COLUMNS, _read_hdbscan),
    (SINGLE_LINKAGE_COLUMNS, _read_hdbscan),
    (QIIME_COLUMNS, _read_lineages),
    (GTDB_COLUMNS, _read_lineages),
    (("node", "parent"), _read_nodes),
)
