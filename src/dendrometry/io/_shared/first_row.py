"""The names of the columns of a table: refused if they are a row of data, or several names in one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dendrometry._display import printable
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.separators import find_separator

_NUMBER = re.compile(r"[+-]?\d++(?:\.\d*+)?(?:[eE][+-]?\d++)?", re.ASCII)
_MARK = re.compile(r"[>/|;]|::")
_DELIMITER = re.compile(r"[;,\t]")
_MANY_ROWS = 20  # of which a level has some value twice


def check_split(columns: dict[str, list[Any]], index: Iterable[str] | None = None) -> None:
    """Refuse a single column that is several, with its other parts in its values or in the index of a frame."""
    only = next(iter(columns))
    found = _DELIMITER.search(only) if len(columns) == 1 else None
    if found is None:
        return
    parts = (columns[only], index or [""])
    if any(all(isinstance(value, str) and found[0] in value for value in part) for part in parts):
        raise InvalidInputError(
            f"a table must be split into its columns; got only '{printable(only)}', with {found[0]!r} in every row"
        )


def check_columns(columns: dict[str, list[Any]]) -> None:
    """Refuse columns whose names are a row of data."""
    names = list(columns)
    numbered = any(names == list(map(str, range(i, i + len(names)))) for i in (0, 1))  # as pandas numbers columns
    if names[0] in ("", "item") or numbered:
        return
    if _MARK.search(names[0]) is None and any(_begins(value, names[0]) for value in columns[names[0]]):
        raise InvalidInputError(
            f"the first row must name the columns; got a row of data, with '{printable(names[0])}' in column 1"
        )
    numbers = all(_NUMBER.fullmatch(name.strip()) for name in names)
    for i, name in enumerate(names[1:], start=1):
        if numbers or _is_value(name, i, columns[name]):
            raise InvalidInputError(
                f"the first row must name the columns; got a row of data, with '{printable(name)}' in column {i + 1}"
            )


def _begins(value: object, name: str) -> bool:
    """Whether a value is a path that begins with a name."""
    return isinstance(value, str) and value.startswith(name) and _MARK.match(value, len(name)) is not None


def _is_value(name: str, i: int, column: list[Any]) -> bool:
    """Whether the name of a column is one of its values, or a path that begins as some of them do.

    A title or a label, another in each of many rows, may be the word "label" itself. A column that holds its name and
    nothing else, not in all rows, marks members, as "EU" of countries.
    """
    if name != str(i - 1) and name in column:
        values = set(column)
        marks = len(values) == 2 and any(value in values for value in ("", None))
        return not marks and (len(column) < _MANY_ROWS or len(values) < len(column))
    if not _MARK.search(name):
        return False
    values = {value for value in column if isinstance(value, str)}
    sep = find_separator(values)
    parts = name.split(sep.strip()) if sep is not None else [name]
    return len(parts) > 1 and any(value.startswith(parts[0]) for value in values)
