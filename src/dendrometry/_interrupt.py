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

__all__ = ["address", "keep_back", "on_main_thread", "raise_kept", "run_aside", "run_elsewhere", "stop_loops"]

_R = TypeVar("_R")
_SIGINT = int(signal.SIGINT)
_MAIN = threading.main_thread().ident
_stop = np.zeros(1, dtype=np.int64)  # not 0 while loops are asked to leave; the main thread alone sets it
_n_stops = 0
_handler: Callable[..., Any] = signal.default_int_handler  # of SIGINT, while that is kept back
_kept: list[BaseException] = []  # what it raised


def address() -> int:
    """Return where the word is that asks loops to leave."""
    return int(_stop.ctypes.data)


def on_main_thread() -> bool:
    """Return whether this is the thread on which handlers of signals run."""
    return threading.get_ident() == _MAIN


def _ask() -> None:
    """Ask all loops to leave. The word comes before the count: see `run_elsewhere`."""
    global _n_stops
    _stop[0] = 1
    _n_stops += 1


def _handle(*signal_and_frame: Any) -> None:
    """Handle SIGINT as the user wants it, but keep what that raises, and ask all loops to leave."""
    try:
        _handler(*signal_and_frame)
    except BaseException as error:
        _kept.append(error)
        _ask()


def keep_back(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function on the main thread; what the handler of SIGINT raises meanwhile is raised when it returns.

    Loops are asked to leave from then on until it returns, and its result is dropped.
    """
    global _handler
    handler = _signal.getsignal(_SIGINT)
    if handler is _handle or not callable(handler):  # kept back already; or ignored, or left to the system
        return function(*args)
    _handler = handler
    _signal.signal(_SIGINT, _handle)
    try:
        return function(*args)
    finally:
        _signal.signal(_SIGINT, handler)
        if _kept:
            _stop[0] = 0
            error = _kept[0].with_traceback(None)
            _kept.clear()
            raise error


def raise_kept() -> None:
    """Raise what is kept back, at a moment when that does no harm."""
    if _kept and on_main_thread():
        raise _kept[0]


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
        _stop[0] = 0
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


def stop_loops(function: Callable[[], _R]) -> _R:
    """Call a function that waits for other threads, while their loops are asked to leave if this is the main thread."""

    def work() -> _R:
        _ask()
        try:
            return function()
        finally:
            _stop[0] = 0

    return keep_back(work) if on_main_thread() else function()
