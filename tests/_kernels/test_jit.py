"""Kernels called from Python: on any thread, large or small, interrupted or not, they end in one way."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import pytest
from tests.work import wait_until

from dendrometry import _interrupt
from dendrometry._kernels import _jit
from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit, njit_brief

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


# Words by which a kernel and a thread beside it talk: it runs, it may end, and after how many rounds it did.
RUNS, MAY_END, ROUNDS = range(3)
FOREVER = 10**11  # rounds, which take minutes


@njit
def work_until_stopped(values, words, most):
    words[RUNS] = 1
    rounds = 0
    while not stopped() and rounds < most:
        rounds += 1
    words[ROUNDS] = rounds
    return rounds + 0.0 * values.sum()


@njit
def work_until_told(values, words, most):
    """Work until told; the compiler does not know that 0 is added to the index, so the word is read in every round."""
    words[RUNS] = 1
    rounds = 0
    while words[MAY_END + (rounds >> 60)] == 0 and rounds < most:
        rounds += 1
    words[ROUNDS] = rounds
    return rounds + 0.0 * values.sum()


def fresh_words():
    return np.zeros(3, dtype=np.int64)


@contextmanager
def beside(words, function):
    """Call a function on another thread as soon as a kernel runs, then let the kernel end."""

    def work():
        wait_until(lambda: words[RUNS])
        if words[RUNS] == 1:
            function()
        words[MAY_END] = 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        words[RUNS] = words[RUNS] or 2  # where no kernel ran
        thread.join()


@contextmanager
def handled(number, handler):
    """Handle a signal meanwhile; by the end the handler must be in place."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        now = signal.signal(number, before)
    assert now is handler


@contextmanager
def interrupted(words, handler=signal.default_int_handler, number=signal.SIGINT):
    """Have a signal sent as soon as a kernel runs, and its handler called once; yield the signals that were heard."""
    heard = []

    def hear(*signal_and_frame):
        heard.append(number)
        if len(heard) == 1:
            handler(*signal_and_frame)

    def send():
        while not heard:  # a signal that comes just before the main thread begins to wait does not wake it
            signal.pthread_kill(threading.main_thread().ident, number)
            time.sleep(0.01)

    with handled(number, hear), beside(words, send):
        yield heard


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


def test_a_long_loop_leaves_when_interrupted():
    work_until_stopped(LARGE, fresh_words(), 1)
    with interrupted(words := fresh_words()), pytest.raises(KeyboardInterrupt):
        work_until_stopped(LARGE, words, FOREVER)
    assert 0 < words[ROUNDS] < FOREVER
    assert work_until_stopped(LARGE, words, 7) == 7


def test_a_short_kernel_ends_before_it_is_interrupted():
    work_until_told(SMALL, fresh_words(), 1)
    words = fresh_words()
    with (
        handled(signal.SIGINT, signal.default_int_handler),
        beside(words, lambda: signal.raise_signal(signal.SIGINT)),
        pytest.raises(KeyboardInterrupt),
    ):
        work_until_told(SMALL, words, FOREVER)
    assert 0 < words[ROUNDS] < FOREVER
    assert work_until_told(SMALL, fresh_words(), 7) == 7


def test_a_handler_that_does_not_raise_stops_nothing():
    work_until_told(LARGE, fresh_words(), 1)
    with interrupted(words := fresh_words(), handler=lambda *_: None) as heard:
        assert work_until_told(LARGE, words, FOREVER) == words[ROUNDS]
    assert heard
    assert not _interrupt._stop[0]


def test_an_ignored_interrupt_stays_ignored():
    work_until_told(LARGE, fresh_words(), 1)
    words = fresh_words()
    with (
        handled(signal.SIGINT, signal.SIG_IGN),
        beside(words, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)),
    ):
        assert work_until_told(LARGE, words, FOREVER) == words[ROUNDS]


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such signal")
def test_what_the_handler_of_another_signal_raises_stops_a_long_loop():
    def refuse_to_wait(*_):
        raise TimeoutError

    work_until_stopped(LARGE, fresh_words(), 1)
    with interrupted(words := fresh_words(), refuse_to_wait, signal.SIGALRM), pytest.raises(TimeoutError):
        work_until_stopped(LARGE, words, FOREVER)
    assert 0 < words[ROUNDS] < FOREVER
    assert work_until_stopped(LARGE, words, 7) == 7


def test_a_loop_on_another_thread_is_stopped_too():
    outcome = []
    work_until_stopped(SMALL, fresh_words(), 1)
    words = fresh_words()

    def work():
        try:
            outcome.append(work_until_stopped(SMALL, words, FOREVER))
        except KeyboardInterrupt:
            outcome.append("interrupted")

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: words[RUNS])
    _interrupt.stop_loops(thread.join)
    assert outcome == ["interrupted"]
    assert 0 < words[ROUNDS] < FOREVER
    assert work_until_stopped(SMALL, words, 7) == 7


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
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=900, check=True)
    assert run.stdout.strip() == "7"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.further
def test_a_fork_waits_for_a_thread_that_compiles():
    code = (
        "import os, threading, time; import dendrometry._kernels._compiler\n"
        "from numba.core.compiler_lock import global_compiler_lock as lock\n"
        "taken = threading.Event()\n"
        "def compile_something():\n"
        "    with lock:\n"
        "        taken.set(); time.sleep(0.3)\n"
        "other = threading.Thread(target=compile_something); other.start(); taken.wait()\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(7 if lock._lock.acquire(blocking=False) else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=900, check=True)
    assert run.stdout.strip() == "7"


def test_without_compilation_a_kernel_is_the_function_itself():
    code = (
        "from dendrometry._kernels import _builtins, _jit, tree\n"
        "function = lambda: _builtins.stopped()\n"
        "print(_jit.njit(function) is function, function(), type(tree.depths).__name__)"
    )
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=plain, check=True)
    assert run.stdout.split() == ["True", "False", "function"]
