"""Excel's .xlsx files: the cells as text, of formulas the values that were saved; nothing is computed or fetched."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import FormatError
from dendrometry.io._shared.options import ReadOptions
from dendrometry.io._shared.requirements import Reading
from dendrometry.io._shared.several import choose
from dendrometry.io.formats.columns import check_header, require_memory

Columns = dict[str, list[str]]
TableReader = Callable[[Columns, ReadOptions], Reading]
_PARTS = (
    "[Content_Types].xml",
    "_rels/",
    "xl/_rels/",
    "xl/workbook",
    "xl/sharedStrings",
    "xl/styles",
    "xl/worksheets/",
)
_MOST_PARTS = 2_000
_MOST_ROWS = 2**20  # of a sheet of Excel
_SPARSEST, _FREE_CELLS = 100, 1_000_000  # empty cells that are made for each that a sheet holds, and besides
_DOCTYPES = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))


def read_sheet(data: bytes, options: ReadOptions, table: TableReader) -> Reading:
    """Return the hierarchy of one sheet of a file; ``table`` reads columns."""
    sheets = sheet_columns(data, options.max_bytes)
    return table(sheets[list(sheets)[choose(list(sheets), options.tree, "sheet")]], options)


def read_sheets(data: bytes, options: ReadOptions, table: TableReader) -> dict[str, Reading]:
    """Return the hierarchies of all sheets that are not empty, by name."""
    return {name: table(columns, options) for name, columns in sheet_columns(data, options.max_bytes).items()}


def sheet_columns(data: bytes, max_bytes: int) -> dict[str, Columns]:
    """Return the columns of all sheets that are not empty, by the name of the sheet.

    Raises
    ------
    FormatError
        If it is not such a file, has a password, or unpacks to more than ``max_bytes``.
    MissingExtraError
        If openpyxl is not installed.
    """
    openpyxl = require("openpyxl", extra="tables", for_="an .xlsx file")
    safe = _checked(data, max_bytes)
    sheets: dict[str, Columns] = {}
    left = max_bytes
    try:
        book = openpyxl.load_workbook(safe, read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # those that a file declares may be wrong
            rows, n_bytes = _rows(sheet, left)
            left -= n_bytes
            if rows:
                sheets[sheet.title] = _columns(rows)
    except FormatError:
        raise
    except Exception as error:  # a broken file may raise anything in the package
        raise FormatError(f"the file must be a workbook of Excel; got {printable(error, longest=200)}") from None
    return sheets


def _checked(data: bytes, max_bytes: int) -> io.BytesIO:
    """Return the parts of a workbook that are read, of a size that is known and without definitions of entities."""
    safe = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(safe, "w") as kept:
            members = [member for member in packed.infolist() if member.filename.startswith(_PARTS)]
            if sum(member.file_size for member in members) > max_bytes or len(members) > _MOST_PARTS:
                raise FormatError(
                    f"a workbook must unpack to at most {max_bytes:,} bytes and {_MOST_PARTS:,} parts; it holds more"
                )
            for member in members:
                part = packed.read(member)
                if any(mark in part for mark in _DOCTYPES):
                    raise FormatError("a workbook must define no entities; it does")
                kept.writestr(member.filename, part)
    except FormatError:
        raise
    except Exception as error:  # what a broken archive raises may be anything
        old = (
            " (Excel saves old files and files with a password as .xlsx)"
            if data.startswith(b"\xd0\xcf\x11\xe0")
            else ""
        )
        raise FormatError(f"the file must be a workbook of Excel, .xlsx; got {printable(error)}{old}") from None
    safe.seek(0)
    return safe


def _rows(sheet: Any, max_bytes: int) -> tuple[list[list[str]], int]:
    """Return the rows of a sheet that are not empty, as text, and how many bytes they take at least."""
    rows: list[list[str]] = []
    n_cells = n_bytes = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        if number > _MOST_ROWS:
            raise FormatError(f"a sheet must have at most {_MOST_ROWS:,} rows; it has more")
        cells = list(map(_text, row))
        while cells and not cells[-1]:
            cells.pop()
        n_bytes += 8 * len(cells) + sum(map(len, cells))  # a cell far to the right makes all before it
        if n_bytes > max_bytes:
            raise FormatError(
                f"a workbook must hold at most {max_bytes:,} bytes of cells; it holds more (see max_bytes)"
            )
        if cells:
            rows.append(cells)
            n_cells += len(cells)
    require_memory(len(rows), n_cells, n_bytes)
    return rows, n_bytes


def _columns(rows: list[list[str]]) -> Columns:
    """Return the columns of rows, of which the first names them; empty columns at the left are left out."""
    first = min(next(i for i, cell in enumerate(row) if cell) for row in rows)
    width = max(map(len, rows))
    n_full, n_held = len(rows) * (width - first), sum(map(len, rows))
    if n_full > _SPARSEST * n_held + _FREE_CELLS:
        raise FormatError(
            f"a sheet must fill at least one cell in {_SPARSEST} up to its last column; got {len(rows):,} rows of up to"
            f" {width:,} cells"
        )
    require_memory(len(rows), n_full, 0)
    check_header(rows[0][first:] + [""] * (width - len(rows[0])))
    full = [row[first:] + [""] * (width - len(row)) for row in rows]
    return {name: [row[i] for row in full[1:]] for i, name in enumerate(full[0])}


def _text(value: Any) -> str:
    """Return a cell as text, numbers and dates as a CSV file has them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != time() else value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)
