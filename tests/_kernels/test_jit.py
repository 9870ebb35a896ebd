"""Kernels called from Python: on any thread, large or small, interrupted or not, they end in one way."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest

from dendrometry import _interrupt
from dendrometry._kernels import _jit
from dendrometry._kernels._jit import njit, njit_brief, stopped

pytestmark = pytest.mark.compiled

SMALL, LARGE = np.arange(10.0), np.arange(2.0**15)


class Both(NamedTuple):
    doubled: np.ndarray
    total: float


@njit
def double(values):
    """Return the values twice."""
    return values * 2


@njit
def double_and_add(values):
    return Both(double(values), values.sum())


@njit
def refuse(values):
    if values.size > 1:
        raise ValueError("the values must be few")
    return values


@njit
def wait_until_stopped(values, most):
    rounds = 0
    while not stopped() and rounds < most:
        rounds += 1
    return rounds + 0.0 * values.sum()


@njit
def pause(values, rounds):
    total = 0.0
    for i in range(rounds):
        total += np.sin(i)
    return total + values[0]


@pytest.fixture
def interrupt():
    """Yield a function that sends SIGINT to this process a little later; the handler is that of Python."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers = []

    def later(seconds=0.2):
        timers.append(threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()

    yield later
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("values", [SMALL, LARGE], ids=["small", "large"])
def test_a_kernel_gives_the_same_on_every_thread(values):
    here = double_and_add(values)
    elsewhere = []
    thread = threading.Thread(target=lambda: elsewhere.append(double_and_add(values)))
    thread.start()
    thread.join()
    for found in (here, elsewhere[0]):
        assert type(found) is Both
        assert (found.doubled == values * 2).all()
        assert found.total == values.sum()


def test_types_met_later_are_compiled_too():
    assert double(np.arange(3)).tolist() == [0, 2, 4]
    assert double(np.arange(3, dtype=np.float32)).dtype == np.float32


@pytest.mark.parametrize("values", [SMALL, LARGE], ids=["small", "large"])
def test_an_error_in_a_kernel_is_raised(values):
    with pytest.raises(ValueError, match="the values must be few"):
        refuse(values)


def test_a_kernel_keeps_its_name_and_its_plain_form():
    assert double.__name__ == "double"
    assert double.__doc__ == "Return the values twice."
    assert double.py_func(3) == 6


def test_a_long_loop_leaves_when_interrupted(interrupt):
    wait_until_stopped(LARGE, 1)
    interrupt()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wait_until_stopped(LARGE, 10**12)
    assert time.monotonic() - start < 5
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert wait_until_stopped(LARGE, 7) == 7


def test_a_short_kernel_ends_before_it_is_interrupted(interrupt):
    pause(SMALL, 1)
    interrupt(0.01)
    with pytest.raises(KeyboardInterrupt):
        pause(SMALL, 10**7)
    assert pause(SMALL, 1) == 0.0


def test_a_handler_that_does_not_raise_stops_nothing(interrupt):
    calls = []
    before = signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    try:
        interrupt(0.01)
        assert pause(LARGE, 10**7) == pause.py_func(LARGE, 0) + pause(SMALL, 10**7)
        deadline = time.monotonic() + 10
        while not calls and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [1]


def test_an_ignored_interrupt_stays_ignored(interrupt):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupt(0.0)
        assert pause(LARGE, 10**7) == pause(SMALL, 10**7)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        time.sleep(0.1)
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")
def test_what_the_handler_of_another_signal_raises_stops_a_long_loop():
    def refuse_to_wait(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, refuse_to_wait)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError):
            wait_until_stopped(LARGE, 10**12)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert wait_until_stopped(LARGE, 7) == 7


def test_a_loop_on_another_thread_is_stopped_too():
    outcome = []
    wait_until_stopped(SMALL, 1)

    def work():
        try:
            outcome.append(wait_until_stopped(SMALL, 10**12))
        except KeyboardInterrupt:
            outcome.append("interrupted")

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    _interrupt.stop_loops(thread.join)
    assert outcome == ["interrupted"]
    assert wait_until_stopped(SMALL, 7) == 7


def test_a_result_is_dropped_if_loops_were_stopped_meanwhile():
    with pytest.raises(KeyboardInterrupt):
        _interrupt.run_elsewhere(lambda: _interrupt.stop_loops(lambda: None))


def test_large_is_a_matter_of_all_arrays_together():
    assert _jit._n_words((SMALL, (SMALL, (LARGE, 3)), 2.5)) == 2 * SMALL.size + LARGE.size


def test_a_brief_kernel_needs_no_thread_for_large_arrays(monkeypatch):
    brief = njit_brief(lambda values: values[-1] + values.size)
    assert brief(LARGE) == 2 * LARGE.size - 1
    monkeypatch.setattr(_interrupt, "run_aside", None)
    assert brief(LARGE) == 2 * LARGE.size - 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.further
def test_a_forked_process_runs_kernels():
    code = (
        "import os, numpy as np; from dendrometry._kernels.tree import depths\n"
        "parent = np.append(np.arange(1, 40_000), -1); depths(parent)\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(7 if depths(parent)[0] == 39_999 else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.strip() == "7"


def test_without_compilation_a_kernel_is_the_function_itself():
    code = (
        "from dendrometry._kernels import _jit, tree\n"
        "function = lambda: _jit.stopped()\n"
        "print(_jit.njit(function) is function, function(), type(tree.depths).__name__)"
    )
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=plain, check=True)
    assert run.stdout.split() == ["True", "False", "function"]
