"""Handling of Ctrl-C while compiled loops run.

When numba converts a result to Python objects, it runs Python code, and an exception raised there causes a crash.
Signal handlers run only on the main thread. While a loop runs on that thread, an exception raised by the handler of
SIGINT is therefore deferred until the loop has returned. A long loop runs on a separate thread; then the handler runs
immediately, and if it raises, a flag in memory requests all loops of the process, on any thread, to stop.
"""

import _signal  # type: ignore[import-not-found]  # signal.signal is 20 times slower
import _thread
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np

_R = TypeVar("_R")
_IN_PYTHON = re.compile(r'KeyboardInterrupt: ?("|$)', re.MULTILINE)  # of an error of DuckDB: it had no message
_SIGINT = int(signal.SIGINT)
_main = threading.main_thread().ident
_stop = np.zeros(1, dtype=np.int64)  # nonzero while loops are requested to stop; only the main thread sets it
_n_stops = 0
_handler: Callable[..., Any] = signal.default_int_handler  # the handler of SIGINT while its exceptions are deferred
_deferred: list[BaseException] = []  # the exceptions it raised


@contextmanager
def duckdb_interrupts(duckdb: Any) -> Iterator[None]:
    """Raise KeyboardInterrupt where DuckDB says that a user has stopped a statement, or Python that it called."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except (duckdb.Error, RuntimeError) as error:
        text = str(error)
        stopped = _IN_PYTHON.search(text) if isinstance(error, duckdb.Error) else "interrupted" in text
        if stopped:
            raise KeyboardInterrupt from None
        raise


def address() -> int:
    """Return the memory address of the flag that requests loops to stop."""
    return int(_stop.ctypes.data)


def _start_anew() -> None:
    """Forget, in a forked process, the threads that it does not have; its only thread is the main one."""
    global _main
    _main = threading.get_ident()
    _stop[0] = 0
    _deferred.clear()
    if _signal.getsignal(_SIGINT) is _handle:
        _signal.signal(_SIGINT, _handler)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


def on_main_thread() -> bool:
    """Return whether this is the main thread, on which signal handlers run."""
    return threading.get_ident() == _main


def _request_stop() -> None:
    """Request all loops to stop. The flag must be set before the count is increased: see `run_elsewhere`."""
    global _n_stops
    _stop[0] = 1
    _n_stops += 1


def _handle(*signal_and_frame: Any) -> None:
    """Call the user's handler of SIGINT; if it raises, keep the exception and request all loops to stop."""
    try:
        _handler(*signal_and_frame)
    except BaseException as error:
        _deferred.append(error)
        _request_stop()


def keep_back(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function on the main thread; defer exceptions of the SIGINT handler until the function returns.

    From such an exception until the function returns, loops are requested to stop; its result is discarded.
    """
    global _handler
    handler = _signal.getsignal(_SIGINT)
    if handler is _handle or not callable(handler):  # already deferred, ignored, or left to the system
        return function(*args)
    _handler = handler
    _signal.signal(_SIGINT, _handle)
    try:
        return function(*args)
    finally:
        _signal.signal(_SIGINT, handler)
        if _deferred:
            _stop[0] = 0
            error = _deferred[0].with_traceback(None)
            _deferred.clear()
            raise error


def raise_deferred() -> None:
    """Raise a deferred exception, at a point where this is safe."""
    if _deferred and on_main_thread():
        raise _deferred[0]


def raise_if_stopped() -> None:
    """Raise KeyboardInterrupt if loops are requested to stop: for loops over operations on arrays."""
    if _stop[0]:
        raise KeyboardInterrupt


@cache
def can_start() -> bool:
    """Return whether this system lets threads start; in a browser, for one, it does not."""
    try:
        _thread.start_new_thread(lambda: None, ())
    except RuntimeError:
        return False
    return True


def run_aside(function: Callable[..., _R], *args: Any, stop: Callable[[], Any] | None = None) -> _R:
    """Call a function on a separate thread, so that signal handlers can run on this one while it waits.

    If a handler raises, loops are requested to stop and ``stop`` is called, which makes the function end soon. DuckDB,
    for one, looks for signals only every few seconds, but obeys its ``interrupt()`` at once.
    """
    if not can_start():
        return function(*args)
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
    except BaseException:  # from the handler of a signal; that of SIGINT is deferred while a loop runs
        stop_loops(partial(_wait, outcome, done, stop or (lambda: None)))  # a second signal waits, too
        raise
    result, error = outcome.pop()
    if error is None:
        return result  # type: ignore[no-any-return]
    try:
        raise error
    finally:
        del error  # the traceback holds this frame


def run_loops_aside(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function that runs many short loops, all on one separate thread: to start one for each takes long."""
    return keep_back(run_aside, function, *args) if on_main_thread() else function(*args)


def _wait(outcome: list[Any], done: Any, stop: Callable[[], Any]) -> None:
    """Wait until a function on another thread has ended, and ask it to."""
    while not outcome:
        stop()
        done.acquire(timeout=0.01)


def run_elsewhere(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function on a thread other than the main one; raise KeyboardInterrupt if loops were requested to stop.

    The flag alone is not enough: the main thread may have cleared it, so the count of requests is compared too.
    """
    before = _n_stops
    if not _stop[0]:
        result = function(*args)
        if not _stop[0] and _n_stops == before:
            return result
    raise KeyboardInterrupt


def stop_loops(function: Callable[[], _R]) -> _R:
    """Call a function that waits for other threads; on the main thread, request their loops to stop meanwhile."""

    def work() -> _R:
        _request_stop()
        try:
            return function()
        finally:
            _stop[0] = 0

    return keep_back(work) if on_main_thread() else function()
