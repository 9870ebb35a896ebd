"""Tables: on the terminal, where every cell is text and never markup, and in files."""

from collections.abc import Iterable, Sequence

from dendrometry._display import printable
from dendrometry._extras import require

__all__ = ["print_table", "table_text"]

_WIDEST = 1_000_000  # a table wider than the terminal is wrapped there, but no cell is cut


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a head; what a cell holds is shown as it is, and never cut."""
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
    """Return rows under a head as delimited text; what a spreadsheet would take for a formula is guarded."""
    import csv
    import io

    from dendrometry.io.tables.delimited import guard_formula

    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    for row in (head, *rows):
        writer.writerow([guard_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return stream.getvalue()
