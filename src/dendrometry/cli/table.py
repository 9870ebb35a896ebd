"""Tables on the terminal: every cell is text, never markup."""

from collections.abc import Iterable, Sequence

from dendrometry.display import shown

__all__ = ["print_table"]

_NARROWEST = 130


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a head; what a cell holds is shown as it is."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.width = max(console.width, _NARROWEST)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in head:
        table.add_column(name, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(shown(cell, longest=1000)) for cell in row))
    console.print(table)
