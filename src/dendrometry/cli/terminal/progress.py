"""Progress on standard error: for whatever takes over a second, and only where someone watches."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["watched", "working"]

_PATIENCE = 1.0  # seconds before anything is shown


def watched() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def working(title: str, *, shown: bool = True) -> Iterator[None]:
    """Show a moving line with the time passed, after a second and until the work is done, if ``shown``."""
    if not (shown and watched()):
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(TextColumn(title), BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    bar.add_task(title, total=None)
    timer = threading.Timer(_PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
