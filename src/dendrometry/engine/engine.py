"""What an engine does for the count: it makes views of tables, and runs statements over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dendrometry._typing import IntArray
from dendrometry.engine.item_table import Column, Columns, ItemTable

STEPS = 100  # of progress in one statement


class Engine(Protocol):
    """A database that counts; ``prefix`` begins the names of all views that it makes.

    What a user's table, or its database, gets wrong is an InvalidInputError in all functions.
    """

    prefix: str

    def admit(self, table: ItemTable) -> None:
        """Find the files of a table, or attach its database; nothing of it runs before `seal`."""

    def seal(self) -> None:
        """Let statements read what was admitted and nothing else; the views of a database are SQL of strangers."""

    def columns(self, table: ItemTable) -> list[Column]:
        """Return the columns of a table."""

    def view(self, side: str, table: ItemTable, columns: Columns, *, items_as_text: bool) -> None:
        """Make the view of a side: item (empty text as missing), node, and weight, missing if there is no column."""

    def number(self, side: str, nodes: Sequence[int | str]) -> None:
        """Make the view that gives each node of a side its place in the sequence."""

    def node_rows(self, table: ItemTable, most: int) -> dict[str, list[Any]]:
        """Return the columns of the table of nodes that belongs to a table of items, up to ``most`` rows."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a small result."""

    def numbers(self, statement: str) -> list[IntArray]:
        """Return the columns of a result of whole numbers, none of them missing."""
