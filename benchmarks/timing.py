"""Times and peak memory for the benchmarks: every figure in one table, rivals in the same run."""

import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """Seconds of wall-clock time; in a fresh process also its peak resident memory in MB and the work of all cores."""

    seconds: float
    peak_mb: float | None = None
    core_seconds: float | None = None


def best_of(function: Callable[[], Any], repeat: int = 3, clock: Callable[[], float] = time.perf_counter) -> Figure:
    """Return the least time of several calls, after one call that compiles."""
    function()
    seconds = []
    for _ in range(repeat):
        start = clock()
        function()
        seconds.append(clock() - start)
    return Figure(min(seconds))


def in_turn(functions: list[Callable[[], Any]], repeats: list[int], rounds: int = 3) -> list[Figure]:
    """Return the least processor time of each of several calls, which come in turn, so often in each round.

    What changes the speed of the machine for longer than a round meets all of them.
    """
    seconds: list[list[float]] = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(rounds):
        for function, repeat, found in zip(functions, repeats, seconds, strict=True):
            for _ in range(repeat):
                start = time.process_time()
                function()
                found.append(time.process_time() - start)
    return [Figure(min(found)) for found in seconds]


def fresh(prepare: Callable[..., Any], function: Callable[..., Any], *args: Any, warm: Callable[[], Any]) -> Figure:
    """Run ``function(prepare(*args))`` once in a new process; return its time and its peak memory.

    ``warm`` is called first, to compile and load on a small input outside the measured time.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_measured, args=(theirs, prepare, function, args, warm))
    child.start()
    theirs.close()  # the child's copy is left: should it fail, there is nothing to wait for
    try:
        figure: Figure = ours.recv()
    except EOFError:
        child.join()
        raise RuntimeError(f"{function} failed, see above; exit code {child.exitcode}") from None
    child.join()
    return figure


def core_time(figure: Figure) -> Figure:
    """Return a figure of a fresh process with its processor time, that of all cores, in place of that of the clock."""
    assert figure.core_seconds is not None
    return figure._replace(seconds=figure.core_seconds)


def _measured(pipe: Any, prepare: Any, function: Any, args: tuple[Any, ...], warm: Callable[[], Any]) -> None:
    warm()
    data = prepare(*args)
    pipe.send(once(lambda: function(data))[0])


def once(function: Callable[[], Any]) -> tuple[Figure, Any]:
    """Run a function in this process; return its time and the peak memory meanwhile, and its result."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted anew, data and all that is loaded included
    start, work_before = time.perf_counter(), time.process_time()
    result = function()
    seconds, core_seconds = time.perf_counter() - start, time.process_time() - work_before
    return Figure(seconds, _peak_mb(), core_seconds), result


def _peak_mb() -> float:
    """Return the peak resident memory of this process alone; that of getrusage may be inherited from its parent."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def show(what: str, figure: Figure, note: str = "") -> None:
    """Print one row: what, seconds, peak memory and the work of all cores if known, and a note (a ratio, a limit)."""
    memory = "" if figure.peak_mb is None else f"{figure.peak_mb:8.0f} MB"
    work = "" if figure.core_seconds is None else f"{figure.core_seconds:8.2f} core s"
    print(f"{what:<64} {figure.seconds:11.4f} s {memory:>12} {work:>15}  {note}", flush=True)


def within(what: str, figure: Figure, seconds: float, peak_mb: float | None = None) -> None:
    """Show a figure beside its limit, and MISSED where it is past it."""
    limit = f"limit {seconds:g} s" + ("" if peak_mb is None else f", {peak_mb / 1000:g} GB")
    too_large = peak_mb is not None and figure.peak_mb is not None and figure.peak_mb > peak_mb
    show(what, figure, f"{limit} MISSED" if figure.seconds > seconds or too_large else limit)


def beside(what: str, ours: Figure, theirs: Figure, goal: float | None = None) -> None:
    """Show a rival with how many times longer it takes, and MISSED where that is less than the goal."""
    ratio = theirs.seconds / ours.seconds
    note = f"{ratio:,.0f} x" if ratio >= 10 else f"{ratio:.1f} x"
    if goal is not None:
        note += f"; goal {goal:,.0f} x{' MISSED' if ratio < goal else ''}"
    show(what, theirs, note)
