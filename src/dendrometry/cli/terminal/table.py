"""Tables on the terminal, where cells are never interpreted as markup, and in files."""

from collections.abc import Iterable, Sequence

from dendrometry._display import printable
from dendrometry._extras import require

__all__ = ["print_table", "table_text"]

_WIDEST = 1_000_000  # the terminal wraps a wider table, but no cell is truncated


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows below a header; cells are shown literally and never truncated."""
    require("rich", extra="cli", for_="a table on the terminal")
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in head:
        table.add_column(Text(printable(name, longest=_WIDEST)), no_wrap=True)
    for row in rows:
        table.add_row(*(Text(printable(cell, longest=_WIDEST)) for cell in row))
    Console(highlight=False, width=_WIDEST).print(table)


def table_text(head: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str) -> str:
    """Return rows below a header as delimited text; cells that a spreadsheet would read as formulas are escaped."""
    import csv
    import io

    from dendrometry.io.tables.delimited import guard_formula

    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    for row in (head, *rows):
        writer.writerow([guard_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return stream.getvalue()
