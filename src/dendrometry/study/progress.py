"""A progress bar for the parts of a study, silent unless asked for."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["watched"]

_Part = TypeVar("_Part")


def watched(parts: Iterable[_Part], title: str, total: int, shown: bool) -> Iterator[_Part]:
    """Go over the parts of a study, so many in all; draw a bar on stderr, one step for each, if ``shown``."""
    if not shown:
        yield from parts
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total)
        for part in parts:
            yield part
            progress.advance(task)
