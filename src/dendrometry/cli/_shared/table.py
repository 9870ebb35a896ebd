"""Tables on the terminal, where cells are never interpreted as markup, and in files."""

import unicodedata
from collections.abc import Iterable, Sequence

from dendrometry._display import printable

_WIDEST = 1_000_000  # the terminal wraps a wider table, but no cell is truncated
_GAP = "   "


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows below a header; cells are shown literally and never truncated."""
    lines = [[printable(cell, longest=_WIDEST) for cell in row] for row in (head, *rows)]
    widths = [max(map(_n_columns, column)) for column in zip(*lines, strict=True)]
    rule = "─" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    texts = [_GAP.join(map(_pad, line, widths)).rstrip() for line in lines]
    print("\n".join([texts[0], rule, *texts[1:]]))


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
