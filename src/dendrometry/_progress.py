"""Progress on standard error, on request: a bar, a count or a spinner.

On a terminal all of them disappear when the work is done; elsewhere, as in a log, a bar and a count leave one line.
A program that shows progress in its own way has it reported to a function instead.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from dendrometry._flags import flag

Advance = Callable[[int], None]
_T = TypeVar("_T")
_DELAY = 1.0  # seconds before a spinner is shown
_waiting: list[Callable[[], None]] = []  # to be called when compiling takes long
Report = Callable[[str, int, int | None], None]  # takes a title, the steps done, and their number if it is known
_report: Report | None = None  # of `reported_to`


def on_terminal() -> bool:
    """Return whether somebody sees progress: standard error is a terminal, or it is reported to a function."""
    return _report is not None or (sys.stderr is not None and sys.stderr.isatty())


@contextmanager
def reported_to(report: Report) -> Iterator[None]:
    """Report progress to a function inside a block, in place of drawing it."""
    global _report
    before, _report = _report, report
    try:
        yield
    finally:
        _report = before


class _Reported:
    """Stands for a progress display of rich: steps are reported to a function."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._title, self._done = "", 0
        self._total: int | None = None

    def add_task(self, title: str, total: int | None) -> int:
        self._title, self._done, self._total = title, 0, total
        self._report(title, 0, total)
        return 0

    def advance(self, _: int, done: int) -> None:
        self._done += done
        self._report(self._title, self._done, self._total)

    def start(self) -> None:
        """Do nothing: the first report starts it."""

    def stop(self) -> None:
        """Do nothing: the next report ends it."""

    def __enter__(self) -> "_Reported":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def on_compiling(announce: Callable[[], None]) -> None:
    """Have a function called once, when compiling loops has taken a second."""
    _waiting[:] = [announce]


def announce_compiling() -> None:
    """Call the functions that wait for this."""
    while _waiting:
        _waiting.pop()()


@contextmanager
def bar(title: str, total: int | None, shown: bool) -> Iterator[Advance]:
    """Provide a function that takes the number of steps just completed, and draws them if ``shown``.

    Without a total, the steps are only counted. Without rich, which draws the bar, one line names the task and the
    package to install.
    """
    drawing = _drawing(title, total) if flag(shown, "progress") else None
    if drawing is None:
        yield lambda _: None
        return
    task = drawing.add_task(title, total=total)
    with drawing:
        yield lambda done: drawing.advance(task, done)


def track(values: Iterable[_T], title: str, total: int | None, shown: bool) -> Iterator[_T]:
    """Yield the values, with one step of a bar for each if ``shown``; ``total`` is None if their number is unknown."""
    with bar(title, total, shown) as advance:
        for value in values:
            yield value
            advance(1)


@contextmanager
def spinner(title: str, shown: bool) -> Iterator[None]:
    """Show a spinner with the elapsed time, from one second on until the work is done, if ``shown``."""
    if not flag(shown, "progress"):
        yield
        return
    drawings = []

    def start() -> None:  # loads rich, which takes as long as a quick command
        drawing = _drawing(title, None, counting=False)
        if drawing is not None:
            drawings.append(drawing)
            drawing.add_task(title, total=None)
            drawing.start()

    timer = threading.Timer(_DELAY, start)
    timer.daemon = True
    with suppress(RuntimeError):  # where no threads can be started
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()
        for drawing in drawings:
            drawing.stop()


def _drawing(title: str, total: int | None, *, counting: bool = True) -> Any:
    """Return a progress display of rich with suitable columns; without rich, print the title once and return None.

    Where progress is reported to a function, what stands for the display calls that.
    """
    if _report is not None:
        return _Reported(_report)
    try:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
    except ModuleNotFoundError:
        if sys.stderr is not None:
            print(f"{title} (for a progress bar: pip install 'dendrometry[cli]')", file=sys.stderr)
        return None
    console = Console(stderr=True)
    name = TextColumn("{task.description}", markup=False)
    columns: tuple[ProgressColumn, ...]
    if total is not None:
        columns = (name, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    elif counting:
        columns = (SpinnerColumn(), name, TextColumn("{task.completed:,.0f}"), TimeElapsedColumn())
    else:
        columns = (name, BarColumn(), TimeElapsedColumn())
    watched = console.is_interactive or console.is_jupyter
    return Progress(*columns, console=console, transient=watched, disable=not (counting or watched))
