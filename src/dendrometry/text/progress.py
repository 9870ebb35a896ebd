"""A progress line for documents that are read: how many so far, silent unless asked for."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["counted"]

_T = TypeVar("_T")
_STEP = 100


def counted(values: Iterable[_T], what: str, shown: bool) -> Iterator[_T]:
    """Yield what comes, and count it on standard error if ``shown``."""
    if not shown:
        yield from values
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn(what), TextColumn("{task.completed:,.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        for at, value in enumerate(values):
            if at % _STEP == 0:
                progress.update(task, completed=at)
            yield value
