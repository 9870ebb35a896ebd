"""Clusterings from a delimited file with a header: one row for each item, one column of labels for each level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from dendrometry._check.choices import some_of
from dendrometry._display import printable, quote_first
from dendrometry._files import FilePath
from dendrometry.cluster.table import item_column_at, read_rows
from dendrometry.errors import FormatError, Remedy
from dendrometry.io._shared.missing import is_missing_word

_FRACTION = re.compile(r"[+-]?\d*+\.\d*[1-9]\d*", re.ASCII)  # 1.0 is a whole number, as pandas writes it beside gaps


class LevelTable(NamedTuple):
    """The labels of each level by its name; names of the items, their column, and an annotation, if there are any."""

    levels: dict[str, list[str]]
    items: tuple[str, ...] | None
    item_column: str | None = None
    annotation: list[str] | None = None


def read_levels(
    path: FilePath,
    *,
    item_column: str | None = None,
    columns: Sequence[str] | None = None,
    annotation: str | None = None,
) -> LevelTable:
    """Return the clusterings of a CSV or TSV file (TSV if its name ends in .tsv) with a header.

    The column named ``item_column`` names the items, by default the one that `read_points` takes. Every other column is
    a level, or those among ``columns``; not that of the ``annotation``. Labels are text.

    Raises
    ------
    FormatError
        If there is no header or no level, a row has another length, or a label is missing; the message names the line,
        and the column of the label.
    InvalidInputError
        If the file cannot be read, or has no column of a name.
    """
    header, rows = read_rows(path)
    at = item_column_at(header, rows, item_column)
    numbered = at == 1 and header[0] == "" and item_column is None  # by a first column, which is left out
    places = {name: i for i, name in enumerate(header) if i != at and not (numbered and i == 0)}
    if len(places) < len(header) - (at >= 0) - numbered:
        raise FormatError(f"column names must be distinct; got {quote_first(header)}")
    noted = [] if annotation is None else some_of([annotation], "labels", places)
    known = [name for name in places if name not in noted]
    wanted = known if columns is None else some_of(columns, "columns", known)
    for name in wanted if columns is None else ():
        fraction = next((row[places[name]] for _, row in rows if _FRACTION.fullmatch(row[places[name]])), None)
        if fraction is not None:
            raise FormatError(
                f"a column of labels must hold text or whole numbers; '{printable(name)}' holds {fraction}",
                Remedy("columns", ..., "names the columns that are levels"),
            )
    if not wanted:
        raise FormatError(f"the table must have a column of labels besides the items; got {quote_first(header)}")
    for line, row in rows:
        empty = next(
            (name for name in [*wanted, *noted] if not row[places[name]] or is_missing_word(row[places[name]])), None
        )
        if empty is not None:
            raise FormatError(f"line {line}, column {printable(empty)}: every item must have a label; got none")
    levels = {name: [row[places[name]] for _, row in rows] for name in wanted}
    names, column = (None, None) if at < 0 else (tuple(row[at] for _, row in rows), header[at])
    noted_labels = None if annotation is None else [row[places[annotation]] for _, row in rows]
    return LevelTable(levels, names, column, noted_labels)
