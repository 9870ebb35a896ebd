"""Threads for independent work: compiled loops release the interpreter lock, so threads run in parallel."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dendrometry._interrupt import can_start, stop_loops

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")
_LARGEST = 2**15  # numbers of a range whose pairs are shared: a turn takes seconds, not minutes
_LEAST = 64  # below this number of rows, starting threads costs more than it saves


def n_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_in_threads(function: Callable[[_Job], _Result], jobs: Sequence[_Job], n_threads: int) -> Iterator[_Result]:
    """Yield the result of the function for each job, in order; the jobs must not depend on each other.

    On an interrupt, or when no more results are wanted, it waits only until the running loops have stopped.
    """
    with threads(n_threads) as run:
        yield from run(function, jobs)


@contextmanager
def threads(n_threads: int) -> Iterator[Callable[[Callable[[_Job], _Result], Sequence[_Job]], Iterator[_Result]]]:
    """Keep threads for several calls of what it gives, which is `run_in_threads` on them: to start them takes long."""
    if not can_start():
        yield map
        return
    pool = ThreadPoolExecutor(n_threads)
    try:
        yield pool.map
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        stop_loops(lambda: pool.shutdown(cancel_futures=True))
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def share_rows(work: Callable[[NDArray[np.int64]], object], rows: NDArray[np.int64], least: int = _LEAST) -> None:
    """Call ``work`` on consecutive pieces of the rows, on all cores; the pieces must not depend on each other."""
    n_pieces = n_cores()
    if n_pieces == 1 or rows.size < least:
        work(rows)
        return
    bounds = [rows.size * i // n_pieces for i in range(n_pieces + 1)]
    for _ in run_in_threads(work, [rows[a:b] for a, b in pairwise(bounds)], n_pieces):
        pass


def share_pairs(
    work: Callable[[tuple[int, int], tuple[int, int]], object],
    n: int,
    step: int,
    after_turn: Callable[[int, int], object] = lambda done, n_pieces: None,
    begun: tuple[int, int] = (0, 0),
) -> None:
    """Call ``work`` on pairs of ranges, so that every pair of the numbers below n is covered, on all cores.

    A range is paired with itself, or with a later one. They begin at multiples of ``step``, and no two calls at a time
    have a range in common. The pairs of a turn are those of a tournament in which one player stays in place. There are
    as many turns as ranges; ``after_turn`` takes how many are done, and their number. If both are given as ``begun``,
    those turns are left out.
    """
    n_pieces = begun[1] or min(max(2 * n_cores(), -(-n // _LARGEST)), n // (2 * step)) // 2 * 2
    if n_pieces < 2 or (n_cores() == 1 and n <= _LARGEST):
        work((0, n), (0, n))
        return
    bounds = [-(-n // step) * i // n_pieces * step for i in range(n_pieces)] + [n]
    pieces = list(pairwise(bounds))
    for turn in range(begun[0], n_pieces):
        circle = [0] + [1 + (turn + i) % (n_pieces - 1) for i in range(n_pieces - 1)]
        pairs = [(circle[i], circle[-1 - i]) for i in range(n_pieces // 2)]
        if turn == n_pieces - 1:
            pairs = [(i, i) for i in range(n_pieces)]
        jobs = [(pieces[min(pair)], pieces[max(pair)]) for pair in pairs]
        for _ in run_in_threads(lambda job: work(*job), jobs, n_cores()):
            pass
        after_turn(turn + 1, n_pieces)


def balanced_order(count: int) -> NDArray[np.int64]:
    """Return the numbers below ``count``, alternately from the lower and the upper end, for pieces of equal work."""
    order = np.empty(count, dtype=np.int64)
    order[0::2] = np.arange((count + 1) // 2)
    order[1::2] = count - 1 - np.arange(count // 2)
    return order
