"""Clusterings from a delimited file with a header: one row for each item, one column of labels for each level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dendrometry._check.choices import some_of
from dendrometry._display import printable, quote_first
from dendrometry._files import FilePath
from dendrometry.cluster.table import item_column_at, read_rows
from dendrometry.errors import FormatError
from dendrometry.io._shared.missing import is_missing_word


class LevelTable(NamedTuple):
    """The labels of each level by its name, and the names of the items if the file has them."""

    levels: dict[str, list[str]]
    items: tuple[str, ...] | None


def read_levels(path: FilePath, *, item_column: str | None = None, columns: Sequence[str] | None = None) -> LevelTable:
    """Return the clusterings of a CSV or TSV file (TSV if its name ends in .tsv) with a header.

    The column named ``item_column`` names the items; by default one called ``item``, or a first column without a name,
    as R and pandas write the names of rows. Every other column is a level, or those among ``columns``. Labels are text.

    Raises
    ------
    FormatError
        If there is no header or no level, a row has another length, or a label is missing; the message names the line,
        and the column of the label.
    InvalidInputError
        If the file cannot be read, or has no column of a name.
    """
    header, rows = read_rows(path)
    at = item_column_at(header, item_column)
    places = {name: i for i, name in enumerate(header) if i != at}
    if len(places) < len(header) - (at >= 0):
        raise FormatError(f"column names must be distinct; got {quote_first(header)}")
    wanted = list(places) if columns is None else some_of(columns, "columns", places)
    if not wanted:
        raise FormatError(f"the table must have a column of labels besides the items; got {quote_first(header)}")
    for line, row in rows:
        empty = next((name for name in wanted if not row[places[name]] or is_missing_word(row[places[name]])), None)
        if empty is not None:
            raise FormatError(f"line {line}, column {printable(empty)}: every item must have a label; got none")
    levels = {name: [row[places[name]] for _, row in rows] for name in wanted}
    return LevelTable(levels, None if at < 0 else tuple(row[at] for _, row in rows))
