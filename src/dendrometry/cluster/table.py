"""Points from a delimited file with a header and one row for each item."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dendrometry._check.choices import some_of, suggestion
from dendrometry._display import plural, printable, quote_first
from dendrometry._files import FilePath
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import FormatError, InvalidInputError, Remedy
from dendrometry.io._shared.formulas import bare
from dendrometry.io._shared.missing import is_missing_word
from dendrometry.io._shared.rows import advice_on_length, delimiter_of, with_decimal_points


class PointTable(NamedTuple):
    """Points with the names of their items and of their columns, and of the column that names the items."""

    points: FloatArray
    items: tuple[str, ...] | None
    columns: tuple[str, ...]
    item_column: str | None = None

    @property
    def are_distances(self) -> bool:
        """Whether this is a table of the distances of its items: symmetric, with 0 from each to itself."""
        square = len(self.columns) > 1 and self.items == self.columns
        return square and not self.points.diagonal().any() and np.array_equal(self.points, self.points.T)

    @property
    def variance_shares(self) -> FloatArray:
        """The share of each column in the variance of all, which is that in the mean squared distance of two items."""
        variance = self._scaled().var(axis=0) * 4.0 ** (self._exponents() - self._exponents().max(initial=0))
        shares: FloatArray = variance / (variance.sum() or 1.0)
        return shares

    def standardized(self) -> PointTable:
        """Return the points with mean 0 and standard deviation 1 in every column.

        Raises
        ------
        InvalidInputError
            If a column does not vary.
        """
        values = self._scaled()
        deviation = values.std(axis=0)
        if not deviation.all():
            name = printable(self.columns[int(np.argmin(deviation))])
            raise InvalidInputError(
                f"a column must vary to be standardized; '{name}' does not",
                Remedy("columns", ..., "names the columns to take"),
            )
        return self._replace(points=(values - values.mean(axis=0)) / deviation)

    def _exponents(self) -> IntArray:
        """Return the power of two that scales each column to at most 1."""
        exponents: IntArray = np.frexp(np.abs(self.points).max(axis=0))[1]
        return exponents

    def _scaled(self) -> FloatArray:
        """Return the points with columns scaled by powers of two, so that no square overflows."""
        scaled: FloatArray = np.ldexp(self.points, -self._exponents())
        return scaled


def read_points(path: FilePath, *, item_column: str | None = None, columns: Sequence[str] | None = None) -> PointTable:
    """Return the points of a CSV or TSV file (TSV if its name ends in .tsv) with a header.

    The column named ``item_column`` names the items and stays text; by default one called ``item``, else a first column
    without a name, as R and pandas write the names of rows, else the first column if it holds text, each once. A column
    without a name that only numbers the rows is left out if text follows it. All other columns, or those among
    ``columns``, must hold numbers; without a column of names the items have none. Semicolons may separate columns;
    numbers have decimal commas then.

    Raises
    ------
    FormatError
        If there is no header, as where all columns have numbers for names that do not count them, a row has another
        length, or a value is not a finite number; the message names the line, and the column of the value.
    InvalidInputError
        If the file cannot be read, or has no column of that name.
    """
    header, rows = read_rows(path)
    at = item_column_at(header, rows, item_column)
    _check_header(header, at)
    numbered = at == 1 and header[0] == "" and item_column is None  # by a first column, which is left out
    taken = [i for i in range(int(numbered), len(header)) if i != at]
    if columns is not None:
        taken = _places([header[i] for i in taken], taken, columns)
    points = np.array([_numbers(line, row, header, taken, at) for line, row in rows], dtype=np.float64)
    named = None if at < 0 else tuple(row[at] for _, row in rows)
    return PointTable(points, named, tuple(header[i] for i in taken), None if at < 0 else header[at])


def _places(names: list[str], places: list[int], wanted: Sequence[str]) -> list[int]:
    """Return the places of the columns that are wanted, in their order."""
    chosen = some_of(wanted, "columns", list(dict.fromkeys(names)))
    twice = next((name for name in chosen if names.count(name) > 1), None)
    if twice is not None:
        raise FormatError(f"the names of the columns to take must be distinct; '{printable(twice)}' is repeated")
    return [places[names.index(name)] for name in chosen]


def read_rows(path: FilePath) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header of a CSV or TSV file and its rows, each with its line number and as long as the header."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8-sig", newline="") as lines:
            delimiter = delimiter_of(lines.readline(), "\t" if name.endswith(".tsv") else ",")
            lines.seek(0)
            reader = csv.reader(lines, delimiter=delimiter, strict=True)
            rows = [(reader.line_num, list(map(bare, row))) for row in reader if row]
    except OSError as error:
        raise InvalidInputError(f"cannot read {printable(name, longest=4096)}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InvalidInputError(
            f"{printable(name)} must be a table in CSV or TSV, of UTF-8; got other data",
            Remedy("", ..., "a spreadsheet or a data frame can be saved as CSV"),
        ) from None
    except csv.Error as error:
        raise InvalidInputError(f"{printable(name)} must be a readable table in UTF-8; got {error}") from None
    if len(rows) < 2:
        raise FormatError(f"{printable(name)} must have a header and at least one row; got {plural(len(rows), 'line')}")
    header = rows.pop(0)[1]
    for line, row in rows:
        if len(row) != len(header):
            must = f"every row must have {plural(len(header), 'value')}, as the header"
            advice = advice_on_length(row, len(header), delimiter)
            raise FormatError(f"line {line}: {must}; got {len(row)}{advice}")
    return header, with_decimal_points(rows) if delimiter == ";" else rows


def item_column_at(header: list[str], rows: list[tuple[int, list[str]]], wanted: str | None) -> int:
    """Return the position of the column that names the items, or -1 if none does.

    By default it is "item", else a first column without a name, else the first column if it holds text, each once. A
    column without a name that only numbers the rows makes way for text in the next one.
    """
    if wanted is not None and wanted not in header:
        raise InvalidInputError(
            f"{suggestion(wanted, header)}the table must have a column '{printable(wanted)}'; its columns are"
            f" {quote_first(header)}",
            Remedy("item_column", ..., "names another"),
        )
    if wanted is not None or "item" in header:
        return header.index("item" if wanted is None else wanted)
    if header[0]:
        return 0 if _names_rows(rows, 0) else -1
    numbers = [row[0] for _, row in rows]
    counts = any(numbers == list(map(str, range(first, first + len(numbers)))) for first in (0, 1))
    return 1 if counts and len(header) > 2 and _names_rows(rows, 1) else 0


def _check_header(header: list[str], at: int) -> None:
    """Refuse names of columns that are numbers, and so a first row of data.

    Whole numbers that count the columns are names, as pandas writes them; beside names of items also those that ascend,
    such as years.
    """
    names = [name.strip() for i, name in enumerate(header) if i != at]
    if header[0] == "" or "item" in header or not names or not all(map(_is_number, names)):
        return
    whole = [int(name) for name in names if name.isascii() and name.isdecimal()]
    steps = np.diff(whole)
    if len(whole) == len(names) and ((steps > 0).all() if at >= 0 else (steps == 1).all() and whole[0] in (0, 1)):
        return
    raise FormatError(
        f"the first row must name the columns; got a row of numbers, such as '{printable(names[0])}'"
        " (a first line such as a,b,c names them)"
    )


def _names_rows(rows: list[tuple[int, list[str]]], at: int) -> bool:
    """Whether a column holds text, each once, as the names of items are."""
    values = [row[at] for _, row in rows]
    return len(set(values)) == len(values) and not any(value == "" or _is_number(value) for value in values)


def _is_number(value: str) -> bool:
    """Whether a value is a number, or the word for none."""
    try:
        float(value)
    except ValueError:
        return False
    return True


def _numbers(line: int, row: list[str], header: list[str], taken: list[int], at: int) -> list[float]:
    """Return the numbers of one row; a value that is not a number is refused by line and column."""
    absent = next((i for i in taken if not row[i].strip() or is_missing_word(row[i])), None)
    if absent is not None:
        item = "" if at < 0 else f", item '{printable(row[at])}'"
        raise FormatError(
            f"line {line}{item}, column {printable(header[absent])}: every item must have a number; it is missing",
            Remedy("", ..., "rows with missing values can be left out, or the values filled in, beforehand"),
            Remedy("columns", ..., "names the columns to take"),
        )
    return [_number(row[i], f"line {line}, column {printable(header[i])}") for i in taken]


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
            Remedy("columns", ..., "names the columns to take"),
        )
    if not math.isfinite(number):
        raise FormatError(f"{where}: must be a finite number; got {printable(value)}")
    return number
