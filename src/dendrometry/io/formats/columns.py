"""The columns of a table in a file: their header, the memory they need, and the hierarchy they hold."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from dendrometry import _memory
from dendrometry._display import printable, quote_first
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.requirements import Reading
from dendrometry.io.formats.levels import tree_of_columns
from dendrometry.io.formats.paths import STATED

_ROW_BYTES = 150  # a tuple or list, and a node with its name
_CELL_BYTES = 70  # a string without its characters, and its places in a row and a column


def require_memory(n_rows: int, n_cells: int, n_bytes: int) -> None:
    """Refuse a table that does not fit in memory as rows of text."""
    _memory.require_memory(
        n_rows * _ROW_BYTES + n_cells * _CELL_BYTES + n_bytes,
        f"a table of {n_rows:,} rows and {n_cells:,} values",
        "Read a part of it.",
    )


def from_columns(columns: dict[str, list[Any]], choice: TableChoice) -> Reading:
    """Return the hierarchy of the columns of a file, and what was assumed about them."""
    if len(columns) < 2:
        only = next(iter(columns))
        hint = " (commas separate the columns of .csv, tabs those of .tsv)" if re.search(r"[;,\t]", only) else ""
        raise FormatError(f"a table must have a column besides the items; got only '{printable(only)}'{hint}")
    if not next(iter(columns.values())):
        raise FormatError("a table must have at least one row below its header; got none")
    try:
        return tree_of_columns(_without_row_numbers(columns), None, _with_stated(columns, choice))
    except DendrometryError as error:
        raise FormatError(*error.args) from None


def check_header(header: list[str]) -> None:
    """Refuse columns without a name, except for the first, which R and pandas write so; and columns with one name.

    Names that differ in nothing but case are one name for databases, and are refused for all tables alike.
    """
    if "" in header[1:]:
        raise FormatError(f"every column but the first must have a name; column {header.index('', 1) + 1} has none")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise FormatError(f"column names must be distinct; these are repeated: {quote_first(twice)}")
    folded = Counter(name.lower() for name in header)
    alike = [name for name in header if folded[name.lower()] > 1]
    if alike:
        raise FormatError(f"column names must differ in more than case; got {quote_first(alike)}")


def _without_row_numbers(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return columns, the first one without a name as the column of items.

    R and pandas write the names of rows so. If they only number the rows, and there are two more columns, of which the
    first tells most rows apart, that one holds the items, and the numbers are left out.
    """
    if "" not in columns:
        return columns
    names = list(map(str, columns[""]))
    rest = {name: column for name, column in columns.items() if name}
    numbered = any(names == list(map(str, range(first, first + len(names)))) for first in (0, 1))
    if numbered and len(rest) > 1 and 2 * len(set(next(iter(rest.values())))) > len(names):
        return rest
    if "item" in rest:
        raise FormatError("the items must be named once; got a first column without a name and a column 'item'")
    return {"item": names, **rest}


def _with_stated(columns: dict[str, list[Any]], choice: TableChoice) -> TableChoice:
    """Return the choice with the separator that the name of a column states, if none is chosen."""
    stated = [name for name in columns if name.startswith(STATED)]
    if len(stated) != 1 or choice.sep is not None or choice.path_column not in (None, *stated):
        return choice
    return choice._replace(path_column=stated[0], sep=stated[0].removeprefix(STATED), exact=True)
