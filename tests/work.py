"""Work that is counted, so that no test looks at a clock: calls, lines that are run, bytes that are taken."""

import os
import sys
import time
import tracemalloc
from contextlib import contextmanager

import pytest

import dendrometry

PACKAGE = os.path.dirname(dendrometry.__file__)


def n_calls(function):
    """Call a function; return how often functions were called on its thread, of Python and of C."""
    count = 0

    def called(_frame, event, _function):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


@contextmanager
def calls_limited(most, folder=PACKAGE):
    """Fail where functions in a folder, that of the package, call or are called more often than this on this thread."""
    count = 0

    def called(frame, event, _function):
        nonlocal count
        if event in ("call", "c_call") and frame.f_code.co_filename.startswith(folder):
            count += 1
            if count > most:
                sys.setprofile(None)
                pytest.fail(f"more than {most:,} calls")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(before)


def n_lines(function, folder=""):
    """Call a function; return how many lines were run on its thread, of files whose paths contain ``folder``."""
    count = 0

    def run(_frame, event, _value):
        nonlocal count
        count += event == "line"
        return run

    before = sys.gettrace()
    sys.settrace(lambda frame, _event, _value: run if folder in frame.f_code.co_filename else None)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def peak_bytes(function):
    """Call a function; return how many bytes it has taken at most, those of NumPy's arrays included."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def wait_until(condition):
    """Return when a condition holds, which another thread or process brings about."""
    while not condition():
        time.sleep(0.005)
