"""Points from a delimited file with a header and one row for each item."""

from __future__ import annotations

import csv
import math
import os
from typing import NamedTuple

import numpy as np

from dendrometry._display import plural, printable, quote_first
from dendrometry._files import FilePath
from dendrometry._typing import FloatArray
from dendrometry.errors import FormatError, InvalidInputError, Remedy
from dendrometry.io._shared.formulas import bare


class PointTable(NamedTuple):
    """Points with the names of their items and of their columns."""

    points: FloatArray
    items: tuple[str, ...] | None
    columns: tuple[str, ...]


def read_points(path: FilePath, *, item_column: str | None = None) -> PointTable:
    """Return the points of a CSV or TSV file (TSV if its name ends in .tsv) with a header.

    The column named ``item_column`` names the items and stays text; by default one called ``item``, or a first column
    without a name, as R and pandas write the names of rows. All other columns must hold numbers. Without a column of
    names the items have none.

    Raises
    ------
    FormatError
        If there is no header, a row has another length, or a value is not a finite number; the message names the line,
        and the column of the value.
    InvalidInputError
        If the file cannot be read, or has no column of that name.
    """
    header, rows = read_rows(path)
    at = item_column_at(header, item_column)
    columns = tuple(column for i, column in enumerate(header) if i != at)
    points = np.array([_numbers(line, row, header, at) for line, row in rows], dtype=np.float64)
    return PointTable(points, None if at < 0 else tuple(row[at] for _, row in rows), columns)


def read_rows(path: FilePath) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header of a CSV or TSV file and its rows, each with its line number and as long as the header."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8-sig", newline="") as lines:
            reader = csv.reader(lines, delimiter="\t" if name.endswith(".tsv") else ",", strict=True)
            rows = [(reader.line_num, list(map(bare, row))) for row in reader if row]
    except OSError as error:
        raise InvalidInputError(f"cannot read {printable(name, longest=4096)}: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidInputError(f"{printable(name)} must be a readable table in UTF-8; got {error}") from None
    if len(rows) < 2:
        raise FormatError(f"{printable(name)} must have a header and at least one row; got {plural(len(rows), 'line')}")
    header = rows.pop(0)[1]
    for line, row in rows:
        if len(row) != len(header):
            raise FormatError(f"line {line}: every row must have {len(header)} values, as the header; got {len(row)}")
    return header, rows


def item_column_at(header: list[str], wanted: str | None) -> int:
    """Return the position of the column of item names, or -1."""
    if wanted is None:
        return header.index("item") if "item" in header else 0 if header[0] == "" else -1
    if wanted not in header:
        raise InvalidInputError(
            f"the table must have a column '{printable(wanted)}'; its columns are {quote_first(header)}",
            Remedy("item_column", ..., "names another"),
        )
    return header.index(wanted)


def _numbers(line: int, row: list[str], header: list[str], at: int) -> list[float]:
    """Return the numbers of one row; a value that is not a number is refused by line and column."""
    numbers = []
    for i, value in enumerate(row):
        if i != at:
            numbers.append(_number(value, f"line {line}, column {printable(header[i])}"))
    return numbers


def _number(value: str, where: str) -> float:
    """Return a finite number; underscores between digits, which Python allows, are refused."""
    try:
        number = float(value) if "_" not in value else None
    except ValueError:
        number = None
    if number is None:
        raise FormatError(
            f"{where}: must be a number; got {printable(value)}",
            Remedy("item_column", ..., "names the column of the items, by default 'item'"),
        )
    if not math.isfinite(number):
        raise FormatError(f"{where}: must be a finite number; got {printable(value)}")
    return number
