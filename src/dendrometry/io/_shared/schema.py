"""The exchange schema: a tree as two Parquet tables, one of its nodes and one of its items."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from dendrometry._display import printable, quote_first
from dendrometry.errors import FormatError


class TableSchema(NamedTuple):
    """The columns of a table of nodes or of items: the keys are required, the others optional.

    A key is a whole number or text; the keys of the nodes of one tree are all of one kind.
    """

    what: str
    keys: tuple[str, ...]
    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    @property
    def ending(self) -> str:
        """The end of the names of its files."""
        return f".{self.what}.parquet"

    def require_keys(self, names: Collection[str]) -> None:
        """Refuse columns that lack a key."""
        missing = [name for name in self.keys if name not in names]
        if missing:
            raise FormatError(
                f"a table of {self.what} must have the columns {' and '.join(self.keys)}; it lacks"
                f" {quote_first(missing)}"
            )

    def check(self, columns: Sequence[tuple[str, str]]) -> None:
        """Refuse columns, given by name and type of DuckDB, that lack a key or have a type that the schema excludes."""
        self.require_keys(dict(columns))
        for name, kind in columns:
            if name in self.keys and kind != "VARCHAR" and not is_whole(kind):
                raise FormatError(f"the column {name} must hold whole numbers or text; got {printable(kind)}")
            if name in self.texts and kind != "VARCHAR":
                raise FormatError(f"the column {name} must hold text; got {printable(kind)}")
            if name in self.numbers and not is_number(kind):
                raise FormatError(f"the column {name} must hold numbers; got {printable(kind)}")

    def strange(self, names: Iterable[str]) -> list[str]:
        """Return the names of columns that the schema does not know."""
        return [name for name in names if name not in (*self.keys, *self.texts, *self.numbers)]


NODE_TABLE = TableSchema("nodes", keys=("node", "parent"), texts=("name",), numbers=("height",))
ITEM_TABLE = TableSchema("items", keys=("item", "node"), numbers=("weight",))


MARK = "dendrometry.tree"  # in the metadata of both files of a tree: a digest of it


class PairOfTables(NamedTuple):
    """The files of the two tables of a tree."""

    nodes: str
    items: str


def check_marks(marks: Iterable[object]) -> None:
    """Refuse two tables with the marks of two trees, as when only one file was replaced; other programs write none."""
    if len({mark for mark in marks if mark is not None}) > 1:
        raise FormatError(
            f"{NODE_TABLE.ending} and {ITEM_TABLE.ending} must be the tables of one tree;"
            " they were not written together"
        )


def pair_of_tables(name: str) -> PairOfTables | None:
    """Return the two files that belong to the name of either, or None if it is not the name of such a table."""
    for schema in (NODE_TABLE, ITEM_TABLE):
        stem = name[: len(name) - len(schema.ending)]
        if name.endswith(schema.ending) and os.path.basename(stem):
            return PairOfTables(stem + NODE_TABLE.ending, stem + ITEM_TABLE.ending)
    return None


def is_whole(kind: str) -> bool:
    """Whether a type of DuckDB is one of whole numbers."""
    return kind.endswith(("INT", "INTEGER"))


def is_number(kind: str) -> bool:
    """Whether a type of DuckDB is one of numbers."""
    return is_whole(kind) or kind in ("DOUBLE", "FLOAT") or kind.startswith("DECIMAL")
