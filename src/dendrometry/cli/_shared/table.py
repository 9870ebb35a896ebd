"""Tables on the terminal, where cells are never interpreted as markup, and in files."""

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size

from dendrometry._display import printable

_WIDEST = 1_000_000  # the terminal wraps a wider table, but no cell is truncated
_GAP = "   "


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows below a header; cells are shown literally and never truncated.

    On a terminal that is too narrow, the columns follow in several tables, each with the first column, so that no
    number is wrapped.
    """
    lines = [[printable(cell, longest=_WIDEST) for cell in row] for row in (head, *rows)]
    widths = [max(map(_n_columns, column)) for column in zip(*lines, strict=True)]
    parts = []
    for columns in _fitting(widths, get_terminal_size().columns if sys.stdout.isatty() else _WIDEST):
        chosen = [widths[j] for j in columns]
        rule = "─" * (sum(chosen) + len(_GAP) * (len(chosen) - 1))
        texts = [_GAP.join(map(_pad, (line[j] for j in columns), chosen)).rstrip() for line in lines]
        parts.append("\n".join([texts[0], rule, *texts[1:]]))
    print("\n\n".join(parts))


def _fitting(widths: Sequence[int], most: int) -> list[list[int]]:
    """Return the columns of each table: as many as fit beside the first one, and at least one."""
    tables: list[list[int]] = [[0]]
    used = widths[0]
    for j in range(1, len(widths)):
        used += len(_GAP) + widths[j]
        if used > most and len(tables[-1]) > 1:
            tables.append([0])
            used = widths[0] + len(_GAP) + widths[j]
        tables[-1].append(j)
    return tables


def _pad(cell: str, width: int) -> str:
    """Return a cell with spaces up to a width."""
    return cell + " " * (width - _n_columns(cell))


def _n_columns(text: str) -> int:
    """Return the number of columns of a terminal that a text takes: 2 for a wide character, 0 for a combining one."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def table_text(head: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str) -> str:
    """Return rows below a header as delimited text; cells that a spreadsheet would read as formulas are escaped."""
    import csv
    import io

    from dendrometry.io._shared.formulas import guard_formula

    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    for row in (head, *rows):
        writer.writerow([guard_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return stream.getvalue()
