"""Independent jobs through joblib: on threads, or wherever `joblib.parallel_config` sends them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeVar

from dendrometry._check.numbers import whole_number
from dendrometry._ending import is_ending, raise_if_ending
from dendrometry._extras import require
from dendrometry._interrupt import on_main_thread, stop_loops
from dendrometry._progress import bar
from dendrometry._threads import n_cores, run_in_threads
from dendrometry.errors import Argument, InvalidInputError

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")
_PARTS = 128  # to send a job to another process takes about as long as a thousand short loops


def check_n_jobs(n_jobs: object) -> int | None:
    """Return a number of jobs as joblib understands it: negative ones count from the number of cores."""
    if n_jobs is None:
        return None
    number = whole_number(n_jobs, "n_jobs", -1_000_000, 1_000_000, also="None")
    if number == 0:
        raise InvalidInputError(
            Argument("n_jobs"), " must be at least 1, or below 0 to count from all cores, or None; got 0"
        )
    return number


def run_jobs(
    function: Callable[[_Job], _Result],
    jobs: Sequence[_Job],
    n_jobs: int | None,
    keep: Callable[[_Result], None],
    title: str,
    total: int,
) -> bool:
    """Call ``keep`` on the result of each job, in order; return whether all were done, or an interrupt came first.

    An interrupt that ends a command is raised.

    joblib runs the jobs: on threads, unless `joblib.parallel_config` chooses another backend. A bar counts them up from
    ``total - len(jobs)``; without a title there is none.
    """
    results = _results(function, jobs, n_jobs)
    try:
        with bar(title, total, bool(title)) as advance:
            advance(total - len(jobs))
            for result in results:
                keep(result)
                advance(1)
                raise_if_ending()
    except (KeyboardInterrupt, SystemExit) as end:
        stop_loops(partial(_end, results))
        if isinstance(end, SystemExit) or is_ending():
            raise
        return False
    return True


def results_in_parts(
    function: Callable[[_Job], _Result], jobs: Sequence[_Job], n_jobs: int | None
) -> Iterator[_Result]:
    """Yield the result of the function for each job, in order; the jobs must not depend on each other.

    Jobs are handed out in parts of several each. Without joblib, or before it is imported, they run on threads: until
    then nothing can have chosen another backend. An interrupt waits only until the running loops have stopped.
    """
    size = -(-len(jobs) // _PARTS)
    parts = [jobs[start : start + size] for start in range(0, len(jobs), size or 1)]

    run = _Part(function)
    results: Any = (
        _results(run, parts, n_jobs) if "joblib" in sys.modules else run_in_threads(run, parts, _n_threads(n_jobs))
    )
    first_error = None
    try:
        for found, error in results:  # to the end, as joblib warns of results that nobody takes
            if first_error is None:
                yield from found
                first_error = error
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        stop_loops(partial(_end, results))
        raise
    if first_error is not None:
        raise first_error


class _Part:
    """A function for several jobs: it returns their results, and the error that ended them.

    After an error, parts that start in the same process do nothing.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.failed = False

    def __call__(self, part: Sequence[Any]) -> tuple[list[Any], Exception | None]:
        found: list[Any] = []
        try:
            for job in part if not self.failed else ():
                found.append(self.function(job))
        except Exception as error:  # whatever a measure raises
            self.failed = True
            return found, error
        return found, None


def _end(results: Any) -> None:
    """End a generator of results; of one that is closed, joblib warns that nobody took the rest."""
    with suppress(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)


def _n_threads(n_jobs: int | None) -> int:
    """Return the number of threads that stands for a number of jobs."""
    if n_jobs is None:
        return 1
    return n_jobs if n_jobs > 0 else max(1, n_cores() + 1 + n_jobs)


def _results(function: Callable[[_Job], _Result], jobs: Sequence[_Job], n_jobs: int | None) -> Any:
    """Return a generator of the results, in the order of the jobs."""
    if n_jobs == 1 or (n_jobs is None and find_spec("joblib") is None):
        return _one_by_one(function, jobs)
    joblib = require("joblib", extra="text", for_=Argument("n_jobs"))
    parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator", batch_size=1)
    call = joblib.delayed(_Interruptible(function))
    return parallel(call(job) for job in jobs)


def _one_by_one(function: Callable[[_Job], _Result], jobs: Sequence[_Job]) -> Iterator[_Result]:
    """Yield the results without joblib."""
    for job in jobs:
        yield function(job)


class _Interruptible:
    """A function that returns None on a thread whose loops were asked to stop, since nobody waits for its result."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, job: Any) -> Any:
        try:
            return self.function(job)
        except KeyboardInterrupt:
            if on_main_thread():
                raise
            return None
