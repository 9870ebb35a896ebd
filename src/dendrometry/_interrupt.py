"""Ctrl-C while compiled loops run.

What numba makes of a result on its way back to Python runs Python code, and an exception raised there ends in a crash.
So on the main thread, the only one on which handlers of signals run, SIGINT is kept back while a loop runs, and what
its handler raises is raised afterwards. A long loop runs on a thread of its own; then the handler runs at once, and if
it raises, a word in memory asks all loops of the process, on whatever thread, to leave.
"""

import _signal  # type: ignore[import-not-found]  # signal.signal takes 20 times as long
import _thread
import signal
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

__all__ = ["address", "keep_back", "on_main_thread", "run_aside", "run_elsewhere", "stop_loops"]

_R = TypeVar("_R")
_MAIN = threading.main_thread().ident
_stop = np.zeros(1, dtype=np.int64)  # not 0 while loops are asked to leave; the main thread alone sets it
_n_stops = 0


def address() -> int:
    """Return where the word is that asks loops to leave."""
    return int(_stop.ctypes.data)


def _ask() -> None:
    """Ask all loops to leave. The word comes before the count: see `run_elsewhere`."""
    global _n_stops
    _stop[0] = 1
    _n_stops += 1


def keep_back(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function on the main thread; what the handler of SIGINT raises meanwhile is raised when it returns.

    Loops are asked to leave from then on until it returns, and its result is dropped.
    """
    handler = _signal.getsignal(signal.SIGINT)
    kept: list[BaseException] = []

    def handle(*signal_and_frame: Any) -> None:
        try:
            handler(*signal_and_frame)
        except BaseException as error:
            kept.append(error)
            _ask()

    if callable(handler):  # not ignored, nor left to the system
        _signal.signal(signal.SIGINT, handle)
    try:
        return function(*args)
    finally:
        _stop[0] = 0
        if callable(handler):
            _signal.signal(signal.SIGINT, handler)
        if kept:  # perhaps only now
            _stop[0] = 0
            raise kept.pop().with_traceback(None)


def run_aside(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function on a thread of its own, so that handlers of signals run on this one while it waits."""
    outcome: list[tuple[Any, BaseException | None]] = []
    done = _thread.allocate_lock()
    done.acquire()

    def work() -> None:
        try:
            outcome.append((function(*args), None))
        except BaseException as error:
            outcome.append((None, error))
        done.release()

    _thread.start_new_thread(work, ())
    try:
        done.acquire()
    except BaseException:  # from the handler of another signal than SIGINT
        _ask()
        while not outcome:
            done.acquire(timeout=0.01)
        raise
    result, error = outcome.pop()
    if error is None:
        return result  # type: ignore[no-any-return]
    try:
        raise error
    finally:
        del error  # the traceback holds this frame


def run_elsewhere(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function on another thread than the main one; KeyboardInterrupt if loops were asked to leave meanwhile.

    The word alone would not tell: the main thread may have cleared it again.
    """
    before = _n_stops
    if not _stop[0]:
        result = function(*args)
        if not _stop[0] and _n_stops == before:
            return result
    raise KeyboardInterrupt


def on_main_thread() -> bool:
    """Return whether this is the thread on which handlers of signals run."""
    return threading.get_ident() == _MAIN


def stop_loops(function: Callable[[], _R]) -> _R:
    """Call a function that waits for other threads, while their loops are asked to leave if this is the main thread."""

    def work() -> _R:
        _ask()
        return function()

    return keep_back(work) if on_main_thread() else function()
