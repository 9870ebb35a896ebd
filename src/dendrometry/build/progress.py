"""A progress bar for long builds: merges done, silent unless asked for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Advance", "merging"]

Advance = Callable[[int], None]


@contextmanager
def merging(n_merges: int, shown: bool) -> Iterator[Advance]:
    """Yield a function that is told how many merges have just been made; it draws a bar on stderr if ``shown``."""
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("merging"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("merging", total=n_merges)
        yield lambda done: progress.advance(task, done)
