"""Tables that are known by the names of their columns, in files and frames alike."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.tables import from_tables
from dendrometry.io.packages.bertopic import BERTOPIC_COLUMNS
from dendrometry.io.packages.graphrag import GRAPHRAG_COLUMNS, from_graphrag
from dendrometry.io.packages.hdbscan import HDBSCAN_COLUMNS, from_hdbscan
from dendrometry.io.taxonomies.lineages import from_lineages

Columns = dict[str, list[Any]]


def known_table(columns: Columns) -> Callable[[Columns], Hierarchy] | None:
    """Return what reads a table of these columns, or None if their names say nothing."""
    return next((reader for known, reader in _TABLES if known <= columns.keys()), None)


def _refuse_topics(_: Columns) -> Hierarchy:
    """Refuse the topics of BERTopic: their numbers are those of one run, and another run gives them to other topics."""
    raise InvalidInputError(
        "the items of a tree must be the same in every run; got the topics of BERTopic, which each run numbers anew",
        Remedy("topics", ..., "with model.topics_ takes the documents", "from_bertopic"),
        Remedy("", ..., "takes the topics of one run", "from_bertopic"),
    )


def _read_nodes(columns: Columns) -> Hierarchy:
    """Return the tree of a table of nodes and their parents, whose items are its leaves."""
    if "item" in columns:
        raise InvalidInputError(
            "it must be readable in one way; got a table with the columns item, node and parent",
            Remedy("", ..., "takes two tables", "from_tables"),
            Remedy("", ..., "takes levels", "from_levels"),
        )
    empty = {name: [None if value == "" else value for value in columns[name]] for name in ("node", "parent")}
    return from_tables(columns | empty)


_TABLES: tuple[tuple[Set[str], Callable[[Columns], Hierarchy]], ...] = (
    (BERTOPIC_COLUMNS, _refuse_topics),
    (GRAPHRAG_COLUMNS, from_graphrag),
    *((known, from_hdbscan) for known in HDBSCAN_COLUMNS),
    ({"Feature ID", "Taxon"}, lambda columns: from_lineages(columns["Taxon"], columns["Feature ID"])),
    (
        {"user_genome", "classification"},
        lambda columns: from_lineages(columns["classification"], columns["user_genome"]),
    ),
    ({"node", "parent"}, _read_nodes),
)
