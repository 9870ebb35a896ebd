"""Independent jobs through joblib, with a progress bar; an interrupt keeps what is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, TypeVar

from dendrometry._check.numbers import whole_number
from dendrometry._extras import require
from dendrometry._interrupt import on_main_thread, stop_loops
from dendrometry._progress import bar
from dendrometry.errors import InvalidInputError

__all__ = ["check_n_jobs", "run_jobs"]

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


def check_n_jobs(n_jobs: object) -> int | None:
    """Return a number of jobs as joblib understands it: negative ones count from the number of cores."""
    if n_jobs is None:
        return None
    number = whole_number(n_jobs, "n_jobs", -1_000_000, 1_000_000, also="None")
    if number == 0:
        raise InvalidInputError("n_jobs must be at least 1, or below 0 to count from all cores, or None; got 0")
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
    except KeyboardInterrupt:
        stop_loops(results.close)
        return False
    return True


def _results(function: Callable[[_Job], _Result], jobs: Sequence[_Job], n_jobs: int | None) -> Any:
    """Return a generator of the results, in the order of the jobs."""
    if n_jobs == 1 or (n_jobs is None and find_spec("joblib") is None):
        return _one_by_one(function, jobs)
    joblib = require("joblib", extra="text", for_="n_jobs")
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
