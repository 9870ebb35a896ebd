"""Frames from users as columns: pandas, polars, PyArrow, relations of DuckDB, and anything that streams Arrow."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

from dendrometry._check.labels import require_text
from dendrometry._display import printable, quote_first
from dendrometry._extras import require
from dendrometry.errors import DendrometryError, InvalidInputError

_STREAM = "__arrow_c_stream__"


def is_frame(value: Any) -> bool:
    """Whether a value is a table with named columns, but not a mapping; a single column is none."""
    kind = type(value)
    if hasattr(kind, "columns") or hasattr(value, "columns"):
        return not isinstance(value, Mapping)
    return hasattr(kind, _STREAM) and not hasattr(kind, "__len__")  # columns have a length, streams of tables do not


def columns_of(table: Any) -> dict[str, list[Any]]:
    """Return the columns of a mapping or a frame as lists, by name.

    Raises
    ------
    InvalidInputError
        If the table is neither, has no columns, repeats a name, or a column is not a sequence.
    """
    return {name: _values(name, column) for name, column in named_columns(table).items()}


def named_columns(table: Any) -> dict[str, Any]:
    """Return the columns of a mapping or a frame as they are, by name; errors are those of `columns_of`."""
    if not isinstance(table, Mapping) and not is_frame(table):
        raise InvalidInputError(f"a table must be a dict of columns or a data frame; got {type(table).__name__}")
    try:
        names, columns = _parts(table)
    except DendrometryError:
        raise
    except Exception as error:  # what a foreign frame raises may be anything
        got = str(error).partition("\n")[0]
        raise InvalidInputError(
            f"the rows of a table must be readable; got {printable(got)} from {type(table).__name__}"
        ) from None
    if not names:
        raise InvalidInputError("a table must have at least one column; got none")
    _check_names(names)
    return {str(name): column for name, column in zip(names, columns, strict=True)}


def _parts(table: Any) -> tuple[list[Any], list[Any]]:
    """Return the names and the values of the columns of a mapping or a frame."""
    if isinstance(table, Mapping):
        return list(table), list(table.values())
    if hasattr(table, "iloc"):  # pandas
        return list(table.columns), [table.iloc[:, i] for i in range(table.shape[1])]
    if hasattr(table, "collect_schema") and hasattr(table, "collect"):  # polars, before it is computed
        table = table.collect()
    if hasattr(table, "get_columns"):  # polars
        return list(table.columns), table.get_columns()
    if hasattr(table, "to_pydict"):  # PyArrow
        return list(table.schema.names), [column.to_pylist() for column in table.columns]
    if hasattr(type(table), _STREAM) and not hasattr(table, "fetchall"):
        table = require("duckdb", extra="tables", for_="a stream of Arrow").from_arrow(table)
    if hasattr(table, "fetchall"):  # a relation of DuckDB
        names, rows = list(table.columns), table.fetchall()
        return names, [[row[i] for row in rows] for i in range(len(names))]
    return list(table.columns), [table[name] for name in table.columns]


def _values(name: Any, column: Any) -> list[Any]:
    """Return the values of a column as plain Python objects."""
    for method in ("to_list", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
    if isinstance(column, str | bytes | Set) or not isinstance(column, Iterable):
        raise InvalidInputError(f"column '{printable(name)}' must be a sequence; got {printable(column)}")
    return list(column)


def _check_names(names: list[Any]) -> None:
    """Refuse names of columns that have no text, or the same text."""
    for at, name in enumerate(names):
        if isinstance(name, int):
            require_text(name, "column names that are numbers", f"in column {at}")
    twice = [name for name, count in Counter(map(str, names)).items() if count > 1]
    if twice:
        raise InvalidInputError(f"column names must be distinct; these are repeated: {quote_first(twice)}")
