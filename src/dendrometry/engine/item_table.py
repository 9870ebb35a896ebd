"""ItemTable: a table with a row for each item, where it lies, and what its columns hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from dendrometry._display import printable, quote_first
from dendrometry._files import name_of
from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.io._shared.schema import pair_of_tables
from dendrometry.io._shared.separators import is_path_name


@dataclass(frozen=True, kw_only=True)
class ItemTable:
    """A table with a row for each item: its name, the node, path or label that it belongs to, perhaps a weight.

    Parameters
    ----------
    source : str, path, list of these, or Spark DataFrame
        A Parquet, CSV or TSV file, a folder of such files, a pattern such as ``"parts/*.parquet"``, or several of
        these. With ``database``, the name of a table in it.
    nodes : str, path or Spark DataFrame, optional
        The table of the nodes, with the columns ``node``, ``parent`` (missing at the root), and perhaps ``height`` and
        ``name``; by default, for ``NAME.items.parquet``, the file ``NAME.nodes.parquet``. Without it, the values are
        paths or labels.
    database : str, optional
        A database that DuckDB can attach: a file of DuckDB, ``"sqlite:animals.db"`` or
        ``"postgres:host=... dbname=..."``. The last two need the extension of DuckDB of that name to be installed.
    item : str, optional
        The column of the items; by default "item", otherwise the first.
    node : str, optional
        The column of the nodes, paths or labels; by default "node" if there are ``nodes``, otherwise the only other
        column, or the only other one whose name ends in "path".
    sep : str, optional
        The separator of paths; by default it is found, as by `read`. An empty one says that the values are labels.
    weight : str, optional
        The column of the weights: how many items a row stands for, a whole number; by default "weight" if there is
        one. An empty name says that there is none.

    Examples
    --------
    >>> from dendrometry.engine import ItemTable
    >>> ItemTable(source="shop/*.parquet", item="sku", node="category", sep=" > ")
    ItemTable(source='shop/*.parquet', item='sku', node='category', sep=' > ')
    """

    source: Any
    nodes: Any = None
    database: str | None = None
    item: str | None = None
    node: str | None = None
    sep: str | None = None
    weight: str | None = None

    def __post_init__(self) -> None:
        """Refuse names that are not text, and what is neither a file, nor files, nor a data frame of Spark."""
        _check_source(self.source, "source")
        if self.nodes is not None:
            _check_source(self.nodes, "nodes")
        for name in ("database", "item", "node", "sep", "weight"):
            value: object = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise InvalidInputError(f"{name} must be text; got {printable(value)}")

    def __repr__(self) -> str:
        given = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        return f"ItemTable({', '.join(f'{name}={getattr(self, name)!r}' for name in given)})"


class Column(NamedTuple):
    """A column of a table: its name, and "text", "whole" for whole numbers, or the database's word for another type."""

    name: str
    kind: str


class Columns(NamedTuple):
    """The columns of a table that are counted."""

    item: Column
    node: Column
    weight: Column | None


def is_frame(source: object) -> bool:
    """Whether a source is a data frame of Spark."""
    return hasattr(source, "sparkSession") and hasattr(source, "createOrReplaceTempView")


def _check_source(source: object, what: str) -> None:
    """Refuse what cannot be a table."""
    names = source if isinstance(source, list | tuple) and what == "source" else [source]
    if not is_frame(source) and not all(isinstance(name, str | os.PathLike) for name in names):
        framed = hasattr(source, "columns")
        got = f"{type(source).__name__} (compare takes frames in memory)" if framed else printable(source)
        raise InvalidInputError(f"{what} must be a file, files or a Spark DataFrame; got {got}")


def as_item_table(table: Any) -> ItemTable:
    """Return an argument of `overlap_from_tables` as an ItemTable, with its table of nodes if the name tells it."""
    found = table if isinstance(table, ItemTable) else ItemTable(source=table)
    is_name = isinstance(found.source, str | os.PathLike) and found.database is None and found.nodes is None
    pair = pair_of_tables(name_of(found.source)) if is_name else None
    return found if pair is None else replace(found, source=pair.items, nodes=pair.nodes)


def choose_columns(columns: Sequence[Column], table: ItemTable) -> Columns:
    """Return the columns of the items, of their nodes and of their weights, by name or as described in `ItemTable`."""
    known = {column.name: column for column in columns}

    def named(name: str) -> Column:
        if name not in known:
            raise InvalidInputError(f"the table must have the column '{printable(name)}'; got {quote_first([*known])}")
        return known[name]

    item = named(table.item or ("item" if "item" in known else columns[0].name))
    weight = named(table.weight) if table.weight else None
    if table.weight is None and "weight" in known and "weight" not in (item.name, table.node):
        weight = known["weight"]
    rest = [column for column in columns if column not in (item, weight) and column.name != "weight"]
    if table.node is not None or table.nodes is not None:
        return Columns(item, named(table.node or "node"), weight)
    paths = [column for column in rest if is_path_name(column.name)]
    found = rest if len(rest) == 1 else paths
    if len(found) != 1:
        raise InvalidInputError(
            "the table must have one column of paths or labels beside the items;"
            f" got {quote_first([column.name for column in rest]) or f'{quote_first([item.name])} alone'}",
            Remedy("node", ..., "names it", "ItemTable"),
        )
    return Columns(item, found[0], weight)
