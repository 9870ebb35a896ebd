"""Many independent jobs in threads, with a progress bar: the kernels release the GIL."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from dendrometry.errors import InvalidInputError

__all__ = ["checked_count", "checked_threads", "ran_in_threads"]

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


def checked_threads(n_threads: int | None) -> int:
    """Return the number of threads to use."""
    if n_threads is None:
        return os.cpu_count() or 1
    return checked_count(n_threads, "n_threads")


def checked_count(count: int, what: str) -> int:
    """Return a number of threads or jobs as an int."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise InvalidInputError(f"{what} must be a whole number from 1; got {count!r}")
    return int(count)


def ran_in_threads(function: Callable[[_Job], _Result], jobs: list[_Job], n_threads: int, title: str) -> list[_Result]:
    """Return the function of every job, in order, with a progress bar if there is a title."""
    with _bar(title, len(jobs)) as watched, ThreadPoolExecutor(n_threads) as pool:
        return list(watched(pool.map(function, jobs)))


@contextmanager
def _bar(title: str, total: int) -> Iterator[Callable[[Iterable[_Result]], Iterable[_Result]]]:
    """Give a function that passes values on, and shows how many have come if there is a title."""
    if not title:
        yield lambda values: values
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total)

        def watched(values: Iterable[_Result]) -> Iterable[_Result]:
            for value in values:
                bar.advance(task)
                yield value

        yield watched
