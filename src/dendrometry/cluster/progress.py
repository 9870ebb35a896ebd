"""A progress bar for long builds: steps done, on stderr, silent unless asked for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Advance", "merging"]

Advance = Callable[[int], None]


@contextmanager
def merging(n_steps: int, shown: bool, work: str = "merging") -> Iterator[Advance]:
    """Yield a function that is told how many steps (merges) have just been made; it draws a bar if ``shown``."""
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

    columns = (TextColumn(work), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(work, total=n_steps)
        yield lambda done: progress.advance(task, done)
