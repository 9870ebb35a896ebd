"""An interrupt that ends a command, even where Python loses it.

Python drops what a signal handler raises inside a ``__del__``, a callback of a weak reference (each import ends in one)
or a call from C that clears errors. A command therefore remembers that it was interrupted.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_is_ending = False


def is_ending() -> bool:
    """Return whether an interrupt ends this process: then no function goes on with what is done so far."""
    return _is_ending


def raise_if_ending() -> None:
    """Raise KeyboardInterrupt on the main thread if an interrupt ends this process; it was lost if work goes on."""
    if _is_ending and threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt


@contextmanager
def ended_by_interrupts() -> Iterator[None]:
    """Let an interrupt end what is done meanwhile: at once, or if Python loses it, soon, at the latest at the end."""
    global _is_ending
    handler: Any = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield  # it is ignored or left to the system, or this thread gets no signals
        return

    def remember(*signal_and_frame: Any) -> None:
        global _is_ending
        try:
            handler(*signal_and_frame)
        except BaseException:
            _is_ending = True
            raise

    signal.signal(signal.SIGINT, remember)
    try:
        yield
        raise_if_ending()
    finally:
        signal.signal(signal.SIGINT, handler)
        _is_ending = False
