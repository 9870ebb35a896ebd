"""The columns of a table in a file: an item column beside a path, levels or a label."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dendrometry import _memory
from dendrometry._display import printable, quote_first
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.tables.table import from_levels, from_paths

__all__ = ["check_header", "from_columns", "require_memory"]

_ROW_BYTES = 150  # a tuple or list, and a node with its name
_CELL_BYTES = 70  # a string without its characters, and its places in a row and a column


def require_memory(n_rows: int, n_cells: int, n_bytes: int) -> None:
    """Refuse a table that does not fit in memory as rows of text."""
    _memory.require_memory(
        n_rows * _ROW_BYTES + n_cells * _CELL_BYTES + n_bytes,
        f"a table of {n_rows:,} rows and {n_cells:,} values",
        "Read a part of it.",
    )


def from_columns(columns: dict[str, list[Any]]) -> Hierarchy:
    """Return the hierarchy of named columns: items, and paths, levels or a label."""
    others = [name for name in columns if name != "path"]
    item = "item" if "item" in columns else others[0] if len(columns) == 2 and others else next(iter(columns))
    if len(columns) < 2:
        raise FormatError(f"a table must have a column besides the items; got only '{printable(item)}'")
    names = columns[item]
    if not names:
        raise FormatError("a table must have at least one row below its header; got none")
    try:
        if set(columns) == {item, "path"}:
            return from_paths([path or "" for path in columns["path"]], names)
        return from_levels(columns, item)
    except DendrometryError as error:
        raise FormatError(str(error)) from None


def check_header(header: list[str]) -> None:
    """Refuse columns without a name, and columns with the same name."""
    if "" in header:
        raise FormatError(f"every column must have a name; column {header.index('') + 1} has none")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise FormatError(f"column names must be distinct; these are repeated: {quote_first(twice)}")
