"""What is going on, shown on the terminal while it takes its time."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["working"]


@contextmanager
def working(what: str, shown: bool) -> Iterator[None]:
    """Show what is being done, with a moving sign on standard error, until it is done; nothing unless ``shown``."""
    if not shown:
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield
