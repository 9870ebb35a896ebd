"""The tree of the nodes that a table names: from a table of nodes, or from their paths or labels."""

from __future__ import annotations

from typing import Any

from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.noise import has_noise
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.requirements import Reading
from dendrometry.io._shared.schema import NODE_TABLE
from dendrometry.io.formats.columns import from_columns
from dendrometry.io.formats.tables import from_tables


def tree_of_nodes(nodes: list[Any], table: dict[str, list[Any]]) -> Hierarchy:
    """Return the tree of a table of nodes, whose items are the places of the given nodes."""
    known = (*NODE_TABLE.keys, *NODE_TABLE.texts, *NODE_TABLE.numbers)
    columns = {name: column for name, column in table.items() if name in known}
    return from_tables(columns, {"item": list(map(str, range(len(nodes)))), "node": nodes})


def tree_of_values(name: str, values: list[Any], sep: str | None) -> Reading:
    """Return the tree of the paths or labels in a column, whose items are their places, and what was assumed."""
    places = f"place in {name}"  # a name that the column itself does not have
    columns = {places: list(map(str, range(len(values)))), name: values}
    found = from_columns(columns, TableChoice(item=places, sep=sep, noise="label"))
    noise = [("the label -1, as noise has, is taken as a cluster",)] * has_noise(map(str, values), None)
    return found._replace(notes=[*found.notes, *noise])
