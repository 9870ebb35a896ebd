"""The changes between two trees as a workbook of Excel: a sheet of categories, and one of items."""

import io
from collections.abc import Sequence
from typing import Any

from dendrometry._extras import require
from dendrometry.changes.listing import Change
from dendrometry.errors import InvalidInputError

_MOST_ROWS = 1_048_576  # of a sheet, its header included
_LONGEST = 32_767  # characters of a cell
_WIDTH = {"what": 14, "items": 10}  # of columns, in characters
_WIDE = 50  # of all others


def workbook(changes: Sequence[Change], items: Sequence[tuple[str, str, str, str]]) -> bytes:
    """Return an .xlsx file of changes, and of items with old path, new path and what happened to them.

    Text stays text, also where it begins like a formula.
    """
    openpyxl = require("openpyxl", extra="tables", for_="a workbook (.xlsx)")
    categories = [
        (change.what, change.name, change.n_items, change.before, change.after, change.tell())
        for change in changes
        if change.is_node
    ]
    most = max(len(categories), len(items))
    if most >= _MOST_ROWS:
        raise InvalidInputError(
            f"a sheet of Excel has at most {_MOST_ROWS - 1:,} rows below its header; got {most:,}"
            " (a .csv file has them all)"
        )
    book = openpyxl.Workbook(write_only=True)
    _fill(book, "categories", ("what", "category", "items", "before", "after", "in words"), categories)
    listed = [(what, item, before, after) for item, before, after, what in items]
    _fill(book, "items", ("what", "item", "old path", "new path"), listed)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _fill(book: Any, title: str, head: Sequence[str], rows: Sequence[Sequence[str | int]]) -> None:
    """Add a sheet whose header stays in view, and whose columns can be filtered."""
    letter = require("openpyxl.utils", extra="tables", for_="a workbook (.xlsx)").get_column_letter
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{letter(len(head))}{len(rows) + 1}"
    for number, name in enumerate(head, start=1):
        sheet.column_dimensions[letter(number)].width = _WIDTH.get(name, _WIDE)
    for row in (head, *rows):
        sheet.append([_text(sheet, value) if isinstance(value, str) else value for value in row])


def _text(sheet: Any, value: str) -> Any:
    """Return a cell that holds text, whatever it begins with; characters that a sheet cannot hold become U+FFFD."""
    cells = require("openpyxl.cell.cell", extra="tables", for_="a workbook (.xlsx)")
    cell = cells.WriteOnlyCell(sheet, cells.ILLEGAL_CHARACTERS_RE.sub("\ufffd", value)[:_LONGEST])
    cell.data_type = "s"
    return cell
